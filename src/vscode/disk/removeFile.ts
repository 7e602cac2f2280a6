import { rename, rm } from 'node:fs/promises';
import { retryPassing } from './retryPassing.ts';

const AGAIN_MS = 30_000;

/** Deletes a file, or nothing where there is none. Waits for a program that holds it. */
export async function removeFile(path: string): Promise<void> {
  await retryPassing(() => rm(path, { force: true }));
}

/** Deletes all of these files that can be deleted. Rejects at the end where some can't. */
export async function removeFiles(paths: readonly string[]): Promise<void> {
  const errors: unknown[] = [];
  for (const path of paths) await removeFile(path).catch((error: unknown) => errors.push(error));
  if (errors.length > 0) throw new AggregateError(errors, errors.map(String).join('; '));
}

/** Deletes a folder with everything in it, or nothing where there is none. */
export async function removeFolder(path: string): Promise<void> {
  // A file that another window adds meanwhile makes it ENOTEMPTY.
  await retryPassing(
    () => rm(path, { recursive: true, force: true }),
    (error) => error instanceof Error && 'code' in error && error.code === 'ENOTEMPTY',
  );
}

/** Renames a file, in place of one that has the new name. Waits for a program that holds either. */
export async function moveFile(from: string, to: string): Promise<void> {
  await retryPassing(() => rename(from, to));
}

/** Deletes a file that nobody needs, now or as soon as it can be deleted. Never rejects. */
export async function removeLeftover(path: string): Promise<void> {
  try {
    await removeFile(path);
  } catch {
    setTimeout(() => void removeLeftover(path), AGAIN_MS).unref();
  }
}
