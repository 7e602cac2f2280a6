import type { Reply } from '../../core/conversation.ts';

// Longer than the service may stay silent before a reply is given up.
const ALIVE_MS = 660_000;

/**
 * Whether another process that writes this reply can still be there. A process id alone is reused too soon
 * to say so: its last record must be young as well.
 */
export function isWriterAlive(reply: Pick<Reply, 'pid'>, lastRecordAt: number): boolean {
  if (reply.pid === process.pid || Date.now() - lastRecordAt > ALIVE_MS) return false;
  try {
    process.kill(reply.pid, 0);
    return true;
  } catch {
    return false;
  }
}
