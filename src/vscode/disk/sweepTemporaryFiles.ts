import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissing } from './diskError.ts';
import { ownerOf } from './processMark.ts';
import { removeFile } from './removeFile.ts';
import { temporaryMark } from './replaceFile.ts';

/** No write takes this long: the owner's process ID must belong to another program by now. */
const ABANDONED_MS = 24 * 60 * 60 * 1000;

/** A lock that was taken to break another one. Its name is never used again, so nobody else would delete it. */
const breakingLock = /\.lock(?:\.[0-9a-f]{12})+$/;

/**
 * Deletes the temporary files that killed windows left in a folder and its subfolders. Those of live windows stay. If
 * one can't be deleted, the others still are.
 */
export async function sweepTemporaryFiles(folder: string, onError: (error: unknown) => void): Promise<void> {
  let entries;
  try {
    entries = await readdir(folder, { recursive: true, withFileTypes: true });
  } catch (error) {
    if (!isMissing(error)) onError(error);
    return;
  }
  for (const { name, parentPath } of entries) {
    const mark = temporaryMark(name);
    if (mark === undefined && !breakingLock.test(name)) continue;
    const path = join(parentPath, name);
    try {
      if (mark === undefined ? await isOld(path) : await isAbandoned(path, mark)) await removeFile(path);
    } catch (error) {
      if (!isMissing(error)) onError(error);
    }
  }
}

async function isAbandoned(path: string, mark: string): Promise<boolean> {
  const owner = ownerOf(mark);
  if (owner === 'dead') return true;
  return owner !== 'self' && (await isOld(path));
}

async function isOld(path: string): Promise<boolean> {
  return Date.now() - (await stat(path)).mtimeMs > ABANDONED_MS;
}
