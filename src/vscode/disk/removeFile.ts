import { rename, rm, unlink } from 'node:fs/promises';
import { isMissing } from './diskError.ts';
import { retryPassing } from './retryPassing.ts';

const AGAIN_MS = 30_000;

/** Deletes a file if it exists. Waits if another program has it locked. */
export async function removeFile(path: string): Promise<void> {
  await retryPassing(() => rm(path, { force: true }));
}

/** The same. @returns whether this call deleted it: `rm` also succeeds for another window that deletes it just then */
export async function removeFileOnce(path: string): Promise<boolean> {
  try {
    await retryPassing(() => unlink(path));
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

/** Deletes as many of these files as possible. Rejects at the end if some couldn't be deleted. */
export async function removeFiles(paths: readonly string[]): Promise<void> {
  const errors: unknown[] = [];
  for (const path of paths) await removeFile(path).catch((error: unknown) => errors.push(error));
  if (errors.length > 0) throw new AggregateError(errors, errors.map(String).join('; '));
}

/** Deletes a folder and everything in it, if it exists. */
export async function removeFolder(path: string): Promise<void> {
  // ENOTEMPTY: another window added a file in the meantime.
  await retryPassing(
    () => rm(path, { recursive: true, force: true }),
    (error) => error instanceof Error && 'code' in error && error.code === 'ENOTEMPTY',
  );
}

/** Renames a file, replacing any file with the new name. Waits if another program has either locked. */
export async function moveFile(from: string, to: string): Promise<void> {
  await retryPassing(() => rename(from, to));
}

/** Deletes a file that is no longer needed, now or as soon as possible. Never rejects. */
export async function removeLeftover(path: string): Promise<void> {
  try {
    await removeFile(path);
  } catch {
    setTimeout(() => void removeLeftover(path), AGAIN_MS).unref();
  }
}
