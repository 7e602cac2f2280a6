import { monitorEventLoopDelay } from 'node:perf_hooks';

/** How often it looks, in milliseconds: often enough for a load of short tasks, rarely enough to cost nothing. */
const RESOLUTION_MS = 4;

/** How long events wait on this machine before they're handled: what arrives meanwhile is seen that much too late. */
export class HeldUpMeter {
  readonly #histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });

  start(): void {
    this.#histogram.reset();
    this.#histogram.enable();
  }

  /** @returns at most so long for 95% of the time, in milliseconds */
  stop(): number {
    this.#histogram.disable();
    const { count } = this.#histogram;
    // It notes how far apart its own looks were, which is its resolution when nothing holds it up.
    return count === 0 ? 0 : Math.max(0, this.#histogram.percentile(95) / 1e6 - RESOLUTION_MS);
  }
}
