/**
 * A limit for a wait. What has arrived when it runs out is read first: a process that was blocked for longer than the
 * limit, for example by other code, still has all of it to read.
 */
export class Countdown {
  #timer: NodeJS.Timeout | undefined;
  #last: NodeJS.Immediate | undefined;

  /** Ends the previous wait. @param ms milliseconds @param act called once, unless it's stopped or started again */
  start(ms: number, act: () => void): void {
    this.stop();
    this.#timer = setTimeout(() => {
      // Node reads the sockets between timers and immediates.
      this.#last = setImmediate(act);
    }, ms);
  }

  /** Starts the same wait again, if there's one. */
  refresh(): void {
    clearImmediate(this.#last);
    this.#timer?.refresh();
  }

  stop(): void {
    clearTimeout(this.#timer);
    clearImmediate(this.#last);
    this.#timer = undefined;
  }
}
