import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissing } from './diskError.ts';
import { ownerOf } from './processMark.ts';
import { removeFile } from './removeFile.ts';
import { temporaryMark } from './replaceFile.ts';

/** Nothing takes so long to write; the owner's process id belongs to another program then. */
const ABANDONED_MS = 24 * 60 * 60 * 1000;

/**
 * Deletes what killed windows were writing, in a folder and those inside it. Files of live windows stay. One file that
 * can't be deleted doesn't keep the others.
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
    if (mark === undefined) continue;
    const path = join(parentPath, name);
    try {
      if (await isAbandoned(path, mark)) await removeFile(path);
    } catch (error) {
      if (!isMissing(error)) onError(error);
    }
  }
}

async function isAbandoned(path: string, mark: string): Promise<boolean> {
  const owner = ownerOf(mark);
  if (owner === 'dead') return true;
  return owner !== 'self' && Date.now() - (await stat(path)).mtimeMs > ABANDONED_MS;
}
