import { createRequire } from 'node:module';

/** Minutes that pass at once, for timers of a second and more, undici's among them. Shorter ones run as always. */
export interface HeldTime extends Disposable {
  /** Runs what's due by then. */
  move(ms: number): void;
}

interface HeldTimer {
  readonly run: () => void;
  dueMs: number;
}

const shortestMs = 1000;
/** Node runs a longer one at once. */
const longestMs = 2 ** 31 - 1;

/** Undici counts ticks of half a second, and shares one timer for all that it waits for. */
export const undiciTimers: { tick(ms: number): void } = createRequire(import.meta.url)('undici/lib/util/timers.js');

/** From now on, until it's disposed of. Timers that run already aren't held. */
export function holdTime(): HeldTime {
  const { setTimeout: start, clearTimeout: stop } = globalThis;
  const held = new Map<unknown, HeldTimer>();
  let nowMs = 0;
  const hold = (act: (...args: unknown[]) => void, ms = 0, ...args: unknown[]): NodeJS.Timeout => {
    if (ms < shortestMs) return start(act, ms, ...args);
    const timer = start(() => undefined, longestMs);
    const own: HeldTimer = { run: () => act(...args), dueMs: nowMs + ms };
    held.set(timer, own);
    timer.refresh = () => {
      own.dueMs = nowMs + ms;
      return timer;
    };
    return timer;
  };
  globalThis.setTimeout = hold as typeof setTimeout;
  globalThis.clearTimeout = (timer) => {
    held.delete(timer);
    stop(timer);
  };
  return {
    move: (ms) => {
      nowMs += ms;
      for (const [timer, { run, dueMs }] of [...held].toSorted(([, one], [, other]) => one.dueMs - other.dueMs)) {
        if (dueMs > nowMs || !held.has(timer)) continue;
        clearTimeout(timer as NodeJS.Timeout);
        run();
      }
      // It starts to count at the next tick.
      undiciTimers.tick(0);
      undiciTimers.tick(ms);
    },
    [Symbol.dispose]: () => {
      for (const timer of held.keys()) stop(timer as NodeJS.Timeout);
      Object.assign(globalThis, { setTimeout: start, clearTimeout: stop });
    },
  };
}
