import { orCanceled } from './calls/orCanceled.ts';

/** Time and randomness, so that a test can control them. */
export interface Clock {
  /** Unix time in milliseconds. */
  now(): number;
  /** At least 0, below 1. */
  random(): number;
  /** On a cancel, throws the signal's reason at once. */
  sleep(ms: number, signal: AbortSignal | undefined): Promise<void>;
}

/** Node fires a longer timer at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  random: () => Math.random(),
  async sleep(ms, signal) {
    let leftMs = ms;
    for (; leftMs > LONGEST_TIMER_MS; leftMs -= LONGEST_TIMER_MS) await timer(LONGEST_TIMER_MS, signal);
    await timer(leftMs, signal);
  },
};

async function timer(ms: number, signal: AbortSignal | undefined): Promise<void> {
  let started: NodeJS.Timeout | undefined;
  try {
    await orCanceled(() => new Promise<void>((resolve) => void (started = setTimeout(resolve, ms))), signal);
  } finally {
    clearTimeout(started);
  }
}
