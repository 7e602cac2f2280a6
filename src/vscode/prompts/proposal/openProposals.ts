import { setTimeout as pause } from 'node:timers/promises';
import type * as vscode from 'vscode';
import { mayStillRun } from '../../disk/processMark.ts';

const key = 'parlance.openProposals';
/** Process IDs are reused, in a container right away. */
const thisWindow = crypto.randomUUID();
/** How long a closing window can take, in milliseconds. */
const goingMs = 8_000;
/** After this time, in milliseconds, the process ID might belong to another program. */
const longestRunMs = 30 * 60 * 1000;

/** Notes whether this window has open proposals, for the next one, because VS Code doesn't restore our diffs. */
export async function noteProposals(state: Pick<vscode.Memento, 'update'>, areOpen: boolean): Promise<void> {
  await state.update(key, areOpen ? { window: thisWindow, pid: process.pid, at: Date.now() } : undefined);
}

/**
 * Whether a window that has closed had open proposals. True only once.
 * @param wait for a window that is being reloaded: the old one still exists for a moment
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
  // This window might have its own by now.
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
