import * as vscode from 'vscode';
import type { ChatSession } from '../../core/chat/chatSession.ts';
import type { ModelCatalogue } from '../../core/models/modelCatalogue.ts';
import { problemOfUnreadableConversation } from '../../core/problems/conversationProblems.ts';
import type { ChatOptions } from '../../shared/chat.ts';
import type { ChatSnapshot, ConnectionView, ToHost, ToHostHandlers, ToPage } from '../../shared/chatProtocol.ts';
import type { Problem, ProblemActionKind } from '../../shared/problem.ts';
import { effectiveOptions } from '../../core/chat/chatRequest.ts';
import { PageAttachments } from '../attachments/pageAttachments.ts';
import { DisposableList } from '../platform/disposables.ts';
import { type PageLog, PagePort } from '../platform/pagePort.ts';
import { copyText, insertCode, openCode, openLink } from './codeActs.ts';
import { ChatActs, type ChatActsDeps } from './chatActs.ts';
import { messageFromPage } from './messageFromPage.ts';
import { MessageWindow, type MessageWindowDeps } from './messageWindow.ts';
import { PageChannel } from './pageChannel.ts';
import { PageOptions } from './pageOptions.ts';
import { PageQuestions } from './pageQuestions.ts';
import { SessionNews } from './sessionNews.ts';
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
  readonly pageLog: PageLog;
  /** The conversation, its title or its state changed: for the tab's name and the context keys. */
  readonly onDidChange: (page: ChatPage) => void;
}

/** One webview that shows one conversation at a time: intentions in, facts out. All state is here, none in the page. */
export class ChatPage implements vscode.Disposable {
  readonly #deps: ChatPageDeps;
  readonly #channel: PageChannel;
  readonly #acts: ChatActs;
  readonly #questions: PageQuestions;
  readonly #news: SessionNews;
  readonly #options: PageOptions;
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
    const port = new PagePort<ToPage, ToHost>(webview, deps.pageLog);
    this.#channel = new PageChannel(port);
    this.#acts = new ChatActs(deps, (id, text, problem) => this.#questions.refused(id, text, problem));
    this.#window = new MessageWindow(deps);
    this.#options = new PageOptions({
      conversations: deps.conversations,
      chatDefaults: deps.chatDefaults,
      connection: deps.connection,
      session: () => this.session,
      post: (fact) => this.#channel.post(fact),
    });
    this.#news = new SessionNews({
      channel: this.#channel,
      window: this.#window,
      session: () => this.session,
      catalogue: deps.catalogue,
      attachmentsChanged: () => this.#attachments.changed(),
      optionsChanged: () => this.#optionsChanged(),
      show: () => this.#run(this.#showCurrent()),
      changed: () => deps.onDidChange(this),
      onUnexpected: deps.onUnexpected,
    });
    this.#shown = this.#own.add(new ShownConversation(deps, (event) => this.#news.happened(event)));
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
    this.#questions = new PageQuestions(deps, {
      shown: this.#shown,
      acts: this.#acts,
      channel: this.#channel,
      latest: () => this.#latest(),
      chosen: (id, ids) => this.#attachments.chosen(id, ids),
      sent: (id, attachments) => this.#attachments.sent(id, attachments),
    });
    this.#handlers = this.#createHandlers();
    this.#own.add(port.onMessage(messageFromPage, (message) => this.#receive(message)));
    this.#own.add(deps.onDidChangeChatDefaults(() => this.#optionsChanged()));
    this.#own.add(deps.onDidChangeConnection(() => this.#run(this.#options.connectionChanged())));
    this.#own.add({ dispose: deps.catalogue.onDidChange(() => this.#news.catalogueChanged()) });
    const unsavedChanged = (id: string): void => {
      if (id === this.session?.conversation.id) this.#channel.post({ type: 'unsavedChanged', ...this.#unsaved });
    };
    this.#own.add({ dispose: deps.conversations.onDidChangeUnsaved(unsavedChanged) });
    this.#own.add({ dispose: () => this.#channel.pause() });
  }

  get conversationId(): string {
    return this.#id;
  }

  get session(): ChatSession | undefined {
    return this.#shown.session;
  }

  get #unsaved(): { readonly unsaved?: Problem } {
    const unsaved = this.#deps.conversations.unsaved(this.#id);
    return unsaved === undefined ? {} : { unsaved };
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
    const id = crypto.randomUUID();
    this.#questions.began(id);
    await this.show(id);
  }

  async #copy(text: string): Promise<void> {
    if (await copyText(text)) this.#channel.post({ type: 'copied' });
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
      ask: (message) => this.#run(this.#questions.ask(message)),
      stop: () => this.#run(this.session?.stop()),
      retry: ({ replyId }) => this.#run(this.#act((session) => this.#acts.retry(session, replyId))),
      resend: ({ messageId, text }) =>
        this.#run(this.#act((session) => this.#acts.resend(session, messageId, text), text)),
      deleteMessage: ({ messageId }) => this.#run(this.session?.removeMessage(messageId)),
      restoreMessages: ({ ids }) => this.#run(this.session?.restoreMessages(ids)),
      loadOlder: ({ beforeId }) => this.#news.olderWanted(beforeId),
      composing: () => this.#run(this.#deps.warm()),
      draftChanged: (message) => this.#questions.draftChanged(message),
      optionsChanged: ({ conversationId, options }) => this.#run(this.#options.set(conversationId, options)),
      ...this.#attachments.handlers,
      selectModel: () => this.#run(this.#selectModel()),
      copyText: ({ text }) => this.#run(this.#copy(text)),
      copyMessage: ({ messageId }) => {
        const message = this.session?.conversation.find(messageId);
        if (message !== undefined) this.#run(this.#copy(message.text));
      },
      insertCode: ({ text }) => this.#run(insertCode(text, this.#deps.attachments.editor())),
      openCode: ({ text, language }) => this.#run(openCode(text, language)),
      openLink: ({ href }) => this.#run(openLink(href)),
      runSuggestion: ({ id }) => this.#run(this.#suggest(id)),
      runAction: ({ action, replyId, model }) => this.#run(this.#runAction(action, replyId, model)),
    };
  }

  #receive(message: ToHost): void {
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
    const connection = await this.#deps.connection(this.#options.model);
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
      ...this.#unsaved,
    };
  }

  async #runAction(action: ProblemActionKind, replyId: string | undefined, model?: string): Promise<void> {
    switch (action) {
      case 'retry':
        return replyId === undefined ? undefined : this.#act((session) => this.#acts.retry(session, replyId));
      case 'continue':
        return this.#act((session) => this.#acts.askOwn(session, vscode.l10n.t('Continue exactly where you stopped.')));
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

  async #suggest(suggestionId: string): Promise<void> {
    const id = this.#id;
    const prompt = await suggestionPrompt(suggestionId);
    if (prompt !== undefined) this.#questions.addToDraft(id, prompt);
    this.focusComposer();
  }

  async #selectModel(): Promise<void> {
    await this.#act((session) => this.#acts.selectModel(session));
    this.focusComposer();
  }

  /** With the conversation that was shown when the person acted, whatever is shown when the act ends. */
  #act(run: (session: ChatSession) => Promise<void>, text = ''): Promise<void> {
    return this.#questions.attempt(this.session?.conversation.id, text, async () => {
      const session = this.session ?? (await this.#latest());
      if (session !== undefined) await run(session);
    });
  }

  #optionsChanged(): void {
    this.#run(this.#options.changed());
    this.#attachments.changed();
  }

  #run(work: Promise<void> | undefined): void {
    work?.catch(this.#deps.onUnexpected);
  }
}
