type Close = () => Promise<void>;

const closers: Close[] = [];

/**
 * Keeps something open for all test files of a worker process, for example a browser: it's closed after the last file.
 * In reverse order of opening.
 */
export function atWorkerEnd(close: Close): void {
  closers.push(close);
}

export async function closeAll(): Promise<void> {
  for (let close = closers.pop(); close; close = closers.pop()) await close();
}
