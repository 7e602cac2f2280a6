/**
 * Reports what is being done, and repeats that from time to time, for work without its own progress display.
 * @param intervalMs between two such lines
 */
export async function reportWhile<T>(
  report: (line: string) => void,
  line: string,
  work: () => Promise<T>,
  intervalMs = 10_000,
): Promise<T> {
  report(line);
  const started = performance.now();
  const timer = setInterval(
    () => report(`${line} ${Math.round((performance.now() - started) / 1000)} s so far`),
    intervalMs,
  );
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
