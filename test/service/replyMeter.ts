export interface Figures {
  readonly ttftSeconds: number;
  /** Tokens after the first, divided by the time from the first to the last: the writing speed. */
  readonly tps: number;
  readonly totalSeconds: number;
}

/** Measures one reply, starting when its request arrives. Times are those of `performance.now()`. */
export class ReplyMeter {
  readonly #arrivedAt: number;
  #firstTokenAt: number | undefined;
  #lastTokenAt = 0;
  #tokens = 0;

  constructor(arrivedAt: number) {
    this.#arrivedAt = arrivedAt;
  }

  get tokens(): number {
    return this.#tokens;
  }

  /** Call this when tokens are written. */
  count(tokens: number): void {
    const at = performance.now();
    this.#firstTokenAt ??= at;
    this.#lastTokenAt = at;
    this.#tokens += tokens;
  }

  /** The figures so far. A reply without a token spends all its time before the first one. */
  read(): Figures {
    const total = performance.now() - this.#arrivedAt;
    const first = this.#firstTokenAt ?? this.#arrivedAt + total;
    const writing = this.#lastTokenAt - first;
    const tps = this.#tokens > 1 && writing > 0 ? (this.#tokens - 1) / writing : this.#tokens / total;
    return {
      ttftSeconds: round((first - this.#arrivedAt) / 1000),
      tps: round(tps * 1000),
      totalSeconds: round(total / 1000),
    };
  }
}

/** Rounded to microseconds, the precision of the clock. */
function round(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}
