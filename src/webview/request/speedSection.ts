import * as l10n from '@vscode/l10n';
import type { RequestView } from '../../shared/protocol/requestProtocol.ts';
import { marksExplained } from '../../words/figureMark.ts';
import { barWords, namedFigures } from '../../words/replySpeed.ts';
import { element, setText } from '../kit/element.ts';
import { SpeedLine } from '../kit/speedLine.ts';

/** How long a request took, as a bar and in figures, compared with what's usual for its model. */
export class SpeedSection {
  readonly element: HTMLElement;
  readonly #line = new SpeedLine();
  readonly #bar = element('div', { class: 'bar', role: 'img' }, this.#line.element);
  readonly #waiting = element('span', {});
  readonly #writing = element('span', {});
  readonly #figures = element('dl', { class: 'figures' });
  readonly #usual = element('p', { class: 'note' });
  readonly #marks = element('p', { class: 'note' });

  constructor() {
    this.element = element(
      'section',
      { class: 'speed', 'aria-label': l10n.t('Speed') },
      this.#bar,
      element('div', { class: 'bar-words', 'aria-hidden': 'true' }, this.#waiting, this.#writing),
      this.#figures,
      this.#usual,
      this.#marks,
    );
  }

  show({ metrics, cost, usual = '', state, reply }: RequestView): void {
    const words = barWords(metrics);
    const isWaiting = reply.text === '' && reply.reasoning === '' && (state === 'running' || state === 'failed');
    this.#bar.hidden = words === undefined;
    this.#line.show(metrics, isWaiting);
    this.#bar.setAttribute('aria-label', words?.sentence ?? '');
    setText(this.#waiting, words?.waiting ?? '');
    setText(this.#writing, words?.writing ?? '');
    const figures = namedFigures(metrics, cost);
    this.#drawFigures(figures);
    setText(this.#usual, usual);
    this.#usual.hidden = usual === '';
    const marks = marksExplained(...figures.map(({ value }) => value), usual).join(' · ');
    setText(this.#marks, marks);
    this.#marks.hidden = marks === '';
    this.element.hidden = figures.length === 0;
  }

  /** Elements that update during the run are kept, and only their text changes. */
  #drawFigures(figures: ReturnType<typeof namedFigures>): void {
    const rows = [...this.#figures.children];
    if (
      rows.length !== figures.length ||
      rows.some((row, index) => row.querySelector('dt')?.textContent !== figures[index]?.name)
    ) {
      this.#figures.replaceChildren(
        ...figures.map(({ value, name }) => element('div', {}, element('dt', {}, name), element('dd', {}, value))),
      );
      return;
    }
    figures.forEach(({ value }, index) => {
      const shown = rows[index]?.querySelector('dd');
      if (shown !== undefined && shown !== null) setText(shown, value);
    });
  }
}
