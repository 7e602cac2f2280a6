import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers';
import timersPromises from 'node:timers/promises';

/** How many times faster time passes in a window, including waits and file times. */
const SCALE = 25;
/** The same, while a window only waits for a retry. */
const HURRY = 5000;

const real = { now: Date.now, setTimeout, setInterval, clearTimeout };
// The same for all windows of a run, so that their times can be compared.
const epoch = Number(process.env['PARLANCE_EPOCH'] ?? real.now());
const pending = new Map<unknown, () => void>();
let scale = SCALE;

export function toScaled(at: number): number {
  return epoch + (at - epoch) * SCALE;
}

export function fromScaled(at: number): number {
  return epoch + (at - epoch) / SCALE;
}

/** On the real clock. */
export function realSleep(ms: number): Promise<void> {
  return new Promise((resolve) => void real.setTimeout(resolve, ms));
}

/** Stores wait just as long by their own clock, but a schedule takes no longer. */
export function speedUpClock(): void {
  Date.now = () => toScaled(real.now());
  const start = (act: (...args: unknown[]) => void, ms = 0, ...args: unknown[]): NodeJS.Timeout => {
    const run = (): void => {
      pending.delete(timer);
      act(...args);
    };
    const timer = real.setTimeout(run, ms / scale);
    pending.set(timer, run);
    return timer;
  };
  const stop = (timer: NodeJS.Timeout | undefined): void => {
    pending.delete(timer);
    real.clearTimeout(timer);
  };
  globalThis.setTimeout = timers.setTimeout = start as typeof setTimeout;
  globalThis.clearTimeout = timers.clearTimeout = stop as typeof clearTimeout;
  globalThis.setInterval = timers.setInterval = ((act: () => void, ms = 0) =>
    real.setInterval(act, ms / SCALE)) as typeof setInterval;
  const wait = <T>(ms?: number, value?: T): Promise<T> =>
    new Promise((resolve) => start(() => resolve(value as T), ms));
  timersPromises.setTimeout = wait;
  syncBuiltinESMExports();
}

/** Current waits end now, and future ones are very short. */
export function hurry(): void {
  scale = HURRY;
  for (const [timer, run] of pending) {
    real.clearTimeout(timer as NodeJS.Timeout);
    run();
  }
}

/** When nobody else is working, waits take no time at all. */
export function setPace(isAlone: boolean): void {
  scale = isAlone ? HURRY : SCALE;
}

/** Drops the waits of earlier schedules. */
export function beginAgain(): void {
  scale = SCALE;
  for (const timer of pending.keys()) real.clearTimeout(timer as NodeJS.Timeout);
  pending.clear();
}
