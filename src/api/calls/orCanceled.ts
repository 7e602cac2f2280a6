/**
 * Does this work and returns its value, unless a cancel comes first. The key is read from the system's keyring, which
 * can wait until the user unlocks it.
 * @throws the signal's reason on a cancel
 */
export async function orCanceled<T>(work: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  signal?.throwIfAborted();
  const started = work();
  if (signal === undefined) return started;
  return new Promise((resolve, reject) => {
    // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- the reason is the caller's own value
    const onAbort = (): void => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    void started.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
