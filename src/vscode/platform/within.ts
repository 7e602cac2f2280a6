/**
 * The result of the work, or undefined after this time, so that nobody waits for a language server that is just
 * starting.
 */
export async function within<T>(work: Thenable<T>, limitMs: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<undefined>((resolve) => (timer = setTimeout(() => resolve(undefined), limitMs)));
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}
