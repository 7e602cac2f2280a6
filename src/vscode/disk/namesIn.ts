import { readdir } from 'node:fs/promises';
import { isMissing } from './diskError.ts';
import { retryPassing } from './retryPassing.ts';

/** Names of what is in a folder. One that does not exist has nothing in it. */
export async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await retryPassing(() => readdir(folder));
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}
