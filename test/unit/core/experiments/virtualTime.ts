import { setImmediate as turn } from 'node:timers/promises';
import type { Clock } from '../../../../src/api/clock.ts';

interface Timer {
  readonly at: number;
  readonly fire: () => void;
}

/** A clock that advances to the next timer as soon as nothing else is left to do. */
export class VirtualTime implements Clock {
  /** By how much timers fire too early; Node's can be a millisecond early. */
  earlyMs = 0;
  /** How much later it is after each look at it. */
  lookMs = 0;
  readonly #timers = new Set<Timer>();
  #now = 1_000_000;

  now(): number {
    const now = this.#now;
    this.#now += this.lookMs;
    return now;
  }

  random(): number {
    return 0.5;
  }

  sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const cancel = (): void => {
        this.#timers.delete(timer);
        reject(new Error('canceled'));
      };
      const timer: Timer = {
        at: this.#now + (ms > this.earlyMs ? ms - this.earlyMs : ms),
        fire: () => {
          signal?.removeEventListener('abort', cancel);
          resolve();
        },
      };
      if (signal?.aborted === true) reject(new Error('canceled'));
      else {
        this.#timers.add(timer);
        signal?.addEventListener('abort', cancel, { once: true });
      }
    });
  }

  /** Advances time until the work is done. Throws if it never will be. */
  async through<T>(work: Promise<T>): Promise<T> {
    let isDone = false;
    const end = work.finally(() => (isDone = true));
    end.catch(() => undefined);
    for (;;) {
      await turn();
      if (isDone) return end;
      const next = [...this.#timers].toSorted((a, b) => a.at - b.at)[0];
      if (next === undefined) throw new Error('It waits for something that never happens');
      this.#timers.delete(next);
      this.#now = Math.max(this.#now, next.at);
      next.fire();
    }
  }
}
