import type { Message, Reply } from '../../core/chat/conversation.ts';
import type { PendingRetry } from '../../core/chat/chatSession.ts';
import { isOtherModel } from '../../core/models/isOtherModel.ts';
import { unendedMetrics } from '../../core/chat/replyMetrics.ts';
import type { ApiFailure } from '../../shared/apiFailure.ts';
import type { MessageView, ReplyState } from '../../shared/chat.ts';
import type { ReplyChange } from '../../shared/chatProtocol.ts';
import type { Problem } from '../../shared/problem.ts';

/** What a view needs to know beyond the message. */
export interface MessageContext {
  /** This window. */
  readonly writer: string;
  readonly runningReplyId: string | undefined;
  readonly pendingRetry: PendingRetry | undefined;
  readonly explain: (failure: ApiFailure, reply: Reply) => Problem;
  /** Whether another window's process is still there to write the reply. */
  readonly isAlive: (reply: Reply) => boolean;
}

export function messageView(message: Message, context: MessageContext): MessageView {
  if (message.role === 'user') return message;
  const { role, id, at, model, text, reasoning } = message;
  return { role, id, at, model, text, reasoning, ...replyChange(message, context) };
}

/** All of a reply but its text. */
export function replyChange(reply: Reply, context: MessageContext): ReplyChange {
  const end = reply.end;
  const answeredBy = end?.answeredBy;
  const state = stateOf(reply, context);
  const retry = context.runningReplyId === reply.id ? context.pendingRetry : undefined;
  return {
    state,
    metrics: end?.metrics ?? (state === 'interrupted' ? unendedMetrics(reply) : {}),
    ...(end?.finishReason !== undefined && { finishReason: end.finishReason }),
    ...(end?.requestId !== undefined && { requestId: end.requestId }),
    ...(isOtherModel(answeredBy, reply.model) && { answeredBy }),
    ...(end?.failure !== undefined && { problem: context.explain(end.failure, reply) }),
    ...(retry !== undefined && {
      retry: { attempt: retry.attempt, at: retry.at, reason: context.explain(retry.failure, reply).title },
    }),
  };
}

function stateOf(reply: Reply, context: MessageContext): ReplyState {
  if (reply.end !== undefined) return reply.end.outcome;
  if (reply.id === context.runningReplyId) return 'running';
  return reply.writer !== context.writer && context.isAlive(reply) ? 'elsewhere' : 'interrupted';
}
