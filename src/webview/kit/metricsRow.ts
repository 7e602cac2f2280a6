import * as l10n from '@vscode/l10n';
import { marksExplained } from '../../words/figureMark.ts';
import { element, icon } from './element.ts';

/** The tooltip of a text with figures: what its marks mean. */
export function marked(text: string): { readonly title?: string } {
  const marks = marksExplained(text);
  return marks.length === 0 ? {} : { title: marks.join('\n') };
}

/** One item of the metrics row. */
export interface MetricWord {
  readonly text: string;
  /** The marked figure in the text. */
  readonly value?: string;
  /** Expected number of characters, while the figure isn't known yet. */
  readonly room?: number;
  readonly hint?: string;
  /** Set if the text is about something unexpected. */
  readonly notable?: boolean;
}

// If only half of the figures fit, the line breaks after these.
const FIRST_LINE = 2;

/** The figures of a reply in words, as a group named "Metrics". The first one is emphasized. */
export class MetricsRow {
  readonly element = element('div', { class: 'metrics', role: 'group', 'aria-label': l10n.t('Metrics') });
  readonly #row = element('div', { class: 'metrics-row' });
  /** The maximum number of characters that each figure had while it changed. */
  #widths: number[] = [];

  constructor() {
    this.element.append(this.#row);
  }

  /** @param changing true while the figures grow: none gets narrower, so that none of them moves */
  show(words: readonly MetricWord[], tooltip: string, changing = false): void {
    this.element.hidden = words.length === 0;
    if (this.element.title !== tooltip) this.element.title = tooltip;
    this.#widths = changing
      ? words.map(({ value = '', room = 0 }, index) => Math.max(value.length, room, this.#widths[index] ?? 0))
      : [];
    const drawn = words.map((word, index) => {
      const item = drawWord(word, this.#widths[index] ?? 0, index === 0);
      if (index < words.length - 1) item.append(element('span', { class: 'spoken' }, ', '));
      return item;
    });
    const isLong = words.length > FIRST_LINE && words.slice(0, FIRST_LINE).every(({ value }) => value !== undefined);
    const lines = isLong ? [drawn.slice(0, FIRST_LINE), drawn.slice(FIRST_LINE)] : [drawn];
    this.#row.replaceChildren(...lines.map((line) => element('span', { class: 'metrics-line' }, ...line)));
  }
}

/**
 * @param width number of characters that have room; 0 if the figure doesn't change
 * @param leads true for the first, which starts at the edge and has free space after it, so that it can grow
 */
function drawWord({ text, value, hint, notable = false }: MetricWord, width: number, leads: boolean): HTMLElement {
  const drawn = element('span', { class: notable ? 'metric notable' : 'metric' });
  if (hint !== undefined) drawn.title = hint;
  if (notable) drawn.append(icon('info'), ' ');
  if (value === undefined) drawn.append(text);
  else {
    const [before = '', after = ''] = text.split(value, 2);
    const isLeading = leads && width > 0;
    const figure = drawFigure(value, isLeading ? 0 : width);
    if (!isLeading) drawn.append(before, figure, after);
    else {
      drawn.classList.add('leading');
      drawn.dataset['unit'] = `${before}${after}`;
      drawn.style.setProperty('--room', `${width}ch`);
      drawn.append(element('span', {}, before, figure, after));
    }
  }
  return drawn;
}

/** A screen reader would say "degree". */
function drawFigure(value: string, width: number): HTMLElement {
  const figure = element('span', { class: 'figure' });
  // Even if all of them are there: a point and a space are narrower than a digit.
  if (width > 0) figure.style.minWidth = `${width}ch`;
  if (!value.endsWith('°')) figure.append(value);
  else {
    figure.append(
      value.slice(0, -1),
      element('span', { class: 'metric-here', 'aria-hidden': 'true' }, '°'),
      element('span', { class: 'spoken' }, ` ${l10n.t('(measured in VS Code)')}`),
    );
  }
  return figure;
}
