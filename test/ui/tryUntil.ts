import { errors } from 'playwright-core';
import { waitUntil } from './waitUntil.ts';

/** Each attempt has more time than the one before, because a busy machine might take longer than that every time. */
const firstAttemptMs = 2_000;
export const longestAttemptMs = 15_000;

/**
 * Makes attempts until one returns neither false nor undefined. An attempt has failed too if something in it takes
 * longer than `limitMs`.
 * @param what for the error
 */
export function tryUntil<Answer>(
  what: string,
  attempt: (limitMs: number) => Promise<Answer | false | undefined>,
): Promise<Answer> {
  return waitUntil(what, attempts(attempt));
}

/** The next attempt with each call. */
export function attempts<Answer>(attempt: (limitMs: number) => Promise<Answer>): () => Promise<Answer | undefined> {
  let nextMs = firstAttemptMs;
  return () => {
    const limitMs = nextMs;
    nextMs = Math.min(limitMs * 1.5, longestAttemptMs);
    return inTime(() => attempt(limitMs));
  };
}

/** Undefined if something in it takes longer than its own limit: it's not there yet, or has moved. */
export async function inTime<Answer>(ask: () => Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof errors.TimeoutError) return undefined;
    throw error;
  }
}
