import { effectiveOptions } from '../../core/chat/chatRequest.ts';
import type { Attachment } from '../../shared/attachment.ts';
import type { ChatSession } from '../../core/chat/chatSession.ts';
import type { Reply } from '../../core/chat/conversation.ts';
import { problemOfBlindModel } from '../../core/problems/attachmentProblems.ts';
import { problemOfRunningReply } from '../../core/problems/conversationProblems.ts';
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
  /** Undefined where nobody knows. */
  readonly seesPictures: (model: string) => boolean | undefined;
  readonly pickModel: (current: string | undefined) => Promise<string | undefined>;
}

/** Gives text back to the person, with the reason it was not sent. */
type Refuse = (conversationId: string, text: string, problem: Problem) => void;

/** What an act takes from the person: their text, which is given back, and what goes with it. */
interface Taken {
  readonly text: string;
  readonly attachments: readonly Attachment[];
}

/** What a person does in a conversation that needs the service. */
export class ChatActs {
  readonly #deps: ChatActsDeps;
  readonly #refuse: Refuse;

  constructor(deps: ChatActsDeps, refuse: Refuse) {
    this.#deps = deps;
    this.#refuse = refuse;
  }

  /** @param recorded called when the question is part of the conversation, before anything is sent */
  ask(
    session: ChatSession,
    text: string,
    recorded: () => void = () => undefined,
    attachments: readonly Attachment[] = [],
  ): Promise<void> {
    return this.#withModel(session, { text, attachments }, (model, options) => {
      const done = session.ask(text, model, options, attachments);
      recorded();
      return done;
    });
  }

  retry(session: ChatSession, replyId: string): Promise<void> {
    const messages = session.conversation.messages();
    const before = messages.slice(
      0,
      messages.findIndex(({ id }) => id === replyId),
    );
    const question = before.findLast((message) => message.role === 'user');
    const taken = { text: '', attachments: question?.attachments ?? [] };
    return this.#withModel(session, taken, (model, options) => session.retry(replyId, model, options));
  }

  resend(session: ChatSession, messageId: string, text: string): Promise<void> {
    const message = session.conversation.find(messageId);
    const taken = { text, attachments: message?.role === 'user' ? (message.attachments ?? []) : [] };
    return this.#withModel(session, taken, (model, options) => session.resend(messageId, text, model, options));
  }

  /** Asks in words of our own, which are not given back: the person typed nothing. */
  askOwn(session: ChatSession, words: string): Promise<void> {
    const taken = { text: '', attachments: [] };
    return this.#withModel(session, taken, (model, options) => session.ask(words, model, options));
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
    { text, attachments }: Taken,
    run: (model: string, options: ChatOptions) => Promise<void>,
  ): Promise<void> {
    const refuse = (problem: Problem): void => this.#refuse(session.conversation.id, text, problem);
    try {
      await this.#deps.checkSetup();
    } catch (error) {
      return refuse(this.#deps.explainError(error));
    }
    const options = this.#options(session);
    const { model } = options;
    if (model === undefined) return refuse(this.#deps.explain({ kind: 'setup', missing: 'model' }));
    if (session.runningReplyId !== undefined) return refuse(problemOfRunningReply());
    const hasPicture = attachments.some(({ kind }) => kind === 'picture');
    // Of older messages a blind model gets the words; what is asked now must not lack what it speaks of.
    if (hasPicture && this.#deps.seesPictures(model) === false) return refuse(problemOfBlindModel(model));
    return run(model, options);
  }

  #options(session: ChatSession): ChatOptions {
    return effectiveOptions(session.conversation.options, this.#deps.chatDefaults());
  }
}
