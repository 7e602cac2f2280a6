import { createHash } from 'node:crypto';
import { hostname } from 'node:os';

/** `unknown` is a process of another machine or container that shares the folder. */
export type Owner = 'self' | 'alive' | 'dead' | 'unknown';

let own: string | undefined;

/**
 * Names this process in file names and locks: `<process id>-<start time>-<host>`. Containers often give the next
 * process the same ID, so the ID alone isn't enough.
 */
export function processMark(): string {
  own ??= `${process.pid}-${Math.round(performance.timeOrigin).toString(36)}-${hostMark()}`;
  return own;
}

/** Whether the process with this mark is still running; undefined for text that isn't a mark. */
export function ownerOf(mark: string): Owner | undefined {
  const [, id, , host] = /^(\d{1,10})-([0-9a-z]+)-([0-9a-f]+)$/.exec(mark) ?? [];
  if (id === undefined) return undefined;
  if (mark === processMark()) return 'self';
  if (host !== hostMark()) return 'unknown';
  const pid = Number(id);
  return pid !== process.pid && isProcessAlive(pid) ? 'alive' : 'dead';
}

/** Whether a process with this ID exists on this machine. It might be a different process by now: IDs are reused. */
export function isProcessAlive(pid: number): boolean {
  // Zero and negative IDs refer to process groups.
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it exists and belongs to someone else.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/**
 * Whether another process that was active at `seenAt` (Unix time in milliseconds) might still be: it exists, isn't this
 * one, and hasn't been silent for longer than its work can take.
 */
export function mayStillRun(pid: number, seenAt: number, longestMs: number): boolean {
  return pid !== process.pid && Date.now() - seenAt <= longestMs && isProcessAlive(pid);
}

function hostMark(): string {
  return createHash('sha256').update(hostname()).digest('hex').slice(0, 6);
}
