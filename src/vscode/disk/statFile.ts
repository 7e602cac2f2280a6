import { stat } from 'node:fs/promises';
import { retryPassing } from './retryPassing.ts';

/** Size in bytes, and when it was last written, Unix time in milliseconds. Waits for a program that holds the file. */
export async function statFile(path: string): Promise<{ readonly size: number; readonly mtimeMs: number }> {
  return retryPassing(() => stat(path));
}
