import { createRequire } from 'node:module';
import { heldTimers, type HeldTimers } from '../heldTimers.ts';

/** Undici's clock, of half seconds, for all that it waits for. */
export const undiciTimers: { tick(ms: number): void } = createRequire(import.meta.url)('undici/lib/util/timers.js');

/** Until this is disposed, minutes pass only on request: for timers of a second and more, and for undici. */
export function holdTime(): Pick<HeldTimers, 'pass'> & Disposable {
  const timers = heldTimers((ms) => ms >= 1000);
  return {
    pass: (ms) => {
      timers.pass(ms);
      // It starts to count at the next tick.
      undiciTimers.tick(0);
      undiciTimers.tick(ms);
    },
    [Symbol.dispose]: () => timers[Symbol.dispose](),
  };
}
