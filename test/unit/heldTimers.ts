/** A clock for some timers, which stands still until it's told to pass. */
export interface HeldTimers extends Disposable {
  /** Number of timers that have neither fired nor been stopped. */
  running(): number;
  /** Lets this many milliseconds pass for all of them. */
  pass(ms: number): void;
}

/**
 * Until this is disposed, some timers run by a clock of their own, and all others as usual.
 * @param which those of exactly this length, or of these lengths
 */
export function heldTimers(which: number | ((ms: number) => boolean)): HeldTimers {
  const isHeld = typeof which === 'number' ? (ms: number) => ms === which : which;
  const { setTimeout: set, clearTimeout: clear } = globalThis;
  const held = new Map<unknown, { leftMs: number; readonly run: () => void }>();

  function hold(run: () => void, ms: number): NodeJS.Timeout {
    // Never fires on its own.
    const timer = set(() => undefined, 2 ** 31 - 1).unref();
    held.set(timer, { leftMs: ms, run });
    timer.refresh = () => {
      const entry = held.get(timer);
      if (entry !== undefined) entry.leftMs = ms;
      return timer;
    };
    return timer;
  }

  globalThis.setTimeout = ((run: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) =>
    isHeld(ms) ? hold(() => run(...args), ms) : set(run, ms, ...args)) as typeof setTimeout;
  globalThis.clearTimeout = ((timer: NodeJS.Timeout | undefined) => {
    held.delete(timer);
    clear(timer);
  }) as typeof clearTimeout;

  return {
    // One that has fired can still be refreshed.
    running: () => [...held.values()].filter(({ leftMs }) => leftMs > 0).length,
    pass: (ms) => {
      const running = [...held].filter(([, { leftMs }]) => leftMs > 0);
      running.sort(([, one], [, other]) => one.leftMs - other.leftMs);
      for (const [timer, entry] of running) {
        if (held.get(timer) !== entry) continue;
        entry.leftMs -= ms;
        if (entry.leftMs <= 0) entry.run();
      }
    },
    [Symbol.dispose]: () => void Object.assign(globalThis, { setTimeout: set, clearTimeout: clear }),
  };
}
