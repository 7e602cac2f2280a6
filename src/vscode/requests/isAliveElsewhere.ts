import type { LoggedRequest } from '../../core/requests/requestLog.ts';
import { mayStillRun } from '../disk/processMark.ts';

// Longer than Parlance waits for a service, in milliseconds.
const ALIVE_MS = 30 * 60 * 1000;

/** Whether another window that runs a request might still exist. */
export function isAliveElsewhere({ pid, at }: Pick<LoggedRequest, 'pid' | 'at'>): boolean {
  return mayStillRun(pid, at, ALIVE_MS);
}
