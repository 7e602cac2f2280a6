import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { diskCodeOf, isMissing } from './diskError.ts';

/** Makes a folder and those it is in, unless they exist. Rejects with ENOTDIR where one of them is a file. */
export async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true });
  } catch (error) {
    // What Node says of a disk that is read-only, too.
    if (isMissing(error)) return makeEach(path);
    // Windows says EEXIST, which elsewhere in this folder means that another window has the lock.
    throw diskCodeOf(error) === 'EEXIST' ? Object.assign(new Error(`${path} is a file`), { code: 'ENOTDIR' }) : error;
  }
}

/** Rejects with the system's own reason. */
async function makeEach(path: string): Promise<void> {
  try {
    await makeOne(path);
  } catch (error) {
    if (!isMissing(error) || dirname(path) === path) throw error;
    await makeEach(dirname(path));
    await makeOne(path);
  }
}

async function makeOne(path: string): Promise<void> {
  await mkdir(path).catch((error: unknown) => {
    if (diskCodeOf(error) !== 'EEXIST') throw error;
  });
}
