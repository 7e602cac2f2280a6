import { monitorEventLoopDelay } from 'node:perf_hooks';

/** How often it checks, in milliseconds: often enough for a load of short tasks, rarely enough to cost nothing. */
const RESOLUTION_MS = 4;
/** A p95 of fewer checks would be a single one. Such a short stage counts as part of the next one. */
const LEAST_CHECKS = 50;

type Waits = Pick<ReturnType<typeof monitorEventLoopDelay>, 'enable' | 'disable' | 'reset' | 'count' | 'percentile'>;

/**
 * Measures how long events wait on this machine before they're handled, because everything that arrives is seen that
 * much too late.
 */
export class HeldUpMeter {
  readonly #histogram: Waits;
  #worstMs = 0;

  constructor(histogram: Waits = monitorEventLoopDelay({ resolution: RESOLUTION_MS })) {
    this.#histogram = histogram;
  }

  start(): void {
    this.#histogram.reset();
    this.#histogram.enable();
  }

  /** What follows has another load, and is measured apart. */
  nextStage(): void {
    if (this.#histogram.count < LEAST_CHECKS) return;
    this.#worstMs = this.worstMs;
    this.#histogram.reset();
  }

  /** The p95 of the waits in the worst stage so far, in milliseconds. */
  get worstMs(): number {
    const { count } = this.#histogram;
    if (count === 0) return this.#worstMs;
    // It includes the interval between its own checks, which is its resolution on an idle machine.
    return Math.max(this.#worstMs, this.#histogram.percentile(95) / 1e6 - RESOLUTION_MS);
  }

  /** @returns the p95 of the waits in the worst stage, in milliseconds */
  stop(): number {
    this.#histogram.disable();
    return this.worstMs;
  }
}
