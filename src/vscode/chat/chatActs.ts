import { effectiveOptions } from '../../core/chatRequest.ts';
import type { ChatSession } from '../../core/chatSession.ts';
import type { Reply } from '../../core/conversation.ts';
import { problemOfRunningReply } from '../../core/conversationProblems.ts';
import type { ApiFailure } from '../../shared/apiFailure.ts';
import type { ChatOptions } from '../../shared/chat.ts';
import type { Problem } from '../../shared/problem.ts';

export interface ChatActsDeps {
  readonly chatDefaults: () => ChatOptions;
  /** @throws {ApiError} with a setup failure when a request could not be made at all. */
  readonly checkSetup: () => Promise<unknown>;
  readonly explain: (failure: ApiFailure, reply?: Reply) => Problem;
  /** For what was caught: a bug of ours is logged and shown as unexpected. */
  readonly explainError: (error: unknown) => Problem;
  readonly pickModel: (current: string | undefined) => Promise<string | undefined>;
}

/** Gives text back to the composer, with the reason it was not sent. */
type Refuse = (text: string, problem: Problem) => void;

/** What a person does in a conversation that needs the service. */
export class ChatActs {
  readonly #deps: ChatActsDeps;
  readonly #refuse: Refuse;

  constructor(deps: ChatActsDeps, refuse: Refuse) {
    this.#deps = deps;
    this.#refuse = refuse;
  }

  /** @param recorded called when the question is part of the conversation, before anything is sent */
  ask(session: ChatSession, text: string, recorded: () => void = () => undefined): Promise<void> {
    return this.#withModel(session, text, (model, options) => {
      const done = session.ask(text, model, options);
      recorded();
      return done;
    });
  }

  retry(session: ChatSession, replyId: string): Promise<void> {
    return this.#withModel(session, '', (model, options) => session.retry(replyId, model, options));
  }

  resend(session: ChatSession, messageId: string, text: string): Promise<void> {
    return this.#withModel(session, text, (model, options) => session.resend(messageId, text, model, options));
  }

  async selectModel(session: ChatSession): Promise<void> {
    const model = await this.#deps.pickModel(this.model(session));
    if (model !== undefined) this.useModel(session, model);
  }

  useModel(session: ChatSession, model: string): void {
    session.setOptions({ ...session.conversation.options, model });
  }

  /** The model the next message goes to. */
  model(session: ChatSession): string | undefined {
    return this.#options(session).model;
  }

  async #withModel(
    session: ChatSession,
    text: string,
    run: (model: string, options: ChatOptions) => Promise<void>,
  ): Promise<void> {
    try {
      await this.#deps.checkSetup();
    } catch (error) {
      return this.#refuse(text, this.#deps.explainError(error));
    }
    const options = this.#options(session);
    if (options.model === undefined) {
      return this.#refuse(text, this.#deps.explain({ kind: 'setup', missing: 'model' }));
    }
    if (session.runningReplyId !== undefined) return this.#refuse(text, problemOfRunningReply());
    return run(options.model, options);
  }

  #options(session: ChatSession): ChatOptions {
    return effectiveOptions(session.conversation.options, this.#deps.chatDefaults());
  }
}
