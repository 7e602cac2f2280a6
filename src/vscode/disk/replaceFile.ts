import { open, rename } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isMissing } from './diskError.ts';
import { makeFolder } from './makeFolder.ts';
import { processMark } from './processMark.ts';
import { removeLeftover } from './removeFile.ts';
import { retryPassing } from './retryPassing.ts';

/** Temporary files of a folder that is deleted over and over are written so often. */
const TRIES = 3;
/** Leaves room in a file name of 255 bytes for what is put behind it. */
const LONGEST_STEM = 40;

let written = 0;

export interface ReplaceOptions {
  /** What can be had again in another way: after a power failure the file may be empty. */
  readonly isCache?: boolean;
  /** Called before each attempt to put the file in place; when it rejects, the old file stays. */
  readonly beforeRename?: () => Promise<void>;
}

/**
 * Replaces a file by the whole of its new content, or leaves it as it was and rejects. Makes the folder it is in, waits
 * for programs that hold the file, and leaves no temporary file behind; those of killed windows are for
 * `sweepTemporaryFiles`.
 */
export async function replaceFile(
  path: string,
  content: string | Uint8Array | AsyncIterable<Uint8Array>,
  options: ReplaceOptions = {},
): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await replace(path, content, options);
      return;
    } catch (error) {
      // Someone has deleted the folder, or the temporary file. A stream can't be read twice.
      const again = isMissing(error) && (typeof content === 'string' || content instanceof Uint8Array);
      if (!again || tries === TRIES) throw error;
    }
  }
}

async function replace(
  path: string,
  content: string | Uint8Array | AsyncIterable<Uint8Array>,
  { isCache = false, beforeRename }: ReplaceOptions,
): Promise<void> {
  const temporary = temporaryPath(path);
  try {
    await write(temporary, content, !isCache);
    await retryPassing(async () => {
      await beforeRename?.();
      await rename(temporary, path);
    });
  } catch (error) {
    await removeLeftover(temporary);
    throw error;
  }
}

async function write(
  path: string,
  content: string | Uint8Array | AsyncIterable<Uint8Array>,
  isSynced: boolean,
): Promise<void> {
  const file = await retryPassing(async () => {
    try {
      return await open(path, 'wx');
    } catch (error) {
      if (!isMissing(error)) throw error;
      await makeFolder(dirname(path));
      return open(path, 'wx');
    }
  });
  try {
    await file.writeFile(content);
    // Else the name may reach the disk before the bytes do, and a power failure leaves an empty file.
    if (isSynced) await file.datasync();
  } finally {
    await file.close();
  }
}

/** In the same folder, since only there a rename replaces a file in one step. */
function temporaryPath(path: string): string {
  written += 1;
  const stem = basename(path).slice(0, LONGEST_STEM).toWellFormed();
  return join(dirname(path), `${stem}.${processMark()}.${written.toString(36)}.tmp`);
}

/** The mark of the process that writes a temporary file; undefined for any other file. */
export function temporaryMark(name: string): string | undefined {
  return /\.([0-9a-z]+-[0-9a-z]+-[0-9a-f]+)\.[0-9a-z]+\.tmp$/.exec(name)?.[1];
}
