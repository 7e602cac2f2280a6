/**
 * Lets one button of a page stand out: the one that is pressed next. The others step back until it's their turn.
 */
export class LeadingButton {
  readonly #root: HTMLElement;
  /** These lists follow the page. */
  readonly #buttons: HTMLCollectionOf<Element>;
  readonly #sends: HTMLCollectionOf<Element>;
  #isDue = false;

  constructor(root: HTMLElement) {
    this.#root = root;
    this.#buttons = root.getElementsByClassName('button');
    this.#sends = root.getElementsByClassName('send');
    for (const type of ['input', 'click', 'focusin', 'focusout']) root.addEventListener(type, () => this.changed());
  }

  /** Call this when a button might have appeared or disappeared. It's drawn with the next frame. */
  changed(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    requestAnimationFrame(() => {
      this.#isDue = false;
      this.#draw();
    });
  }

  /** The button to press next, even if it isn't drawn that way yet. */
  find(): Element | undefined {
    let leading: Element | undefined;
    let highest = 0;
    for (const button of this.#shown) {
      const rank = rankOf(button, this.#root);
      // Of two equal ones, the newer is further down.
      if (rank < highest || rank === notLeading) continue;
      leading = button;
      highest = rank;
    }
    return leading;
  }

  get #shown(): readonly Element[] {
    return [...this.#buttons, ...this.#sends].filter((button) => button.checkVisibility());
  }

  #draw(): void {
    const leading = this.find();
    for (const button of this.#shown) button.classList.toggle('yields', button !== leading);
  }
}

const notLeading = -1;
/** What failed before the newest message, and the newest run. */
const older = '.message:nth-last-child(n + 2 of .message) .problem *, .card:nth-child(n + 2 of .card) *';

function rankOf(button: Element, root: HTMLElement): number {
  if (button.matches(`.secondary, [aria-disabled=true].send, ${older}`)) return notLeading;
  if (button.matches('.stop')) return 5;
  const form = button.closest('.editor, .summary-card');
  if (form !== null && form.contains(root.ownerDocument.activeElement)) return 4;
  // Without this, the text in the message box can't be sent.
  if (button.closest('.refusal, .empty') !== null) return 3;
  if (button.matches('.send, .run')) return 2;
  return button.closest('.foot') === null ? 0 : 1;
}
