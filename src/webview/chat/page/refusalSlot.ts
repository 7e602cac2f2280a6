import type { Problem } from '../../../shared/problem.ts';
import { element } from '../../kit/element.ts';
import { ProblemCard, type ProblemActs } from '../../kit/problemCard.ts';
import type { Ticker } from '../../kit/ticker.ts';

/** A place above the composer, such as the one that says why the last message was not sent. */
export class RefusalSlot {
  readonly element: HTMLElement;
  readonly #acts: ProblemActs;
  readonly #ticker: Ticker;
  #card: ProblemCard | undefined;

  constructor(name: string, acts: ProblemActs, ticker: Ticker) {
    this.element = element('div', { class: name });
    this.#acts = acts;
    this.#ticker = ticker;
  }

  show(problem: Problem | undefined): void {
    this.#card?.dispose();
    this.#card = problem === undefined ? undefined : new ProblemCard(problem, this.#acts, this.#ticker);
    this.element.replaceChildren(...(this.#card === undefined ? [] : [this.#card.element]));
  }
}
