/** Runs tasks one after another, in the order they were added. */
export class Queue {
  #tail: Promise<unknown> = Promise.resolve();

  /** Settles with the task. A task that fails doesn't prevent the next one from running. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#tail.then(work);
    this.#tail = done.catch(() => undefined);
    return done;
  }

  /** Settles once all tasks added so far are done. Never rejects. */
  async settled(): Promise<void> {
    await this.#tail;
  }
}
