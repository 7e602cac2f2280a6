import { type ChildProcess, spawn, type SpawnOptions, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';

/** A process and everything it starts, none of which outlives this process. */
export interface ProcessGroup {
  readonly child: ChildProcess;
  /** Ends all of it: politely, and by force after `graceMs`. Resolves when nothing of it is left. */
  close(graceMs?: number): Promise<void>;
  /** Ends all of it like a power failure. Resolves when its first process has ended. */
  kill(): Promise<void>;
}

/** The listeners of all groups: they replace the default, and must not wait for each other. */
const ownListeners = new WeakSet<object>();

const endingSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Starts a program as the head of its own process group. `close` closes it; so does the end of this process, or a
 * signal to end it that nothing else here listens to.
 */
export function startProcessGroup(command: string, args: readonly string[], options: SpawnOptions): ProcessGroup {
  const endNow = (): void => signalGroup(child, 'SIGKILL');
  // Other listeners (a script that closes what it opened, Playwright) end this process in their own way.
  const onSignal = (signal: NodeJS.Signals): void => {
    const isAlone = process.listeners(signal).every((listener) => ownListeners.has(listener));
    if (isAlone) process.exit(128 + constants.signals[signal]);
  };
  ownListeners.add(onSignal);
  // Before it starts: on a busy machine it can be running before the next line of this script is.
  for (const signal of endingSignals) process.on(signal, onSignal);
  // `detached` creates the group on POSIX; on Windows it would open a console, and taskkill walks the tree instead.
  const child = spawn(command, args, { ...options, detached: process.platform !== 'win32' });
  process.once('exit', endNow);
  const letGo = (): void => {
    process.off('exit', endNow);
    for (const signal of endingSignals) process.off(signal, onSignal);
  };

  return {
    child,
    async close(graceMs = 3_000) {
      try {
        const closed = hasEnded(child) ? Promise.resolve() : once(child, 'exit');
        signalGroup(child, 'SIGTERM');
        await Promise.race([closed, pause(graceMs, undefined, { ref: false })]);
        endNow();
        await closed;
      } finally {
        letGo();
      }
    },
    async kill() {
      const closed = hasEnded(child) ? Promise.resolve() : once(child, 'exit');
      endNow();
      await closed;
      letGo();
    },
  };
}

function hasEnded(child: ChildProcess): boolean {
  return child.pid === undefined || child.exitCode !== null || child.signalCode !== null;
}

/** Also reaches the members that outlive the head, for example an extension host. */
function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  if (process.platform === 'win32') {
    if (!hasEnded(child)) spawnSync('taskkill', ['/pid', String(child.pid), '/T', '/F']);
    return;
  }
  try {
    process.kill(-child.pid, signal);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
