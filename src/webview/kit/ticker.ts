/** One timer for all counters on the page. It only runs while there are listeners. */
export class Ticker {
  readonly #everyMs: number;
  readonly #listeners = new Set<() => void>();
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(everyMs: number) {
    this.#everyMs = everyMs;
  }

  /** @returns a function that ends the subscription. */
  add(listener: () => void): () => void {
    this.#listeners.add(listener);
    this.#timer ??= setInterval(() => this.#tick(), this.#everyMs);
    return () => this.#remove(listener);
  }

  #tick(): void {
    for (const listener of this.#listeners) listener();
  }

  #remove(listener: () => void): void {
    this.#listeners.delete(listener);
    if (this.#listeners.size > 0 || this.#timer === undefined) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
