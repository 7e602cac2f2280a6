import { ServiceError } from './serviceError.ts';

interface RateLimit {
  /** Requests allowed at once after a pause. */
  readonly burst: number;
  /** Time to regain one used request. */
  readonly refillMs: number;
  /** What the limit applies to, for the error message. */
  readonly scope: string;
  /** Unix time in milliseconds. */
  readonly now: () => number;
}

/** A bucket of requests that refills steadily. */
export class RateLimiter {
  readonly #limit: RateLimit;
  #left: number;
  #countedAt: number;

  constructor(limit: RateLimit) {
    this.#limit = limit;
    this.#left = limit.burst;
    this.#countedAt = limit.now();
  }

  /** @throws {ServiceError} 429 with `Retry-After`, the whole seconds until a request is allowed again. */
  take(): void {
    const { burst, refillMs, scope, now } = this.#limit;
    const at = now();
    this.#left = Math.min(burst, this.#left + (at - this.#countedAt) / refillMs);
    this.#countedAt = at;
    // A refill of ten tenths might add up to slightly less than one.
    if (this.#left < 1 - 1e-9) {
      const retryAfterSeconds = Math.max(1, Math.ceil(((1 - this.#left) * refillMs) / 1000 - 1e-6));
      throw new ServiceError(429, `Too many requests for ${scope}. Try again in ${retryAfterSeconds} s.`, {
        headers: { 'retry-after': String(retryAfterSeconds) },
      });
    }
    this.#left = Math.max(0, this.#left - 1);
  }
}
