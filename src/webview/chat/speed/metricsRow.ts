import * as l10n from '@vscode/l10n';
import { element, icon } from '../../kit/element.ts';
import type { MetricWord } from './metricWords.ts';

/** The numbers of a reply in words, as a group named "Metrics". */
export class MetricsRow {
  readonly element = element('div', { class: 'metrics', role: 'group', 'aria-label': l10n.t('Metrics') });

  show(words: readonly MetricWord[], tooltip: string): void {
    this.element.hidden = words.length === 0;
    if (this.element.title !== tooltip) this.element.title = tooltip;
    this.element.replaceChildren(
      ...words.flatMap((word, index) => {
        const drawn = drawWord(word);
        return index < words.length - 1 ? [drawn, element('span', { class: 'visually-hidden' }, ', ')] : [drawn];
      }),
    );
  }
}

function drawWord(word: MetricWord): HTMLElement {
  const drawn = element('span', { class: word.notable === true ? 'metric notable' : 'metric' });
  if (word.hint !== undefined) drawn.title = word.hint;
  if (word.notable === true) drawn.append(icon('info'), ' ');
  if (word.value !== '') drawn.append(element('b', {}, word.value));
  if (word.label !== '') drawn.append(word.value === '' ? word.label : ` ${word.label}`);
  if (word.measuredHere) {
    drawn.append(
      element('span', { class: 'metric-here', 'aria-hidden': 'true' }, '°'),
      element('span', { class: 'visually-hidden' }, ` ${l10n.t('(measured here)')}`),
    );
  }
  return drawn;
}
