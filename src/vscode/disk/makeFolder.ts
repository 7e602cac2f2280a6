import { mkdir } from 'node:fs/promises';
import { codeOf } from './diskError.ts';

/** Makes a folder and those it is in, unless they exist. Rejects with ENOTDIR where one of them is a file. */
export async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true });
  } catch (error) {
    // Windows says EEXIST, which elsewhere in this folder means that another window has the lock.
    throw codeOf(error) === 'EEXIST' ? Object.assign(new Error(`${path} is a file`), { code: 'ENOTDIR' }) : error;
  }
}
