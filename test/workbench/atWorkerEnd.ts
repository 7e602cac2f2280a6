type Close = () => Promise<void>;

const closers: Close[] = [];

/**
 * Keeps something open for all test files that one worker process runs, such as a browser: it is closed
 * once the worker has run its last file. In reverse order of opening.
 */
export function atWorkerEnd(close: Close): void {
  closers.push(close);
}

export async function closeAll(): Promise<void> {
  for (let close = closers.pop(); close; close = closers.pop()) await close();
}
