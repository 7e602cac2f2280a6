import { readFile } from 'node:fs/promises';
import { diskCodeOf } from './diskError.ts';
import { retryPassing } from './retryPassing.ts';

/** Reads a whole file. Waits if another program has it locked, and retries after a disk error. */
export function readWhole(path: string): Promise<Buffer> {
  return retryPassing(
    () => readFile(path),
    (error) => diskCodeOf(error) === 'EIO',
  );
}
