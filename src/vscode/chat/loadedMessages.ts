import type { ChatSession } from '../../core/chat/chatSession.ts';
import type { Conversation, Message, Reply } from '../../core/chat/conversation.ts';
import { unendedMetrics } from '../../core/chat/replyMetrics.ts';
import { lineStops, sentMessages } from '../../core/chat/sentMessages.ts';
import { problemOfDroppedText } from '../../core/problems/conversationProblems.ts';
import { isOtherModel } from '../../core/models/isOtherModel.ts';
import type { ApiFailure } from '../../shared/apiFailure.ts';
import type { FoundMessage, ReplyChange } from '../../shared/protocol/chatProtocol.ts';
import type { MessageView, ReplyState, VersionView } from '../../shared/chat.ts';
import { findText } from '../../shared/text/findText.ts';
import type { Problem } from '../../shared/problem.ts';
import { refParts } from '../../shared/modelRef.ts';
import type { RepliesElsewhereDeps } from '../conversations/watchRepliesElsewhere.ts';

const PAGE_SIZE = 30;

export interface LoadedMessagesDeps extends RepliesElsewhereDeps {
  /** Describes the failure, with the reply that it ended, if any, and what can be done about its conversation. */
  readonly explain: (failure: ApiFailure, reply?: Reply, conversation?: Conversation) => Problem;
}

interface MessagePage {
  readonly messages: readonly MessageView[];
  readonly hasOlder: boolean;
}

/** The part of a conversation that one page has loaded: the newest messages, and older ones on request. */
export class LoadedMessages {
  readonly #deps: LoadedMessagesDeps;
  #conversation: string | undefined;
  #oldestLoaded: string | undefined;
  /** The first message that the page has. */
  #first: string | undefined;
  /** The latest message that the next snapshot can begin with. */
  #wanted: readonly (string | undefined)[] = [];

  constructor(deps: LoadedMessagesDeps) {
    this.#deps = deps;
  }

  /** For a snapshot: a page of messages, or everything that the page had loaded before. */
  newest(session: ChatSession): MessagePage {
    const { conversation } = session;
    if (this.#conversation !== conversation.id) this.#oldestLoaded = undefined;
    this.#conversation = conversation.id;
    const messages = conversation.messages();
    const loaded = messages.findIndex(({ id }) => id === this.#oldestLoaded || this.#wanted.includes(id));
    const start = Math.max(0, Math.min(loaded < 0 ? messages.length : loaded, messages.length - PAGE_SIZE));
    if (this.#wanted.length > 0) this.#oldestLoaded = messages[start]?.id;
    this.#wanted = [];
    return this.#page(session, start, messages.length);
  }

  /** The reader switches to this version of a message: the next snapshot includes it, and what the page has above it. */
  switching(messageId: string): void {
    this.#wanted = [this.#first, messageId];
  }

  /**
   * Shows this version of a message to a reader. Not while another window is writing a reply, which would end: nobody
   * stops it by looking.
   */
  showVersion(session: ChatSession, messageId: string): void {
    const { conversation } = session;
    const isWritten = conversation
      .messages()
      .some((message) => message.role === 'assistant' && this.#stateOf(session, message) === 'elsewhere');
    this.switching(messageId);
    if (!isWritten) session.showVersion(messageId);
  }

  /** A page of messages before one. With another ID, at least up to that one. */
  older(session: ChatSession, beforeId: string, throughId?: string): MessagePage | undefined {
    const messages = session.conversation.messages();
    const end = messages.findIndex((message) => message.id === beforeId);
    if (end < 0) return undefined;
    const through = messages.findIndex((message) => message.id === throughId);
    const page = Math.max(0, end - PAGE_SIZE);
    const start = through < 0 ? page : Math.min(page, through);
    this.#oldestLoaded = messages[start]?.id;
    return this.#page(session, start, end);
  }

  /** The matches in the messages before one, oldest first. */
  find(session: ChatSession, query: string, beforeId: string): FoundMessage[] {
    const messages = session.conversation.messages();
    const end = messages.findIndex((message) => message.id === beforeId);
    return messages
      .slice(0, Math.max(0, end))
      .map(({ id, text }) => ({ id, count: findText(text, query).length }))
      .filter(({ count }) => count > 0);
  }

  view(session: ChatSession, message: Message): MessageView {
    const all = session.conversation.versions(message.id);
    const versions = all.length > 1 && { versions: all.map(versionView) };
    if (message.role === 'user') return { ...message, ...versions };
    const { role, id, at, model, text, reasoning } = message;
    return {
      role,
      id,
      at,
      model,
      text,
      reasoning,
      ...this.change(session, message),
      ...versions,
    };
  }

  /** Everything about a reply except its text, which only grows, with one exception. */
  change(session: ChatSession, reply: Reply): ReplyChange {
    const { explain } = this.#deps;
    const { end } = reply;
    const answeredBy = end?.answeredBy;
    const state = this.#stateOf(session, reply);
    const retry = session.runningReplyId === reply.id ? session.pendingRetry : undefined;
    return {
      state,
      ...(reply.isSplit && { text: reply.text, reasoning: reply.reasoning }),
      metrics: end?.metrics ?? (state === 'interrupted' ? unendedMetrics(reply) : {}),
      ...thoughtOf(reply),
      ...(end?.finishReason !== undefined && { finishReason: end.finishReason }),
      ...(end?.requestId !== undefined && { requestId: end.requestId }),
      ...(isOtherModel(answeredBy, refParts(reply.model).model) && { answeredBy }),
      ...(end?.failure !== undefined && { problem: explain(end.failure, reply, session.conversation) }),
      ...(end?.sentAtLeast !== undefined && {
        problem: problemOfDroppedText(end.metrics.promptTokens?.value ?? 0, end.sentAtLeast, canLeaveOut(session)),
      }),
      ...(retry !== undefined && {
        retry: { attempt: retry.attempt, at: retry.at, reason: explain(retry.failure, reply).title },
      }),
    };
  }

  #stateOf({ runningReplyId, conversation }: ChatSession, reply: Reply): ReplyState {
    const { writer, isAlive } = this.#deps;
    if (reply.end !== undefined) return reply.end.outcome;
    if (reply.id === runningReplyId) return 'running';
    return reply.writer !== writer && isAlive(reply, conversation.updatedAt) ? 'elsewhere' : 'interrupted';
  }

  #page(session: ChatSession, start: number, end: number): MessagePage {
    const messages = session.conversation.messages().slice(start, end);
    this.#first = messages[0]?.id;
    return { messages: messages.map((message) => this.view(session, message)), hasOlder: start > 0 };
  }
}

function canLeaveOut({ conversation }: ChatSession): boolean {
  return lineStops(sentMessages(conversation.messages(), conversation.sentFrom)).length > 1;
}

function thoughtOf({ firstThoughtAt: from, lastThoughtAt: to }: Reply): Pick<ReplyChange, 'thoughtSeconds'> {
  // Reasoning that arrived all at once has no duration.
  return from === undefined || to === undefined || to <= from ? {} : { thoughtSeconds: (to - from) / 1000 };
}

function versionView(message: Message): VersionView {
  const { id } = message;
  if (message.role === 'user') return { id };
  return { id, model: message.model, ...(message.end !== undefined && { metrics: message.end.metrics }) };
}
