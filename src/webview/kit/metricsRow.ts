import * as l10n from '@vscode/l10n';
import { element, icon } from './element.ts';

/** One item of the metrics row. */
export interface MetricWord {
  readonly text: string;
  /** The part of the text that is drawn strong: a figure, with its mark. */
  readonly value?: string;
  readonly hint?: string;
  /** Set where the words say that something is not as it should be. */
  readonly notable?: boolean;
}

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

function drawWord({ text, value, hint, notable = false }: MetricWord): HTMLElement {
  const drawn = element('span', { class: notable ? 'metric notable' : 'metric' });
  if (hint !== undefined) drawn.title = hint;
  if (notable) drawn.append(icon('info'), ' ');
  if (value === undefined) drawn.append(text);
  else {
    const [before = '', after = ''] = text.split(value, 2);
    drawn.append(before, ...drawFigure(value), after);
  }
  return drawn;
}

/** A screen reader would say "degree". */
function drawFigure(value: string): readonly HTMLElement[] {
  if (!value.endsWith('°')) return [element('b', {}, value)];
  return [
    element('b', {}, value.slice(0, -1)),
    element('span', { class: 'metric-here', 'aria-hidden': 'true' }, '°'),
    element('span', { class: 'visually-hidden' }, ` ${l10n.t('(measured in VS Code)')}`),
  ];
}
