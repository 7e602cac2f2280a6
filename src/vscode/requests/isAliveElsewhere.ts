import type { LoggedRequest } from '../../core/requestLog.ts';

// Longer than the service is waited for: a process id by itself is soon another's.
const ALIVE_MS = 30 * 60 * 1000;

/** Whether another window that runs a request can still be there. In a container the next one often has the same process id. */
export function isAliveElsewhere({ pid, at }: Pick<LoggedRequest, 'pid' | 'at'>): boolean {
  if (pid === process.pid || Date.now() - at > ALIVE_MS) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
