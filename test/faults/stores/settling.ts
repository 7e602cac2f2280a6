import type { Outcome, Setting } from '../storeUnderTest.ts';
import { hurry, realSleep } from '../scaledClock.ts';

const TURNS = 400;

/**
 * Lets time pass until nothing is left to save: retries that come every few seconds run now.
 * @returns whether that was reached
 */
export async function waitUntil(isDone: () => boolean | Promise<boolean>): Promise<boolean> {
  for (let turn = 0; turn < TURNS; turn += 1) {
    hurry();
    await realSleep(turn < 20 ? 0 : 1);
    if (await isDone()) return true;
  }
  return false;
}

/** For stores that don't report what is left to save: by then, every retry has had its time. */
export async function waitForRetries(settled: () => Promise<unknown>): Promise<boolean> {
  for (let turn = 0; turn < 6; turn += 1) {
    hurry();
    await realSleep(1);
    await settled();
  }
  return true;
}

/**
 * Whether an operation is on disk, for stores that report trouble when it starts and not again until it ends: after the
 * first report, nothing counts as saved until the faults have cleared.
 */
export async function outcomeOf({ reports }: Setting, work: () => Promise<unknown>): Promise<Outcome> {
  await work();
  return reports() > 0 ? 'unsaved' : 'saved';
}
