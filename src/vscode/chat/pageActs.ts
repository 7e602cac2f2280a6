import type { ModelRef } from '../../shared/modelRef.ts';
import type { ChatSession } from '../../core/chat/chatSession.ts';
import { problemOfChangedAttachments } from '../../core/problems/attachmentProblems.ts';
import { problemOfRunningReply } from '../../core/problems/conversationProblems.ts';
import type { Attachment } from '../../shared/attachment.ts';
import type { ChatOptions } from '../../shared/chat.ts';
import type { ConnectionView, RetryModel, ToHost } from '../../shared/protocol/chatProtocol.ts';
import { effectiveOptions } from '../../core/chat/chatRequest.ts';
import { joinedTexts } from '../../shared/text/joinedTexts.ts';
import type { Problem } from '../../shared/problem.ts';
import type { ConversationStore } from '../conversations/conversationStore.ts';
import type { OpenConversations } from '../conversations/openConversations.ts';
import { nextRequest, type NextRequestDeps } from './nextRequest.ts';
import type { PageAttachments } from './pageAttachments.ts';
import type { PageChannel } from './pageChannel.ts';
import type { ShownConversation } from './shownConversation.ts';

export interface PageActsDeps extends NextRequestDeps {
  readonly conversations: OpenConversations;
  readonly store: ConversationStore;
  readonly pickModel: (current: string | undefined) => Promise<string | undefined>;
  /** Recently used models, latest first. */
  readonly recentModels: () => Promise<readonly RetryModel[]>;
  readonly connection: (model: ModelRef | undefined) => Promise<ConnectionView>;
  readonly compareReply: (session: ChatSession, replyId: string) => Promise<void>;
  readonly onUnexpected: (error: unknown) => void;
}

/** The page that these actions belong to. */
export interface ActingPage {
  readonly shown: Pick<ShownConversation, 'session' | 'draft' | 'draftVersion' | 'begun' | 'isShown' | 'latest'>;
  readonly channel: Pick<PageChannel, 'isOpen' | 'post' | 'postWhenOpen'>;
  readonly attachments: Pick<PageAttachments, 'chosen' | 'sent' | 'roomierModels'>;
}

/** Number of models in the Retry menu. */
const offeredCount = 2;

type Message<T extends ToHost['type']> = Extract<ToHost, { type: T }>;

/** Why an action failed, and in which conversation. */
interface Refusal {
  readonly refused: Problem;
  readonly conversationId: string;
}

/**
 * What a user does with a page's conversation. Typed text is never lost: it's in the composer, in the draft, or in a
 * message.
 */
export class PageActs {
  readonly #deps: PageActsDeps;
  readonly #page: ActingPage;

  constructor(deps: PageActsDeps, page: ActingPage) {
    this.#deps = deps;
    this.#page = page;
  }

  draftChanged({ conversationId, text, version }: Message<'draftChanged'>): void {
    const { shown } = this.#page;
    // The page might still refer to the conversation that it showed a moment ago.
    if (shown.isShown(conversationId)) {
      shown.draft = text;
      shown.draftVersion = version;
    }
    this.#run(this.#save(conversationId, text, version));
  }

  /** Adds a text below the draft, for the user to send. */
  addToDraft(conversationId: string, text: string): void {
    const { channel, shown } = this.#page;
    // A page reports the resulting draft. One that shows another conversation, or is gone, can't.
    if (channel.isOpen && shown.isShown(conversationId)) channel.post({ type: 'draftAdded', text });
    else this.#run(this.#changeDraft(conversationId, (draft) => joinedTexts(draft, text)));
  }

  /**
   * Uses the conversation that the user saw, even if another one is opened in the meantime. After New Chat, it's the
   * new one. The text stays in the draft until it's a message.
   */
  ask({ conversationId, text, attachments: ids = [], version }: Message<'ask'>): Promise<void> {
    if (text.trim() === '' && ids.length === 0) return Promise.resolve();
    const { shown } = this.#page;
    if (conversationId !== undefined && shown.isShown(conversationId)) {
      shown.draft = text;
      shown.draftVersion = version;
      // Its beginning might be on disk, because the user paused. The whole text replaces it, so that all of it is
      // removed later.
      this.#run(this.#deps.store.saveDraft(conversationId, text));
    }
    return this.#attempt(conversationId, text, async () => {
      const target = await this.#target(conversationId, ids);
      if (target === undefined) return undefined;
      try {
        return await this.#askIn(target.session, text, ids, conversationId ?? target.session.conversation.id);
      } finally {
        target.dispose();
      }
    });
  }

  /**
   * Asks something that wasn't typed here, so a draft stays unchanged. Settles when it's accepted or refused (the page
   * shows a refusal), not when the reply has arrived.
   */
  async askUntyped(text: string, options: ChatOptions): Promise<void> {
    const asked = Promise.withResolvers<void>();
    const done = this.#act(text, (session) => {
      if (Object.keys(options).length > 0) session.setOptions({ ...session.conversation.options, ...options });
      return this.#send(session, [], (model, sent) => {
        const reply = session.ask(text, model, sent);
        asked.resolve();
        return reply;
      });
    });
    this.#run(done);
    await Promise.race([asked.promise, done]);
  }

  /** Asks with our own text, which isn't given back because the user typed nothing. */
  askOwn(words: string): Promise<void> {
    return this.#act('', (session) => this.#send(session, [], (model, options) => session.ask(words, model, options)));
  }

  /** A page isn't trusted to name a model that wasn't offered. */
  retry(replyId: string, model?: ModelRef): Promise<void> {
    return this.#act('', async (session) => {
      if (model !== undefined && !(await this.#isOffered(model))) return undefined;
      return this.#retryIn(session, replyId, model);
    });
  }

  /**
   * With a model that the user has just selected. One that takes over from a model that failed, or whose window was too
   * small, is also used next.
   */
  retryWith(replyId: string, model: ModelRef): Promise<void> {
    return this.#act('', (session) => {
      const { failure, sentAtLeast } = session.conversation.reply(replyId)?.end ?? {};
      if (failure !== undefined || sentAtLeast !== undefined) useIn(session, model);
      return this.#retryIn(session, replyId, model);
    });
  }

  /** Asks other models the same. */
  compareReply(replyId: string): Promise<void> {
    return this.#act('', async (session) => {
      await this.#deps.compareReply(session, replyId);
      return undefined;
    });
  }

  /** Tells the page which models the Retry menu offers. */
  offerRetry(replyId: string): Promise<void> {
    return this.#act('', async (session) => {
      const wroteIt = session.conversation.reply(replyId)?.model;
      const { model } = effectiveOptions(session.conversation.options, this.#deps.chatDefaults());
      const others = (await this.#deps.recentModels()).filter(({ id }) => id !== model);
      // The one that wrote the reply might have been used long ago.
      const models = others.toSorted((one, other) => Number(other.id === wroteIt) - Number(one.id === wroteIt));
      this.#page.channel.post({
        type: 'retryOffers',
        replyId,
        ...(model !== undefined && model !== wroteIt && { model }),
        models: models.slice(0, offeredCount),
      });
      return undefined;
    });
  }

  resend({ messageId, text }: Message<'resend'>): Promise<void> {
    const run = (session: ChatSession): Promise<Refusal | undefined> => {
      const message = session.conversation.find(messageId);
      const attachments = message?.role === 'user' ? message.attachments : undefined;
      return this.#send(session, attachments, (model, options) => session.resend(messageId, text, model, options));
    };
    return this.#act(text, run, messageId);
  }

  async selectModel(): Promise<void> {
    await this.#act('', async (session) => {
      const model = await this.#deps.pickModel(session.conversation.options.model ?? this.#deps.chatDefaults().model);
      if (model !== undefined) useIn(session, model);
      return undefined;
    });
    this.#page.channel.postWhenOpen({ type: 'composerFocused' });
  }

  /** Uses this model for the conversation. */
  useModel(model: ModelRef): Promise<void> {
    return this.#act('', (session) => Promise.resolve(useIn(session, model)));
  }

  /**
   * Asks again with a model that a reply's problem offered, or uses one that was offered because the conversation is long.
   * A page isn't trusted to name any other.
   */
  useOffered(model: ModelRef | undefined, replyId: string | undefined): Promise<void> {
    return this.#act('', async (session) => {
      if (model === undefined || !(await this.#offers(session, replyId)).includes(model)) return undefined;
      useIn(session, model);
      return replyId === undefined ? undefined : this.#retryIn(session, replyId);
    });
  }

  /**
   * Changes everything but the model, which is never the page's to name. The page might still refer to the conversation
   * that it showed a moment ago.
   */
  async setOptions({ conversationId, options }: Message<'optionsChanged'>): Promise<void> {
    const { shown } = this.#page;
    const change = (session: ChatSession | undefined) => {
      const model = session?.conversation.options.model;
      session?.setOptions({ ...options, ...(model !== undefined && { model }) });
    };
    if (shown.isShown(conversationId)) return change(shown.session);
    const open = await this.#deps.conversations.open(conversationId);
    change(open.session);
    open.dispose();
  }

  async #askIn(
    session: ChatSession,
    text: string,
    ids: readonly string[],
    typedIn: string,
  ): Promise<Refusal | undefined> {
    const { shown } = this.#page;
    const { id } = session.conversation;
    if (id !== typedIn && shown.isShown(id) && shown.draft === '') shown.draft = text;
    const attachments = ids.length === 0 ? [] : this.#page.attachments.chosen(id, ids);
    if (attachments.length !== ids.length) return { refused: problemOfChangedAttachments(), conversationId: id };
    return this.#send(session, attachments, (model, options) => {
      const reply = session.ask(text, model, options, attachments);
      for (const each of new Set([id, typedIn])) {
        if (shown.isShown(each) && shown.draft === text) shown.draft = '';
        this.#run(this.#deps.store.forgetDraft(each, text));
      }
      this.#page.attachments.sent(id, attachments);
      return reply;
    });
  }

  async #offers(session: ChatSession, replyId: string | undefined): Promise<readonly (ModelRef | undefined)[]> {
    if (replyId === undefined) {
      const { model } = effectiveOptions(session.conversation.options, this.#deps.chatDefaults());
      const { lack } = await this.#deps.connection(model);
      return [...this.#page.attachments.roomierModels(), ...(lack?.actions ?? []).map((action) => action.model)];
    }
    const reply = session.conversation.reply(replyId);
    if (reply?.end?.failure === undefined) return [];
    return this.#deps.explain(reply.end.failure, reply, session.conversation).actions.map((action) => action.model);
  }

  async #isOffered(model: ModelRef): Promise<boolean> {
    return (await this.#deps.recentModels()).some(({ id }) => id === model);
  }

  #retryIn(session: ChatSession, replyId: string, wanted?: string): Promise<Refusal | undefined> {
    const messages = session.conversation.messages();
    const end = messages.findIndex(({ id }) => id === replyId);
    const question = messages.slice(0, end).findLast((message) => message.role === 'user');
    const send = (model: ModelRef, options: ChatOptions) => session.retry(replyId, model, options);
    return this.#send(session, question?.attachments, send, wanted);
  }

  /** Settles when the reply has ended, or at once with the reason why nothing was sent. */
  async #send(
    session: ChatSession,
    attachments: readonly Attachment[] = [],
    send: (model: ModelRef, options: ChatOptions) => Promise<void>,
    wanted?: string,
  ): Promise<Refusal | undefined> {
    const next = await nextRequest(session, attachments, this.#deps, wanted);
    const conversationId = session.conversation.id;
    if ('refused' in next) return { ...next, conversationId };
    // Another one might have been waiting for the same, and was sent a moment ago: this one's text would be lost.
    if (session.runningReplyId !== undefined) return { refused: problemOfRunningReply(), conversationId };
    // What was said here goes to no other model, and no other service, because the default changes later.
    if (wanted === undefined && session.conversation.options.model === undefined) useIn(session, next.model);
    await send(next.model, next.options);
    return undefined;
  }

  /** Uses the conversation that was visible when the user acted, whatever is visible when the action ends. */
  #act(text: string, run: (session: ChatSession) => Promise<Refusal | undefined>, editedId?: string): Promise<void> {
    const { shown } = this.#page;
    const act = async (): Promise<Refusal | undefined> => {
      const session = shown.session ?? (await shown.latest());
      return session === undefined ? undefined : run(session);
    };
    return this.#attempt(shown.session?.conversation.id, text, act, editedId);
  }

  /**
   * @param text typed by the user, to restore if the action is refused
   * @param editedId ID of the message that it would replace
   */
  async #attempt(
    conversationId: string | undefined,
    text: string,
    act: () => Promise<Refusal | undefined>,
    editedId?: string,
  ): Promise<void> {
    try {
      const refusal = await act();
      if (refusal !== undefined) this.#giveBack(refusal.conversationId, text, refusal.refused, editedId);
    } catch (error) {
      const id = conversationId ?? this.#page.shown.session?.conversation.id;
      this.#giveBack(id, text, this.#deps.explainer.problemOfError(error), editedId);
    }
  }

  /**
   * Restores a text: where it was typed if the user still sees its conversation, otherwise in its draft. A page keeps the
   * edits of all conversations.
   */
  #giveBack(conversationId: string | undefined, text: string, problem: Problem, editedId?: string): void {
    const { channel, shown } = this.#page;
    const isSeen = channel.isOpen && (conversationId === undefined || shown.isShown(conversationId));
    const isEdit = editedId !== undefined && channel.isOpen;
    if (!isSeen && !isEdit && text !== '' && conversationId !== undefined) {
      this.#run(this.#changeDraft(conversationId, (draft) => joinedTexts(text, draft)));
    }
    channel.postWhenOpen({ type: 'askRefused', text: isSeen ? text : '', ...(isEdit && { editedId }), problem });
  }

  /** Attachments belong to one conversation only. */
  async #target(
    conversationId: string | undefined,
    ids: readonly string[],
  ): Promise<{ readonly session: ChatSession; readonly dispose: () => void } | undefined> {
    const { shown } = this.#page;
    const session = await shown.latest();
    if (session === undefined) return undefined;
    const { id, isUntouched } = session.conversation;
    // Empty conversations aren't in any list: this one has just replaced the visible one.
    const isNew = id === shown.begun || (isUntouched && shown.draft === '');
    if (conversationId === undefined || conversationId === id || (isNew && ids.length === 0)) {
      return { session, dispose: () => undefined };
    }
    return this.#deps.conversations.open(conversationId);
  }

  async #save(conversationId: string, text: string, version: number): Promise<void> {
    const isSaved = await this.#deps.store.saveDraft(conversationId, text);
    if (isSaved) this.#page.channel.post({ type: 'draftSaved', conversationId, version });
  }

  async #changeDraft(conversationId: string, change: (draft: string) => string): Promise<void> {
    const { shown } = this.#page;
    const isShown = shown.isShown(conversationId);
    const draft = change(isShown ? shown.draft : await this.#deps.store.draft(conversationId));
    if (shown.isShown(conversationId)) shown.draft = draft;
    await this.#deps.store.saveDraft(conversationId, draft);
  }

  #run(work: Promise<unknown>): void {
    work.catch(this.#deps.onUnexpected);
  }
}

function useIn(session: ChatSession, model: ModelRef): undefined {
  session.setOptions({ ...session.conversation.options, model });
}
