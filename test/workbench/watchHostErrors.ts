/** Rejections that nobody has handled yet, and how to wait until that's certain. */
export interface HostErrors {
  /** Resolves when each rejection so far has been handled or told. */
  settle(): Promise<void>;
}

/**
 * Tells of each error in this extension host, with its stack: what is written to `console.error`, exceptions, and
 * rejections that nobody handles, which VS Code itself waits for a second for. The driver extension contains this
 * function as text, so it uses nothing from outside.
 * @param tell gets for example `unhandled rejection: Error: … at …`, or `unhandled rejection: …` without a stack if the
 * reason isn't an error
 */
export function watchHostErrors(tell: (fault: string) => void): HostErrors {
  const handleLimitMs = 900;
  const unhandled = new Set();
  const wordsOf = (error: unknown): string => String(Object(error).stack ?? error);
  const { error } = console;
  const hear = (...words: unknown[]): void => {
    // Without this function itself, which isn't where it happened.
    const place = { stack: '' };
    Error.captureStackTrace(place, hear);
    tell('console.error: ' + words.map(wordsOf).join(' ') + place.stack);
    error.apply(console, words);
  };
  Object.defineProperty(console, 'error', { configurable: true, value: hear });
  process.on('uncaughtExceptionMonitor', (thrown) => tell('uncaught exception: ' + wordsOf(thrown)));
  process.on('unhandledRejection', (reason, promise) => {
    // Mocha in this process hands the event on a second time.
    if (Object(reason).name === 'Canceled' || unhandled.has(promise)) return;
    unhandled.add(promise);
    setTimeout(() => {
      if (unhandled.delete(promise)) tell('unhandled rejection: ' + wordsOf(reason));
    }, handleLimitMs);
  });
  process.on('rejectionHandled', (promise) => unhandled.delete(promise));
  return {
    settle: async () => {
      while (unhandled.size > 0) await new Promise((resolve) => setTimeout(resolve, 20));
    },
  };
}
