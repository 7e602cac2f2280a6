// A reader this close to the end counts as being there.
const NEAR_PX = 24;

/**
 * Keeps the newest text in view, but only while the reader is at the bottom. The reader's own scrolling decides that
 * before text is added, so that nothing has to be measured.
 */
export class ScrollFollower {
  readonly #scroller: HTMLElement;
  readonly #onChange: () => void;
  #following = true;
  /** What the page was told last. */
  #told = true;
  #lastTop = 0;

  constructor(scroller: HTMLElement, onChange: () => void) {
    this.#scroller = scroller;
    this.#onChange = onChange;
    scroller.addEventListener('scroll', () => this.#scrolled(), { passive: true });
    scroller.addEventListener('wheel', (event) => this.#wheeled(event), { passive: true });
    scroller.addEventListener('click', ({ target }) => {
      if (target instanceof Element && target.closest('summary, [aria-expanded]') !== null) this.#toggled();
    });
  }

  get following(): boolean {
    return this.#following;
  }

  toBottom(): void {
    this.#set(true);
    this.settle();
  }

  /** Shows the beginning, and stops following until the reader scrolls to the bottom. */
  toTop(): void {
    this.#set(false);
    this.#scroller.scrollTop = 0;
    this.#lastTop = 0;
  }

  /** Stays where it is until the reader scrolls back to the bottom. */
  pause(): void {
    this.#set(false);
  }

  /** Call this after the content or the size has changed. */
  settle(): void {
    if (!this.#following) return;
    this.#scroller.scrollTop = this.#scroller.scrollHeight;
    this.#lastTop = this.#scroller.scrollTop;
  }

  /** Checks again whether the reader is at the bottom, after a change that wasn't a scroll. */
  check(): void {
    this.#set(this.#distance() <= NEAR_PX);
  }

  #scrolled(): void {
    const top = this.#scroller.scrollTop;
    const distance = this.#distance();
    // If the last place is gone, because text takes less room than was assumed, it was the browser that went up. Places
    // have fractions of a pixel when zoomed, and sizes don't.
    const wentUp = top < this.#lastTop && this.#lastTop < top + distance + 2;
    this.#lastTop = top;
    // Growth alone also leaves a distance. Only scrolling up means that the reader left.
    if (wentUp && distance > 2) this.#set(false);
    else if (distance <= NEAR_PX) this.#set(true);
  }

  /** The reader expands or collapses something, which must not be pulled up to the new end. */
  #toggled(): void {
    // By the next frame, it has expanded or collapsed. What the page would show until then could take room here.
    this.#following = false;
    requestAnimationFrame(() => this.check());
  }

  /** The wheel event comes before its scroll: text that arrives in between must not pull the reader back. */
  #wheeled(event: WheelEvent): void {
    const scrollable = this.#scroller.scrollHeight > this.#scroller.clientHeight;
    if (event.deltaY < 0 && !event.ctrlKey && scrollable && this.#scroller.scrollTop > 0) this.#set(false);
  }

  #distance(): number {
    const { scrollHeight, scrollTop, clientHeight } = this.#scroller;
    return scrollHeight - scrollTop - clientHeight;
  }

  #set(following: boolean): void {
    this.#following = following;
    if (following === this.#told) return;
    this.#told = following;
    this.#onChange();
  }
}
