/** `globalThis` of a page or of the extension host. */
interface Timers {
  readonly performance: { now(): number };
  setTimeout(work: () => void, ms: number): unknown;
  clearTimeout(timer: unknown): void;
}

export interface Pace {
  /** At least this long between a change and the work. */
  readonly leastMs: number;
  /** The share of one core, from 0 to 1. */
  readonly share: number;
}

/**
 * The longest wait, in milliseconds. How long work took is read from a clock that also runs while the machine sleeps or
 * waits for a disk, and after half a minute of that, a hundredth of a core would be an hour.
 */
const MOST_MS = 10_000;

/**
 * Repeats the same work as its subject changes, but never uses more than a share of one core: after long work, it waits
 * longer. So small things stay live, and large ones can't slow a run down.
 */
export class Paced {
  readonly #work: () => void | Promise<void>;
  readonly #pace: Pace;
  readonly #timers: Timers;
  #timer: unknown;
  #current: Promise<void> | undefined;
  #isWanted = false;
  #freeAt = 0;

  /** @param work must not reject */
  constructor(work: () => void | Promise<void>, pace: Pace, timers: Timers) {
    this.#work = work;
    this.#pace = pace;
    this.#timers = timers;
  }

  /** Something changed: the work is done once for all changes until then. */
  soon(): void {
    this.#isWanted = true;
    if (this.#current !== undefined) return;
    const wait = Math.max(this.#pace.leastMs, this.#freeAt - this.#timers.performance.now());
    this.#timer ??= this.#timers.setTimeout(() => void this.now(), wait);
  }

  /** Without waiting, for example at the end, but after work in progress. */
  async now(): Promise<void> {
    while (this.#current !== undefined) await this.#current;
    this.stop();
    this.#current = this.#timed();
    await this.#current;
  }

  async #timed(): Promise<void> {
    const startedAt = this.#timers.performance.now();
    try {
      await this.#work();
    } finally {
      this.#current = undefined;
      const endedAt = this.#timers.performance.now();
      this.#freeAt = endedAt + Math.min(MOST_MS, (endedAt - startedAt) * (1 / this.#pace.share - 1));
      if (this.#isWanted) this.soon();
    }
  }

  /** Later work isn't done. */
  stop(): void {
    this.#timers.clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#isWanted = false;
  }
}
