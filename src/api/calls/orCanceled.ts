/**
 * Does this work and returns its value, unless a cancel comes first. The key is read from the system's keyring, which
 * can wait until the user unlocks it.
 * @throws the signal's reason on a cancel
 */
export async function orCanceled<T>(work: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  signal?.throwIfAborted();
  if (signal === undefined) return work();
  const left = Promise.withResolvers<never>();
  const leave = (): void => left.reject(signal.reason);
  signal.addEventListener('abort', leave, { once: true });
  try {
    return await Promise.race([work(), left.promise]);
  } finally {
    signal.removeEventListener('abort', leave);
  }
}
