/** How long one turn decodes, in milliseconds, before the sockets are looked at again. */
const sliceMs = 0.3;
/**
 * Replies that have waited this long, in milliseconds, are decoded at once, because the backlog must not grow without
 * end.
 */
const longestMs = 50;

interface Waiting {
  readonly sinceMs: number;
  readonly act: () => void;
}

/**
 * The work on measured replies that can wait, for example decoding. It's done a little at a time, with reads of the
 * sockets in between, so that new data isn't noticed late.
 */
export class TimedQueue {
  readonly #waiting: Waiting[] = [];
  #isPlanned = false;
  readonly #now: () => number;

  /** @param now in milliseconds, monotonic */
  constructor(now = (): number => performance.now()) {
    this.#now = now;
  }

  /** @param act must not throw */
  add(act: () => void): void {
    this.#waiting.push({ sinceMs: this.#now(), act });
    this.#plan();
  }

  #plan(): void {
    if (this.#isPlanned) return;
    this.#isPlanned = true;
    setImmediate(() => this.#turn());
  }

  #turn(): void {
    this.#isPlanned = false;
    const startedMs = this.#now();
    let nowMs = startedMs;
    let done = 0;
    for (const { sinceMs, act } of this.#waiting) {
      if (nowMs - startedMs >= sliceMs && startedMs - sinceMs < longestMs) break;
      done += 1;
      act();
      nowMs = this.#now();
    }
    this.#waiting.splice(0, done);
    if (this.#waiting.length > 0) this.#plan();
  }
}
