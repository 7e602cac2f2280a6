import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { diskCodeOf, isMissing } from './diskError.ts';

/** Creates a folder and its parents, if needed. Rejects with ENOTDIR if one of them is a file. */
export async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true });
  } catch (error) {
    // Node also reports this for a read-only disk.
    if (isMissing(error)) return makeEach(path);
    // On Windows it's EEXIST, which elsewhere in this folder means that another window has the lock.
    throw diskCodeOf(error) === 'EEXIST' ? Object.assign(new Error(`${path} is a file`), { code: 'ENOTDIR' }) : error;
  }
}

/** Opens a file, after creating its folder if needed. */
export async function openIn(path: string, flags: string): Promise<FileHandle> {
  try {
    return await open(path, flags);
  } catch (error) {
    if (!isMissing(error)) throw error;
    await makeFolder(dirname(path));
    return open(path, flags);
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
