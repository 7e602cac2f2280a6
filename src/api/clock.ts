/** Time and chance, so that a test can hold them. */
export interface Clock {
  /** Unix time in milliseconds. */
  now(): number;
  /** From 0 up to 1. */
  random(): number;
  /** Ends early, by throwing the signal's reason, on a cancel. */
  sleep(ms: number, signal: AbortSignal | undefined): Promise<void>;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  random: () => Math.random(),
  async sleep(ms, signal) {
    signal?.throwIfAborted();
    await new Promise<void>((resolve, reject) => {
      const onAbort = (): void => {
        clearTimeout(timer);
        // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- the reason is the caller's own value
        reject(signal?.reason);
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', onAbort);
        resolve();
      }, ms);
      signal?.addEventListener('abort', onAbort, { once: true });
    });
  },
};
