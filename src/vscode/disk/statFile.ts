import { stat, utimes } from 'node:fs/promises';
import { retryPassing } from './retryPassing.ts';

/** Size in bytes, and last write as Unix time in milliseconds. Waits if another program has the file locked. */
export async function statFile(path: string): Promise<{ readonly size: number; readonly mtimeMs: number }> {
  return retryPassing(() => stat(path));
}

/** When a file was last written, as Unix time in milliseconds; undefined if it's missing or can't be read. */
export async function modifiedAt(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).mtimeMs;
  } catch {
    return undefined;
  }
}

/** As if it had been written now. */
export async function markWritten(path: string): Promise<void> {
  const now = new Date();
  await utimes(path, now, now);
}
