import type { Reply } from '../../core/chat/conversation.ts';
import { mayStillRun } from '../disk/processMark.ts';

// Longer than the service may stay silent before a reply is given up.
const ALIVE_MS = 660_000;

/** Whether another process that writes this reply can still be there. */
export function isWriterAlive(reply: Pick<Reply, 'pid'>, lastRecordAt: number): boolean {
  return mayStillRun(reply.pid, lastRecordAt, ALIVE_MS);
}
