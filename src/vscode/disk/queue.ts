/** Runs pieces of work one after another, in the order they were given. */
export class Queue {
  #tail: Promise<unknown> = Promise.resolve();

  /** Settles as the work does. A piece that fails doesn't keep the next from running. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#tail.then(work);
    this.#tail = done.catch(() => undefined);
    return done;
  }

  /** Settles when everything given so far is done. Never rejects. */
  async settled(): Promise<void> {
    await this.#tail;
  }
}
