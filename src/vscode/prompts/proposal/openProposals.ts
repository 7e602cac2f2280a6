import { setTimeout as pause } from 'node:timers/promises';
import type * as vscode from 'vscode';
import { mayStillRun } from '../../disk/processMark.ts';

const key = 'parlance.openProposals';
/** Process ids repeat, in a container at once. */
const thisWindow = crypto.randomUUID();
/** How long a window that goes may take. */
const goingMs = 8_000;
/** A process id that is older may be another program's by now. */
const longestRunMs = 30 * 60 * 1000;

/** Notes whether this window has proposals open, for the one after it: VS Code restores no diff of ours. */
export async function noteProposals(state: Pick<vscode.Memento, 'update'>, areOpen: boolean): Promise<void> {
  await state.update(key, areOpen ? { window: thisWindow, pid: process.pid, at: Date.now() } : undefined);
}

/**
 * Whether a window that is gone had proposals open. Says so once.
 *
 * @param wait for a window that is being loaded again: for a moment the old one is still there
 */
export async function takeCutOff(
  state: Pick<vscode.Memento, 'get' | 'update'>,
  wait: () => Promise<unknown> = () => pause(goingMs, undefined, { ref: false }),
): Promise<boolean> {
  const noted: unknown = state.get(key);
  if (!isWindow(noted) || noted.window === thisWindow) return false;
  const isThere = () => mayStillRun(noted.pid, noted.at, longestRunMs);
  if (isThere()) await wait();
  if (isThere()) return false;
  // This window may have one of its own by now.
  if (state.get(key) === noted) await state.update(key, undefined);
  return true;
}

function isWindow(value: unknown): value is { readonly window: string; readonly pid: number; readonly at: number } {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof Reflect.get(value, 'window') === 'string' &&
    typeof Reflect.get(value, 'pid') === 'number' &&
    typeof Reflect.get(value, 'at') === 'number'
  );
}
