/** Something that draws itself piece by piece. */
export interface Drawable {
  readonly element?: Element;
  /** Draws until `deadlineMs` (of `performance.now()`). @returns true when everything is drawn. */
  render(deadlineMs: number): boolean;
}

/** Hooks around the work of a frame. */
export interface FrameHooks {
  /** Called after something was drawn, before the frame is shown. */
  readonly afterDrawing: () => void;
  /** Nothing is left to draw. */
  readonly onIdle: () => void;
}

// Enough for any stream, while leaving time for scrolling and typing.
const BUDGET_MS = 3;
// In more time than this, a flood draws more than the browser can lay out and paint in a frame.
const FRAME_MS = 16;
// Every frame has a fixed cost, so with less time than this, more frames only make it worse.
const LEAST_BUDGET_MS = 1.5;

/** The page's only animation frame loop. Everything shares one budget, and what was scheduled last is drawn first. */
export class FrameLoop {
  readonly #hooks: FrameHooks;
  readonly #mostAtOnce: number;
  readonly #waiting = new Set<Drawable>();
  #frame: number | undefined;
  /** The time for drawing in the next frame: less after one that took a long time to lay out and paint. */
  #budgetMs = BUDGET_MS;

  /**
   * @param mostAtOnce how many are drawn in one frame: the browser lays out and paints each of them. With more of them,
   * they take turns
   */
  constructor(hooks: FrameHooks, mostAtOnce = Infinity) {
    this.#hooks = hooks;
    this.#mostAtOnce = mostAtOnce;
  }

  get busy(): boolean {
    return this.#waiting.size > 0;
  }

  /** True while something inside is still being drawn. */
  isBusyIn(place: Element): boolean {
    return [...this.#waiting].some(({ element }) => element !== undefined && place.contains(element));
  }

  schedule(drawable: Drawable): void {
    // Deleted first, so that it moves to the end of the order; where they take turns, it keeps its place.
    if (!this.#takesTurns) this.#waiting.delete(drawable);
    this.#waiting.add(drawable);
    this.#request();
  }

  cancel(drawable: Drawable): void {
    this.#waiting.delete(drawable);
  }

  #request(): void {
    if (this.#frame === undefined) this.#frame = requestAnimationFrame(() => this.#run());
  }

  #run(): void {
    this.#frame = undefined;
    const startedMs = performance.now();
    const deadlineMs = startedMs + this.#budgetMs;
    for (const drawable of this.#next()) {
      const isDone = this.#isDone(drawable, deadlineMs);
      if (isDone || this.#takesTurns) this.#waiting.delete(drawable);
      if (!isDone) this.#waiting.add(drawable);
      if (performance.now() >= deadlineMs) break;
    }
    this.#hooks.afterDrawing();
    // Runs when the browser has painted the frame.
    setTimeout(() => this.#fit(performance.now() - startedMs));
    if (this.busy) this.#request();
    else this.#hooks.onIdle();
  }

  get #takesTurns(): boolean {
    return this.#mostAtOnce !== Infinity;
  }

  #next(): readonly Drawable[] {
    const waiting = [...this.#waiting];
    return this.#takesTurns ? waiting.slice(0, this.#mostAtOnce) : waiting.toReversed();
  }

  #fit(tookMs: number): void {
    const fittingMs = (this.#budgetMs * FRAME_MS) / Math.max(tookMs, 1);
    this.#budgetMs = Math.min(BUDGET_MS, Math.max(LEAST_BUDGET_MS, fittingMs));
  }

  /** If one fails, it's skipped, and the others continue. */
  #isDone(drawable: Drawable, deadlineMs: number): boolean {
    try {
      return drawable.render(deadlineMs);
    } catch (error) {
      console.error(error);
      return true;
    }
  }
}
