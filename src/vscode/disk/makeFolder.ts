import { mkdir } from 'node:fs/promises';
import { codeOf } from './diskError.ts';

/** Creates a folder and its parents if they don't exist. Rejects with ENOTDIR if one of them is a file. */
export async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true });
  } catch (error) {
    // Windows reports EEXIST, which `fileLock` would take for a lock that another window holds.
    throw codeOf(error) === 'EEXIST' ? Object.assign(new Error(`${path} is a file`), { code: 'ENOTDIR' }) : error;
  }
}
