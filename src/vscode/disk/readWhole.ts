import { readFile } from 'node:fs/promises';
import { codeOf } from './diskError.ts';
import { retryPassing } from './retryPassing.ts';

/** Reads a whole file. Waits if another program has it locked, and retries after a disk error. */
export function readWhole(path: string): Promise<Buffer> {
  return retryPassing(
    () => readFile(path),
    (error) => codeOf(error) === 'EIO',
  );
}
