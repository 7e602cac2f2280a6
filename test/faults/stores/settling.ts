import type { Outcome, Setting } from '../storeUnderTest.ts';
import { hurry, realSleep } from '../scaledClock.ts';

const TURNS = 400;

/**
 * Lets time pass until nothing is left to save: what is tried again every few seconds is tried again now.
 *
 * @returns whether it came to that.
 */
export async function waitUntil(isDone: () => boolean | Promise<boolean>): Promise<boolean> {
  for (let turn = 0; turn < TURNS; turn += 1) {
    hurry();
    await realSleep(turn < 20 ? 0 : 1);
    if (await isDone()) return true;
  }
  return false;
}

/** For stores that don't say themselves what is left to save: what was tried again has had its time then. */
export async function waitForRetries(settled: () => Promise<unknown>): Promise<boolean> {
  for (let turn = 0; turn < 6; turn += 1) {
    hurry();
    await realSleep(1);
    await settled();
  }
  return true;
}

/**
 * Whether an operation is on disk, for stores that tell of trouble when it begins, and not again before it ends: after
 * the first report nothing counts as saved until the faults have cleared.
 */
export async function outcomeOf({ reports }: Setting, work: () => Promise<unknown>): Promise<Outcome> {
  await work();
  return reports() > 0 ? 'unsaved' : 'saved';
}
