import type { ChatSession } from '../../core/chat/chatSession.ts';
import type { Message, Reply } from '../../core/chat/conversation.ts';
import type { ApiFailure } from '../../shared/apiFailure.ts';
import type { MessageView } from '../../shared/chat.ts';
import type { ReplyChange } from '../../shared/chatProtocol.ts';
import type { Problem } from '../../shared/problem.ts';
import { type MessageContext, messageView, replyChange } from './messageView.ts';

const PAGE_SIZE = 30;

export interface MessageWindowDeps {
  /** This window, as it is named in the files. */
  readonly writer: string;
  /** The failure in words; with the reply it ended, where there is one. */
  readonly explain: (failure: ApiFailure, reply?: Reply) => Problem;
  readonly isAlive: (reply: Reply, lastRecordAt: number) => boolean;
}

interface MessagePage {
  readonly messages: readonly MessageView[];
  readonly hasOlder: boolean;
}

/** The part of a conversation that one page has loaded: the newest messages, and older ones as it asks for them. */
export class MessageWindow {
  readonly #deps: MessageWindowDeps;
  #oldestLoaded: string | undefined;

  constructor(deps: MessageWindowDeps) {
    this.#deps = deps;
  }

  /** Another conversation is shown. */
  reset(): void {
    this.#oldestLoaded = undefined;
  }

  /** For a snapshot: a page of messages, and all that the page had loaded before. */
  newest(session: ChatSession): MessagePage {
    const messages = session.conversation.messages();
    const loaded = messages.findIndex((message) => message.id === this.#oldestLoaded);
    const start = Math.max(0, Math.min(loaded < 0 ? messages.length : loaded, messages.length - PAGE_SIZE));
    return this.#page(session, start, messages.length);
  }

  older(session: ChatSession, beforeId: string): MessagePage | undefined {
    const messages = session.conversation.messages();
    const end = messages.findIndex((message) => message.id === beforeId);
    if (end < 0) return undefined;
    const start = Math.max(0, end - PAGE_SIZE);
    this.#oldestLoaded = messages[start]?.id;
    return this.#page(session, start, end);
  }

  view(session: ChatSession, message: Message): MessageView {
    return messageView(message, this.#context(session));
  }

  change(session: ChatSession, reply: Reply): ReplyChange {
    return replyChange(reply, this.#context(session));
  }

  #page(session: ChatSession, start: number, end: number): MessagePage {
    const context = this.#context(session);
    const messages = session.conversation.messages().slice(start, end);
    return { messages: messages.map((message) => messageView(message, context)), hasOlder: start > 0 };
  }

  #context(session: ChatSession): MessageContext {
    return {
      writer: this.#deps.writer,
      runningReplyId: session.runningReplyId,
      pendingRetry: session.pendingRetry,
      explain: this.#deps.explain,
      isAlive: (reply) => this.#deps.isAlive(reply, session.conversation.updatedAt),
    };
  }
}
