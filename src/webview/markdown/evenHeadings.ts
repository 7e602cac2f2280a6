/** A message is the second level of the page. */
const messageLevel = 2;
/** Looked at in one step: a text may be nothing but headings. */
const STEP_HEADINGS = 200;

/**
 * Has no heading more than one level below that before it, as those who walk a text by its headings expect: a model
 * that begins with its third level skips two. What is seen stays as the model wrote it. In steps, each small.
 */
export class EvenHeadings {
  readonly #headings: HTMLCollectionOf<Element>;
  #next = 0;
  /** Levels as written, of the headings that the next one may be under. */
  #above: readonly number[] = [];

  constructor(root: Element) {
    this.#headings = root.getElementsByClassName('md-heading');
  }

  /** @returns false when all headings are even. */
  step(): boolean {
    for (let count = 0; count < STEP_HEADINGS; count += 1) {
      const heading = this.#headings.item(this.#next);
      if (heading === null) return false;
      this.#next += 1;
      const own = Number(heading.localName.slice(1));
      const written = Number(heading.getAttribute('aria-level') ?? own);
      this.#above = [...this.#above.filter((level) => level < written), written];
      const level = messageLevel + this.#above.length;
      if (level !== written) heading.setAttribute('aria-level', String(level));
    }
    return true;
  }
}
