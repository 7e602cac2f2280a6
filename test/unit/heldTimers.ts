/** A clock for timers of one length, which stands still until it's told to pass. */
interface HeldTimers extends Disposable {
  /** Number of timers that have neither fired nor been stopped. */
  running(): number;
  /** Lets this many milliseconds pass for all of them. */
  pass(ms: number): void;
}

/** Until this is disposed, timers of exactly this length run by a clock of their own, and all others as usual. */
export function heldTimers(lengthMs: number): HeldTimers {
  const { setTimeout: set, clearTimeout: clear } = globalThis;
  const held = new Map<unknown, { leftMs: number; readonly run: () => void }>();

  function hold(run: () => void): NodeJS.Timeout {
    // Never fires on its own.
    const timer = set(() => undefined, 2 ** 31 - 1).unref();
    held.set(timer, { leftMs: lengthMs, run });
    timer.refresh = () => {
      const entry = held.get(timer);
      if (entry !== undefined) entry.leftMs = lengthMs;
      return timer;
    };
    return timer;
  }

  globalThis.setTimeout = ((run: () => void, ms = 0, ...rest: []) =>
    ms === lengthMs ? hold(run) : set(run, ms, ...rest)) as typeof setTimeout;
  globalThis.clearTimeout = ((timer: NodeJS.Timeout | undefined) => {
    held.delete(timer);
    clear(timer);
  }) as typeof clearTimeout;

  return {
    // One that has fired can still be refreshed.
    running: () => [...held.values()].filter(({ leftMs }) => leftMs > 0).length,
    pass: (ms) => {
      const running = [...held].filter(([, { leftMs }]) => leftMs > 0);
      for (const [timer, entry] of running) {
        if (held.get(timer) !== entry) continue;
        entry.leftMs -= ms;
        if (entry.leftMs <= 0) entry.run();
      }
    },
    [Symbol.dispose]: () => void Object.assign(globalThis, { setTimeout: set, clearTimeout: clear }),
  };
}
