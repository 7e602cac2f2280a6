import type { ApiFailure } from '../../shared/apiFailure.ts';
import { isUnsent } from './mayHaveBeenMade.ts';

/**
 * `catalog` only reads and can be repeated freely. A `chat` that was sent might have been billed. `media` is generated
 * and billed in one exchange that can be expensive, so it's only repeated if it was certainly not generated. A `probe`
 * is never repeated, so that a service that refuses it is left alone.
 */
export type RetriedCall = 'chat' | 'catalog' | 'media' | 'probe';

export interface RetryLimits {
  /** Maximum number of attempts, including the first. */
  readonly attempts: number;
  /** Maximum total wait, in milliseconds. */
  readonly waitMs: number;
  /** The first back-off is random between 0 and this, in milliseconds; the limit doubles with each retry. */
  readonly firstBackoffMs: number;
  readonly longestBackoffMs: number;
  /** Maximum total wait for a server that is loading its model, in milliseconds. */
  readonly loadingMs: number;
}

const defaultRetryLimits: RetryLimits = {
  attempts: 3,
  waitMs: 30_000,
  firstBackoffMs: 500,
  longestBackoffMs: 8_000,
  loadingMs: 60_000,
};

/** The failed attempts of one call so far. */
export interface RetryHistory {
  /** Oldest first. The last one decides what happens next. */
  readonly failures: readonly ApiFailure[];
  readonly waitedMs: number;
}

/**
 * How long to wait before the next attempt, in milliseconds, or undefined if there won't be one. A wait that the
 * service asks for is never shortened to fit the budget: instead, the failure is shown with its time.
 * @param random from 0 to 1, for full jitter.
 */
export function retryDelayMs(
  call: RetriedCall,
  history: RetryHistory,
  random: number,
  limits: RetryLimits = defaultRetryLimits,
): number | undefined {
  const { failures, waitedMs } = history;
  const last = failures.at(-1);
  if (last === undefined) return undefined;
  if (call === 'chat' && last.kind === 'notReady') return loadingDelayMs(failures, waitedMs, limits);
  const counted = call === 'chat' ? failures.filter(({ kind }) => kind !== 'notReady') : failures;
  if (counted.length >= limits.attempts || !isRetryable(call, counted, last)) return undefined;

  const ceilingMs = Math.min(limits.longestBackoffMs, limits.firstBackoffMs * 2 ** (counted.length - 1));
  const asked = retryAfterMs(last);
  // Without any wait, retries would become a burst, so half of the back-off is kept.
  const delayMs = asked === undefined ? random * ceilingMs : Math.max(asked, ((1 + random) / 2) * ceilingMs);
  return waitedMs + delayMs > limits.waitMs ? undefined : Math.round(delayMs);
}

/** A model that is loading is tried again soon, then every five seconds for up to a minute. */
function loadingDelayMs(failures: readonly ApiFailure[], waitedMs: number, limits: RetryLimits): number | undefined {
  const count = failures.filter(({ kind }) => kind === 'notReady').length;
  const last = failures.at(-1);
  const delayMs = Math.max(Math.min(5000, 1000 + count * 1000), (last && retryAfterMs(last)) ?? 0);
  return waitedMs + delayMs > limits.loadingMs ? undefined : delayMs;
}

function isRetryable(call: RetriedCall, failures: readonly ApiFailure[], last: ApiFailure): boolean {
  switch (call) {
    case 'chat':
      return isChatRetryable(failures, last);
    case 'catalog':
      return isCatalogRetryable(last);
    case 'probe':
      return false;
    case 'media':
      return isUnsent(last) || (last.kind === 'rateLimited' && last.retryAfterMs !== undefined);
  }
}

function isChatRetryable(failures: readonly ApiFailure[], last: ApiFailure): boolean {
  if (isUnsent(last) || last.kind === 'rateLimited') return true;
  if (last.kind === 'noImageInput') return false;
  const status = statusOf(last);
  if (status === 502 || status === 503) return true;
  // It might have been billed, so it isn't sent again.
  return isBillable(last) && !saysWhatIsWrong(last) && failures.filter(isBillable).length === 1;
}

function isBillable(failure: ApiFailure): boolean {
  const status = statusOf(failure);
  return status === 500 || status === 504;
}

/** The service's own message rather than a gateway's page: the next attempt would return the same. */
function saysWhatIsWrong(failure: ApiFailure): boolean {
  return 'body' in failure && failure.body === 'json' && failure.message !== '';
}

function isCatalogRetryable(failure: ApiFailure): boolean {
  switch (failure.kind) {
    case 'network':
    case 'connectionLost':
    case 'timeout':
    case 'rateLimited':
      return true;
    default: {
      const status = statusOf(failure);
      // 501 doesn't go away: nobody will implement it within seconds.
      const mayPass = status !== undefined && status >= 500 && status <= 599 && status !== 501;
      return status === 408 || mayPass;
    }
  }
}

function statusOf(failure: ApiFailure): number | undefined {
  return 'status' in failure ? failure.status : undefined;
}

export function retryAfterMs(failure: ApiFailure): number | undefined {
  return 'retryAfterMs' in failure ? failure.retryAfterMs : undefined;
}

/** Allows retries as long as they're rare. Shared by all calls of a window, so that it stops storms. */
export class RetryBucket {
  readonly #capacity: number;
  readonly #refillMs: number;
  readonly #now: () => number;
  #tokens: number;
  #filledAtMs: number;

  /**
   * @param capacity number of retries allowed at once.
   * @param refillMs time until one more is allowed.
   * @param now a clock in milliseconds.
   */
  constructor(capacity: number, refillMs: number, now: () => number) {
    this.#capacity = capacity;
    this.#refillMs = refillMs;
    this.#now = now;
    this.#tokens = capacity;
    this.#filledAtMs = now();
  }

  /** False if none are left. */
  take(): boolean {
    const nowMs = this.#now();
    this.#tokens = Math.min(this.#capacity, this.#tokens + (nowMs - this.#filledAtMs) / this.#refillMs);
    this.#filledAtMs = nowMs;
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }
}
