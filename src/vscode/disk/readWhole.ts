import { readFile } from 'node:fs/promises';
import { codeOf } from './diskError.ts';
import { retryPassing } from './retryPassing.ts';

/** The bytes of a file. Waits for a program that holds it, and reads again after an error of the disk. */
export function readWhole(path: string): Promise<Buffer> {
  return retryPassing(
    () => readFile(path),
    (error) => codeOf(error) === 'EIO',
  );
}
