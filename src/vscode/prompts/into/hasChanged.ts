import { setTimeout as pause } from 'node:timers/promises';
import type * as vscode from 'vscode';

const maxTries = 10;

/** After an edit: an editor that is read-only says that it was done, and nothing has changed. */
export async function hasChanged(document: vscode.TextDocument, version: number): Promise<boolean> {
  for (let wait = 0; document.version === version && !document.isClosed; wait += 1) {
    if (wait === maxTries) return false;
    await pause(10 * wait);
  }
  return true;
}
