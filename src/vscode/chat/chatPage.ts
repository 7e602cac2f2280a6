import * as vscode from 'vscode';
import type { ChatSession } from '../../core/chatSession.ts';
import type { ModelCatalogue } from '../../core/modelCatalogue.ts';
import { problemOfUnreadableConversation } from '../../core/conversationProblems.ts';
import type { SessionEvent } from '../../core/sessionEvent.ts';
import type { ChatOptions } from '../../shared/chat.ts';
import type { ChatSnapshot, ConnectionView, ToHostHandlers } from '../../shared/chatProtocol.ts';
import type { Problem, ProblemActionKind } from '../../shared/problem.ts';
import { effectiveOptions } from '../../core/chatRequest.ts';
import { PageAttachments } from '../attachments/pageAttachments.ts';
import { DisposableList } from '../disposables.ts';
import { copyText, insertCode, openCode, openLink } from './codeActs.ts';
import { ChatActs, type ChatActsDeps } from './chatActs.ts';
import { messageFromPage } from './messageFromPage.ts';
import { MessageWindow, type MessageWindowDeps } from './messageWindow.ts';
import { PageChannel } from './pageChannel.ts';
import { ShownConversation, type ShownConversationDeps } from './shownConversation.ts';
import { suggestionPrompt, suggestions } from './suggestions.ts';

/** What a chat page needs of the rest of the extension. */
export interface ChatPageDeps extends ChatActsDeps, MessageWindowDeps, ShownConversationDeps {
  readonly onDidChangeChatDefaults: vscode.Event<unknown>;
  readonly connection: (model: string | undefined) => Promise<ConnectionView>;
  readonly onDidChangeConnection: vscode.Event<unknown>;
  readonly catalogue: Pick<ModelCatalogue, 'index' | 'ensure' | 'onDidChange'>;
  /** Opens a connection ahead of a request. */
  readonly warm: () => Promise<void>;
  /** The actions of a problem card that concern more than this conversation. */
  readonly runAction: (action: ProblemActionKind) => Promise<void>;
  readonly onUnexpected: (error: unknown) => void;
  /** The conversation, its title or its state changed: for the tab's name and the context keys. */
  readonly onDidChange: (page: ChatPage) => void;
}

/** One webview that shows one conversation at a time: intentions in, facts out. All state is here, none in the page. */
export class ChatPage implements vscode.Disposable {
  readonly #deps: ChatPageDeps;
  readonly #channel: PageChannel;
  readonly #acts: ChatActs;
  readonly #window: MessageWindow;
  readonly #own = new DisposableList();
  readonly #shown: ShownConversation;
  readonly #attachments: PageAttachments;
  readonly #handlers: ToHostHandlers;
  #id: string;
  #wantsFocus = false;
  #shows = 0;

  constructor(webview: vscode.Webview, conversationId: string, deps: ChatPageDeps) {
    this.#deps = deps;
    this.#id = conversationId;
    this.#channel = new PageChannel(webview);
    this.#acts = new ChatActs(deps, (text, problem) => this.#channel.post({ type: 'askRefused', text, problem }));
    this.#window = new MessageWindow(deps);
    this.#shown = this.#own.add(new ShownConversation(deps, (event) => this.#happened(event)));
    this.#attachments = this.#own.add(
      new PageAttachments(deps.attachments, {
        webview,
        post: (fact) => this.#channel.post(fact),
        conversationId: () => this.#id,
        session: () => this.session,
        options: () => effectiveOptions(this.session?.conversation.options ?? {}, deps.chatDefaults()),
        focus: () => this.focusComposer(),
        onUnexpected: deps.onUnexpected,
      }),
    );
    this.#handlers = this.#createHandlers();
    this.#own.add(webview.onDidReceiveMessage((value) => this.#receive(value)));
    this.#own.add(deps.onDidChangeChatDefaults(() => this.#optionsChanged()));
    this.#own.add(deps.onDidChangeConnection(() => this.#run(this.#postConnection())));
    this.#own.add({ dispose: deps.catalogue.onDidChange(() => this.#catalogueChanged()) });
    this.#own.add({ dispose: () => this.#channel.pause() });
  }

  get conversationId(): string {
    return this.#id;
  }

  get session(): ChatSession | undefined {
    return this.#shown.session;
  }

  get title(): string {
    return this.session?.conversation.title ?? '';
  }

  /** Shows another conversation, or a new one when the id is new. */
  async show(conversationId: string): Promise<void> {
    this.#id = conversationId;
    await this.#showCurrent();
  }

  /** Shows a new conversation. One in which nothing has happened yet is new enough, and keeps its draft. */
  async startNew(): Promise<void> {
    // A page that is still loading may already hold what a person types: its conversation is looked at first.
    const shown = await this.#latest().catch(this.#deps.onUnexpected);
    if (shown?.conversation.isUntouched === true) return;
    await this.show(crypto.randomUUID());
  }

  focusComposer(): void {
    // A page that is still loading gets the focus when it is there.
    this.#wantsFocus = !this.#channel.isOpen;
    this.#channel.post({ type: 'composerFocused' });
  }

  /** Lets the person choose what to add to the message. */
  addContext(): Promise<void> {
    return this.#attachments.addContext();
  }

  /** Lets the person choose the model of this conversation. */
  selectModel(): Promise<void> {
    return this.#selectModel();
  }

  /** Takes this model for the conversation. */
  useModel(model: string): Promise<void> {
    return this.#act(async (session) => this.#acts.useModel(session, model));
  }

  /** Puts text in the composer for the person to send. */
  setDraft(text: string): void {
    this.#shown.draft = text;
    this.#channel.post({ type: 'draftSet', text });
    this.#run(this.#deps.store.saveDraft(this.#id, text));
  }

  /**
   * Asks something that was not typed here, so a draft stays as it is. Settles when it is asked or refused,
   * which the page shows; not when the reply has come.
   */
  async ask(text: string, options: ChatOptions): Promise<void> {
    const asked = Promise.withResolvers<void>();
    const done = this.#act(async (session) => {
      if (Object.keys(options).length > 0) session.setOptions({ ...session.conversation.options, ...options });
      await this.#acts.ask(session, text, asked.resolve);
    }, text);
    this.#run(done);
    await Promise.race([asked.promise, done]);
  }

  /** The page is hidden, which destroys it. */
  hidden(): void {
    this.#channel.pause();
  }

  dispose(): void {
    this.#own.dispose();
  }

  #createHandlers(): ToHostHandlers {
    return {
      ready: () => this.#run(this.#showCurrent()),
      ask: ({ text, attachments }) => this.#run(this.#ask(text, attachments)),
      stop: () => this.#run(this.session?.stop()),
      retry: ({ replyId }) => this.#run(this.#act((session) => this.#acts.retry(session, replyId))),
      resend: ({ messageId, text }) =>
        this.#run(this.#act((session) => this.#acts.resend(session, messageId, text), text)),
      deleteMessage: ({ messageId }) => this.#run(this.session?.removeMessage(messageId)),
      restoreMessages: ({ ids }) => this.#run(this.session?.restoreMessages(ids)),
      loadOlder: ({ beforeId }) => this.#loadOlder(beforeId),
      composing: () => this.#run(this.#deps.warm()),
      draftChanged: ({ conversationId, text }) => {
        // The page may still speak of the conversation it showed a moment ago.
        if (conversationId === this.#id) this.#shown.draft = text;
        this.#run(this.#deps.store.saveDraft(conversationId, text));
      },
      optionsChanged: ({ conversationId, options }) => this.#run(this.#setOptions(conversationId, options)),
      ...this.#attachments.handlers,
      selectModel: () => this.#run(this.#selectModel()),
      newChat: () => this.#run(this.startNew()),
      copyText: ({ text }) => this.#run(copyText(text)),
      copyMessage: ({ messageId }) => {
        const message = this.session?.conversation.find(messageId);
        if (message !== undefined) this.#run(copyText(message.text));
      },
      insertCode: ({ text }) => this.#run(insertCode(text)),
      openCode: ({ text, language }) => this.#run(openCode(text, language)),
      openLink: ({ href }) => this.#run(openLink(href)),
      runSuggestion: ({ id }) => {
        const prompt = suggestionPrompt(id);
        if (prompt !== undefined) this.setDraft(prompt);
        this.focusComposer();
      },
      runAction: ({ action, replyId, model }) => this.#run(this.#runAction(action, replyId, model)),
    };
  }

  #receive(value: unknown): void {
    const message = messageFromPage(value);
    if (message === undefined) return this.#deps.onUnexpected(new Error('A page sent a message outside the protocol'));
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the mapped type ties each tag to its handler, which TypeScript cannot see through the look-up
    (this.#handlers[message.type] as (message: unknown) => void)(message);
  }

  async #showCurrent(): Promise<void> {
    this.#shows += 1;
    const mine = this.#shows;
    let problem: Problem | undefined;
    try {
      problem = await this.#open();
    } catch (error) {
      this.#deps.onUnexpected(error);
      this.#shown.close();
      problem = problemOfUnreadableConversation(error instanceof Error ? error.message : String(error));
    }
    const snapshot = await this.#snapshot();
    if (mine !== this.#shows) return;
    this.#channel.start({ type: 'snapshot', snapshot });
    if (problem !== undefined) this.#channel.post({ type: 'askRefused', text: '', problem });
    if (this.#wantsFocus) this.focusComposer();
    this.#deps.onDidChange(this);
  }

  async #open(): Promise<Problem | undefined> {
    const id = this.#id;
    if (this.session?.conversation.id !== id) this.#window.reset();
    return this.#shown.open(id, () => id === this.#id);
  }

  /** The conversation that was called for last, also while it is being opened; undefined once the page is gone. */
  async #latest(): Promise<ChatSession | undefined> {
    for (;;) {
      const id = this.#id;
      await this.#open();
      if (id === this.#id) return this.session;
    }
  }

  async #snapshot(): Promise<ChatSnapshot> {
    const connection = await this.#deps.connection(this.#model());
    // Read after the wait, so that what came in between is in it.
    const session = this.session;
    return {
      conversationId: this.#id,
      title: this.title,
      ...(session === undefined ? { messages: [], hasOlder: false } : this.#window.newest(session)),
      options: session?.conversation.options ?? {},
      defaults: this.#deps.chatDefaults(),
      draft: this.#shown.draft,
      connection,
      suggestions: suggestions(),
      attachments: this.#attachments.view(),
    };
  }

  #happened(event: SessionEvent): void {
    const session = this.session;
    if (session === undefined) return;
    const { conversation } = session;
    switch (event.type) {
      case 'replyGrew': {
        const reply = conversation.reply(event.id);
        if (reply === undefined) return;
        const offset = reply[event.part].length - event.text.length;
        this.#channel.grow(event.id, event.part, offset, event.text);
        return;
      }
      case 'messageAdded': {
        const message = conversation.find(event.id);
        if (message === undefined) return;
        this.#channel.post({ type: 'messageAdded', message: this.#window.view(session, message) });
        break;
      }
      case 'replyChanged': {
        const reply = conversation.reply(event.id);
        if (reply === undefined) return;
        const change = this.#window.change(session, reply);
        // Only a list that is missing is asked for.
        if (reply.end?.failure?.kind === 'modelNotFound') this.#run(this.#deps.catalogue.ensure(Infinity));
        this.#channel.post({ type: 'replyChanged', replyId: event.id, change });
        this.#attachments.changed();
        break;
      }
      case 'messagesRemoved':
        this.#channel.post(event);
        this.#attachments.changed();
        break;
      case 'messagesRestored':
        this.#run(this.#showCurrent());
        break;
      case 'titleChanged':
        this.#channel.post({ type: 'titleChanged', title: conversation.title });
        break;
      case 'optionsChanged':
        this.#optionsChanged();
        break;
    }
    this.#deps.onDidChange(this);
  }

  #loadOlder(beforeId: string): void {
    const older = this.session === undefined ? undefined : this.#window.older(this.session, beforeId);
    if (older !== undefined) this.#channel.post({ type: 'olderMessages', ...older });
  }

  async #runAction(action: ProblemActionKind, replyId: string | undefined, model?: string): Promise<void> {
    switch (action) {
      case 'retry':
        return replyId === undefined ? undefined : this.#act((session) => this.#acts.retry(session, replyId));
      case 'continue':
        return this.#act((session) => this.#acts.ask(session, vscode.l10n.t('Continue exactly where you stopped.')));
      case 'selectModel':
        return this.#selectModel();
      case 'useModel':
        return this.#useOffered(model, replyId);
      case 'newChat':
        return this.startNew();
      case 'openParameters':
        return this.#channel.post({ type: 'parametersOpened' });
      default:
        return this.#deps.runAction(action);
    }
  }

  /** Asks again with a model that a problem offered. A page is not trusted to name any other. */
  #useOffered(model: string | undefined, replyId: string | undefined): Promise<void> {
    return this.#act(async (session) => {
      if (model === undefined || this.#deps.catalogue.index.find(model) === undefined) return;
      this.#acts.useModel(session, model);
      if (replyId !== undefined) await this.#acts.retry(session, replyId);
    });
  }

  /** The words about an unknown model name the closest ones, and those have just come. */
  #catalogueChanged(): void {
    const session = this.session;
    const last = session?.conversation.messages().at(-1);
    if (session === undefined || last?.role !== 'assistant' || last.end?.failure?.kind !== 'modelNotFound') return;
    this.#channel.post({ type: 'replyChanged', replyId: last.id, change: this.#window.change(session, last) });
  }

  async #selectModel(): Promise<void> {
    await this.#act((session) => this.#acts.selectModel(session));
    this.focusComposer();
  }

  /**
   * In the conversation that was called for last, also while it is being opened. The text stays the
   * draft until it is a message, so that it is nowhere for no moment.
   */
  #ask(text: string, attachmentIds: readonly string[] = []): Promise<void> {
    // The beginning of it may be on disk, from a pause: the whole takes its place, to be forgotten whole.
    const isShown = this.session?.conversation.id === this.#id;
    if (isShown) this.#run(this.#deps.store.saveDraft(this.#id, text));
    return this.#attempt(async () => {
      const session = await this.#latest();
      if (session === undefined) return;
      const { id } = session.conversation;
      this.#shown.draft = text;
      const attachments = attachmentIds.length === 0 ? [] : await this.#attachments.chosen(id, attachmentIds);
      const recorded = (): void => {
        if (this.#shown.draft === text) this.#shown.draft = '';
        this.#run(this.#deps.store.forgetDraft(id, text));
        this.#attachments.sent(id, attachments);
      };
      await this.#acts.ask(session, text, recorded, attachments);
    }, text);
  }

  /** With the conversation that was shown when the person acted, whatever is shown when the act ends. */
  #act(run: (session: ChatSession) => Promise<void>, text = ''): Promise<void> {
    return this.#attempt(async () => {
      const session = this.session ?? (await this.#latest());
      if (session !== undefined) await run(session);
    }, text);
  }

  async #attempt(act: () => Promise<void>, text: string): Promise<void> {
    try {
      await act();
    } catch (error) {
      this.#channel.post({ type: 'askRefused', text, problem: this.#deps.explainError(error) });
    }
  }

  async #setOptions(conversationId: string, options: ChatOptions): Promise<void> {
    if (this.session?.conversation.id === conversationId) return this.session.setOptions(options);
    const open = await this.#deps.conversations.open(conversationId);
    open.session.setOptions(options);
    open.dispose();
  }

  #optionsChanged(): void {
    const options = this.session?.conversation.options ?? {};
    this.#channel.post({ type: 'optionsChanged', options, defaults: this.#deps.chatDefaults() });
    this.#attachments.changed();
    // The model may be the first one, for which the connection has been waiting.
    this.#run(this.#postConnection());
  }

  async #postConnection(): Promise<void> {
    const connection = await this.#deps.connection(this.#model());
    this.#channel.post({ type: 'connectionChanged', connection });
  }

  #model(): string | undefined {
    return this.session === undefined ? this.#deps.chatDefaults().model : this.#acts.model(this.session);
  }

  #run(work: Promise<void> | undefined): void {
    work?.catch(this.#deps.onUnexpected);
  }
}
