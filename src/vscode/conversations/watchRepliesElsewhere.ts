import type { ChatSession } from '../../core/chat/chatSession.ts';
import type { Conversation, Reply } from '../../core/chat/conversation.ts';
import { mayStillRun } from '../disk/processMark.ts';

const PERIOD_MS = 10_000;

export interface RepliesElsewhereDeps {
  /** ID of this window, as in the files. */
  readonly writer: string;
  /** Whether another window's process still exists to write the reply. */
  readonly isAlive: (reply: Reply, lastRecordAt: number) => boolean;
}

/** Whether another window is writing a visible reply of this conversation. */
export function isWrittenElsewhere(conversation: Conversation, deps: RepliesElsewhereDeps): boolean {
  return unendedElsewhere(conversation, deps).some((reply) => deps.isAlive(reply, conversation.updatedAt));
}

/**
 * Reports each reply whose window is gone before its end: no record says so, and it would count as being written
 * forever.
 * @returns a function that stops watching
 */
export function watchRepliesElsewhere(
  session: Pick<ChatSession, 'conversation' | 'onEvent'>,
  deps: RepliesElsewhereDeps,
  left: (replyId: string) => void,
  periodMs = PERIOD_MS,
): () => void {
  const { conversation } = session;
  let alive: ReadonlySet<string> = new Set();
  let timer: NodeJS.Timeout | undefined;
  const unsubscribe = session.onEvent(({ type }) => {
    if (type === 'messageAdded' || type === 'messagesRearranged') look();
  });
  look();
  return () => {
    unsubscribe();
    clearTimeout(timer);
  };

  function look(): void {
    clearTimeout(timer);
    const unended = unendedElsewhere(conversation, deps);
    const before = alive;
    alive = new Set(unended.filter((reply) => deps.isAlive(reply, conversation.updatedAt)).map(({ id }) => id));
    // The timer only runs while another window is writing.
    timer = alive.size === 0 ? undefined : setTimeout(look, periodMs).unref();
    for (const { id } of unended) if (before.has(id) && !alive.has(id)) left(id);
  }
}

function unendedElsewhere(
  conversation: Conversation,
  { writer }: Pick<RepliesElsewhereDeps, 'writer'>,
): readonly Reply[] {
  const replies = conversation.messages().filter((message) => message.role === 'assistant');
  return replies.filter((reply) => reply.end === undefined && reply.writer !== writer);
}

// In milliseconds. Longer than the service can be silent before a reply is given up.
const ALIVE_MS = 660_000;

/** Whether the other process that writes this reply might still exist. */
export function isWriterAlive(reply: Pick<Reply, 'pid'>, lastRecordAt: number): boolean {
  return mayStillRun(reply.pid, lastRecordAt, ALIVE_MS);
}
