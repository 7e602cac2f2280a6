import { type FileHandle, rename, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isMissing } from './diskError.ts';
import { openIn } from './makeFolder.ts';
import { processMark } from './processMark.ts';
import { removeLeftover } from './removeFile.ts';
import { retryPassing } from './retryPassing.ts';

/** How often to try if the folder is deleted during the write. */
const TRIES = 3;
/** Leaves room for the suffix in a file name of 255 bytes. */
const LONGEST_STEM = 40;

let written = 0;

export interface ReplaceOptions {
  /** The content can be rebuilt, so the file may be empty after a power failure. */
  readonly isCache?: boolean;
  /** Called before each attempt to replace the file. If it rejects, the old file stays. */
  readonly beforeRename?: () => Promise<void>;
  /** For a file of the user's own, which stays as private or executable as it was. */
  readonly keepsMode?: boolean;
}

/**
 * Replaces a file's content completely, or rejects and leaves the file unchanged. Creates the folder if needed, waits if
 * another program has the file locked, and leaves no temporary file behind. Those of killed windows are deleted by
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
      // The folder or the temporary file was deleted. A stream can't be read a second time.
      const again = isMissing(error) && (typeof content === 'string' || content instanceof Uint8Array);
      if (!again || tries === TRIES) throw error;
    }
  }
}

async function replace(
  path: string,
  content: string | Uint8Array | AsyncIterable<Uint8Array>,
  { isCache = false, beforeRename, keepsMode = false }: ReplaceOptions,
): Promise<void> {
  const temporary = temporaryPath(path);
  try {
    await write(temporary, content, !isCache, keepsMode ? path : undefined);
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
  replaced: string | undefined,
): Promise<void> {
  const file = await retryPassing(() => openIn(path, 'wx'));
  try {
    if (replaced !== undefined) await takeMode(file, replaced);
    await file.writeFile(content);
    // Otherwise the rename could reach the disk before the bytes, and a power failure would leave an empty file.
    if (isSynced) await file.datasync();
  } finally {
    await file.close();
  }
}

/** Before there's any content, which others could read. A file system without modes has nothing to change. */
async function takeMode(file: FileHandle, replaced: string): Promise<void> {
  try {
    const { mode } = await stat(replaced);
    if ((await file.stat()).mode !== mode) await file.chmod(mode & 0o777);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

/** In the same folder, because a rename is atomic only within one file system. */
function temporaryPath(path: string): string {
  written += 1;
  const stem = basename(path).slice(0, LONGEST_STEM).toWellFormed();
  return join(dirname(path), `${stem}.${processMark()}.${written.toString(36)}.tmp`);
}

/** The mark of the process that is writing a temporary file; undefined for other files. */
export function temporaryMark(name: string): string | undefined {
  return /\.([0-9a-z]+-[0-9a-z]+-[0-9a-f]+)\.[0-9a-z]+\.tmp$/.exec(name)?.[1];
}
