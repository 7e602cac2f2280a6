import { readdir } from 'node:fs/promises';
import { isMissing } from './diskError.ts';
import { retryPassing } from './retryPassing.ts';

/** The names of a folder's entries. A missing folder has none. */
export async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await retryPassing(() => readdir(folder));
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}
