import { createHash } from 'node:crypto';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { withFileLock } from '../disk/fileLock.ts';
import { readWhole } from '../disk/readWhole.ts';
import { replaceFile } from '../disk/replaceFile.ts';
import { settings } from '../settings/settingList.ts';

/** How long a window waits for a change by another one to reach it. */
const CATCH_UP_MS = 3000;

let folder: string | undefined;

/** The folder in which windows take turns. Set once, because every command that changes the list needs it. */
export function shareListIn(path: string | undefined): void {
  folder = path;
}

/**
 * Changes the list of services while no other window does. Windows learn of each other's changes a moment later, and
 * the list is one setting: anyone who writes it from an old value undoes the other's change.
 */
export async function inListTurn<T>(written: () => unknown, change: () => Promise<T>): Promise<T> {
  const shared = folder;
  if (shared === undefined) return change();
  let isBegun = false;
  try {
    return await withFileLock(join(shared, 'services.lock'), async () => {
      const note = join(shared, 'services.last');
      await caughtUp(written, (await readWhole(note).catch(() => undefined))?.toString());
      isBegun = true;
      const result = await change();
      // Without a note, the others don't wait.
      await replaceFile(note, `${Date.now()} ${hashOf(written())}`, { isCache: true }).catch(() => undefined);
      return result;
    });
  } catch (error) {
    // The change is made even if the folder can't be written to.
    if (isBegun) throw error;
    return change();
  }
}

/** Settles when this window knows what was written last, unless that was long ago. */
async function caughtUp(written: () => unknown, note = ''): Promise<void> {
  const [at, digest] = note.split(' ');
  const left = Number(at) + CATCH_UP_MS - Date.now();
  const isKnown = (): boolean => digest === hashOf(written());
  if (!(left > 0) || isKnown()) return;
  const changed = Promise.withResolvers<void>();
  const subscription = vscode.workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration(settings.services.id) && isKnown()) changed.resolve();
  });
  const limit = setTimeout(changed.resolve, Math.min(left, CATCH_UP_MS));
  try {
    await changed.promise;
  } finally {
    clearTimeout(limit);
    subscription.dispose();
  }
}

function hashOf(list: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(list) ?? '')
    .digest('hex');
}
