/** Runs something after this many milliseconds, unless the returned function is called before. */
export type Later = (run: () => void, delayMs: number) => () => void;

export function systemLater(run: () => void, delayMs: number): () => void {
  const timer = setTimeout(run, delayMs);
  return () => clearTimeout(timer);
}
