/**
 * Runs that take a moment to start, for example because something is fetched first. Until they show, a user easily asks
 * for the same one again, and it must not be sent and charged twice.
 */
export class StartingRuns {
  readonly #starting = new Map<string, Promise<void>>();

  /**
   * Starts a run, unless the same one is just being started.
   * @param key the same for the same run
   * @param run calls `shows` once the user can see it: from then on, asking again means another run
   */
  start(key: string, run: (shows: () => void) => Promise<void>): Promise<void> {
    const same = this.#starting.get(key);
    if (same !== undefined) return same;
    const shows = (): void => {
      if (this.#starting.get(key) === mine) this.#starting.delete(key);
    };
    const mine = Promise.resolve()
      .then(() => run(shows))
      .finally(shows);
    this.#starting.set(key, mine);
    return mine;
  }
}
