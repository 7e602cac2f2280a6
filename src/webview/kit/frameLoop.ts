/** Something that draws itself piece by piece. */
export interface Drawable {
  /** Draws until `deadlineMs` (of `performance.now()`). @returns true when all is drawn. */
  render(deadlineMs: number): boolean;
}

/** What is asked of the loop around the work of a frame. */
export interface FrameHooks {
  /** After something was drawn, before the frame is shown. */
  readonly afterDrawing: () => void;
  /** Nothing is left to draw. */
  readonly onIdle: () => void;
}

// Enough for any stream; leaves the frame to scrolling and typing.
const BUDGET_MS = 3;
// A flood draws more in that time than the browser can lay out and paint in a frame.
const FRAME_MS = 16;
// Every frame costs something by itself: more frames of less are worse from here on.
const LEAST_BUDGET_MS = 1.5;

/** The page's one animation frame. All that is drawn shares one budget, what was scheduled last goes first. */
export class FrameLoop {
  readonly #hooks: FrameHooks;
  readonly #waiting = new Set<Drawable>();
  #frame: number | undefined;
  /** What drawing may take in the next frame: less after one that took long to lay out and to paint. */
  #budgetMs = BUDGET_MS;

  constructor(hooks: FrameHooks) {
    this.#hooks = hooks;
  }

  get busy(): boolean {
    return this.#waiting.size > 0;
  }

  schedule(drawable: Drawable): void {
    // Deleted first, so that it moves to the end of the order.
    this.#waiting.delete(drawable);
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
    for (const drawable of [...this.#waiting].toReversed()) {
      if (this.#isDone(drawable, deadlineMs)) this.#waiting.delete(drawable);
      if (performance.now() >= deadlineMs) break;
    }
    this.#hooks.afterDrawing();
    // Comes when the browser has painted the frame.
    setTimeout(() => this.#fit(performance.now() - startedMs));
    if (this.busy) this.#request();
    else this.#hooks.onIdle();
  }

  #fit(tookMs: number): void {
    const fittingMs = (this.#budgetMs * FRAME_MS) / Math.max(tookMs, 1);
    this.#budgetMs = Math.min(BUDGET_MS, Math.max(LEAST_BUDGET_MS, fittingMs));
  }

  /** One that fails is left as it stands: the others, and following the end, go on. */
  #isDone(drawable: Drawable, deadlineMs: number): boolean {
    try {
      return drawable.render(deadlineMs);
    } catch (error) {
      console.error(error);
      return true;
    }
  }
}
