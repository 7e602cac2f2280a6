import { monitorEventLoopDelay } from 'node:perf_hooks';

/** How often it checks, in milliseconds: often enough for a load of short tasks, rarely enough to cost nothing. */
const RESOLUTION_MS = 4;

/**
 * Measures how long events wait on this machine before they're handled, because everything that arrives is seen that
 * much later.
 */
export class HeldUpMeter {
  readonly #histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });

  start(): void {
    this.#histogram.reset();
    this.#histogram.enable();
  }

  /** @returns the p95 of the waits, in milliseconds */
  stop(): number {
    this.#histogram.disable();
    const { count } = this.#histogram;
    // It includes the interval between its own checks, which is its resolution on an idle machine.
    return count === 0 ? 0 : Math.max(0, this.#histogram.percentile(95) / 1e6 - RESOLUTION_MS);
  }
}
