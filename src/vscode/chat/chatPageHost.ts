import { type ModelRef, refParts } from '../../shared/modelRef.ts';
import * as vscode from 'vscode';
import type { ChatSession } from '../../core/chat/chatSession.ts';
import { problemOfUnreadableConversation } from '../../core/problems/conversationProblems.ts';
import { reasonOf } from '../../core/problems/reasonOf.ts';
import type { ChatOptions } from '../../shared/chat.ts';
import type {
  ChatSnapshot,
  PromptRow,
  SuggestionView,
  ToHost,
  ToHostHandlers,
  ToPage,
} from '../../shared/protocol/chatProtocol.ts';
import { handleMessage } from '../../shared/protocol/pageMessage.ts';
import { connectionActions, type Problem, type ProblemActionKind } from '../../shared/problem.ts';
import type { Attachments } from '../attachments/registerAttachments.ts';
import { DisposableList } from '../platform/disposables.ts';
import { type PageLog, PagePort } from '../platform/pages/pagePort.ts';
import type { Explainer } from '../problems/explainer.ts';
import { type CodeTarget, copyText, insertCode, openCode, openLink } from '../platform/codeActs.ts';
import { compareCode } from './compareCode.ts';
import { LoadedMessages, type LoadedMessagesDeps } from './loadedMessages.ts';
import { LongChat } from './longChat.ts';
import { chatMessageSchema } from './chatMessage.ts';
import { PageActs, type PageActsDeps } from './pageActs.ts';
import { PageAttachments } from './pageAttachments.ts';
import { PageChannel } from './pageChannel.ts';
import { PageModels, type PageModelsDeps } from './pageModels.ts';
import { PageNotes } from './pageNotes.ts';
import type { ReplyDocuments } from './replyDocuments.ts';
import { SessionNews, type SessionNewsDeps } from './sessionNews.ts';
import { ShownConversation, type ShownConversationDeps } from './shownConversation.ts';
import { isAboutCode, suggestions, suggestionWords } from './suggestions.ts';

/** The prompts that `/` lists in the message box. */
export interface PromptMenu {
  /** @param typed what follows the `/` */
  find(typed: string): Promise<readonly PromptRow[]>;
  /** Runs the prompt of a row of the last list, like its command does. @param into an open comparison to ask instead */
  run(row: string, into?: { readonly target: 'compare'; readonly comparison: string }): Promise<void>;
}

/** What a chat page needs from the rest of the extension. */
export interface ChatPageDeps
  extends PageActsDeps, PageModelsDeps, SessionNewsDeps, LoadedMessagesDeps, ShownConversationDeps {
  readonly models: PageModelsDeps['models'];
  readonly attachments: Attachments;
  readonly explainer: Explainer;
  readonly onDidChangeChatDefaults: vscode.Event<unknown>;
  readonly onDidChangeConnection: vscode.Event<unknown>;
  readonly replies: ReplyDocuments;
  readonly lastEditor: CodeTarget;
  readonly prompts: PromptMenu;
  /** Opens a connection before a request. */
  readonly warm: (model: ModelRef | undefined) => Promise<void>;
  /** The actions of a problem card that affect more than this conversation. */
  readonly runAction: (action: ProblemActionKind, service?: string) => Promise<void>;
  readonly pageLog: PageLog;
  /** For the keys of the chat. */
  readonly onFocusMoved: (page: ChatPageHost, isHere: boolean) => void;
  /** The conversation, its title, or its state changed: for the tab's name and the context keys. */
  readonly onDidChange: (page: ChatPageHost) => void;
}

/** These end with an input box or a dialog from VS Code. */
const asksInBox: ReadonlySet<ProblemActionKind> = new Set(connectionActions);

/** The host of one chat page, which shows one conversation at a time: intentions in, facts out. All state is here, none in the page. */
export class ChatPageHost implements vscode.Disposable {
  readonly acts: PageActs;
  readonly attachments: PageAttachments;
  readonly models: PageModels;
  readonly #deps: ChatPageDeps;
  readonly #own = new DisposableList();
  readonly #channel: PageChannel;
  readonly #shown: ShownConversation;
  readonly #loaded: LoadedMessages;
  readonly #news: SessionNews;
  readonly #long: LongChat;
  readonly #notes: PageNotes;
  readonly #handlers: ToHostHandlers;
  #shows = 0;

  /** @param notes of a place that outlives its page */
  constructor(webview: vscode.Webview, conversationId: string, deps: ChatPageDeps, notes?: PageNotes) {
    const { conversations } = deps;
    const { catalog } = deps.models;
    this.#deps = deps;
    const port = new PagePort<ToPage, ToHost>(webview, deps.pageLog);
    const channel = new PageChannel(port);
    const shown = this.#own.add(new ShownConversation(conversationId, deps));
    const loaded = new LoadedMessages(deps);
    const offerChanged = (): void => channel.post({ type: 'suggestionsChanged', suggestions: this.#suggestions });
    const attachments = this.#own.add(new PageAttachments(deps, { webview, channel, shown, offerChanged }));
    this.#channel = channel;
    this.#shown = shown;
    this.#loaded = loaded;
    this.attachments = attachments;
    this.#notes = notes ?? this.#own.add(new PageNotes());
    this.#news = new SessionNews(deps, {
      channel,
      shown,
      loaded,
      attachments,
      notes: this.#notes,
      restore: (id) => this.#run(this.restore(id)),
      showAgain: () => this.#run(this.#showCurrent()),
      show: (id) => this.show(id),
      changed: () => deps.onDidChange(this),
    });
    shown.onEvent(this.#news.happened);
    this.acts = new PageActs(deps, { channel, shown, attachments });
    this.models = this.#own.add(new PageModels(deps, { channel, shown, acts: this.acts }));
    this.#long = this.#own.add(new LongChat(deps, { channel, shown, show: (id) => this.show(id) }));
    this.#handlers = this.#createHandlers();
    this.#own.add(port.onMessage(chatMessageSchema, (message) => this.#receive(message)));
    this.#own.add(deps.onDidChangeChatDefaults(() => this.#news.optionsChanged()));
    this.#own.add(
      deps.onDidChangeConnection(() => {
        this.#run(this.#news.connectionChanged());
        this.#news.failureWordsChanged();
      }),
    );
    this.#own.add({ dispose: catalog.onDidChange(() => this.#news.failureWordsChanged('modelNotFound')) });
    const unsavedChanged = (id: string): void => {
      if (shown.isShown(id)) channel.post({ type: 'unsavedChanged', ...this.#unsaved });
    };
    this.#own.add({ dispose: conversations.onDidChangeUnsaved(unsavedChanged) });
    this.#own.add({ dispose: () => channel.pause() });
  }

  get conversationId(): string {
    return this.#shown.id;
  }

  get session(): ChatSession | undefined {
    return this.#shown.session;
  }

  get title(): string {
    return this.session?.conversation.title ?? '';
  }

  get #suggestions(): readonly SuggestionView[] {
    return suggestions(this.#deps.attachments.editor());
  }

  get #unsaved(): { readonly unsaved?: Problem } {
    const unsaved = this.#deps.conversations.unsaved(this.#shown.id);
    return unsaved === undefined ? {} : { unsaved };
  }

  /** Shows another conversation, or a new one if the ID is new. */
  async show(conversationId: string): Promise<void> {
    if (conversationId !== this.#shown.id) this.#long.close();
    this.#shown.id = conversationId;
    await this.#showCurrent();
  }

  /** Shows a new conversation. One in which nothing has happened yet counts as new and keeps its draft. */
  async startNew(): Promise<void> {
    // The user might already have typed into a page that is still loading, so its conversation comes first.
    const shown = await this.#shown.latest().catch(this.#deps.onUnexpected);
    if (shown?.conversation.isUntouched === true) return;
    this.#long.close();
    this.#shown.begin();
    await this.#showCurrent();
  }

  /** Shows a message in the page, with an Undo. @returns false if no page is open */
  sayDeleted(id: string, title: string): boolean {
    if (!this.#channel.isOpen) return false;
    this.#news.offerToRestore(id, title);
    return true;
  }

  /** Where messages are shown while the page is in view. */
  get notes(): PageNotes | undefined {
    return this.#channel.isOpen ? this.#notes : undefined;
  }

  /** Restores a deleted conversation, and shows it. */
  async restore(conversationId: string): Promise<void> {
    const open = await this.#deps.conversations.open(conversationId);
    open.session.undelete();
    open.dispose();
    await this.show(conversationId);
  }

  focusComposer(): void {
    this.#channel.postWhenOpen({ type: 'composerFocused' });
  }

  /** Goes to a message, in the version of the conversation that has it, and focuses the message box. */
  async reveal(messageId: string): Promise<void> {
    this.#showVersion(messageId);
    // Its snapshot reaches back to the message.
    await this.#showCurrent();
    this.#channel.postWhenOpen({ type: 'messageRevealed', id: messageId });
  }

  /** Asks something that wasn't typed here. Settles when it's accepted, or refused, which the page shows. */
  ask(text: string, options: ChatOptions): Promise<void> {
    this.#notes.asked();
    return this.acts.askUntyped(text, options);
  }

  /** The page is hidden, which destroys it. */
  hidden(): void {
    this.models.close();
    this.#deps.onFocusMoved(this, false);
    this.#channel.pause();
  }

  dispose(): void {
    this.#deps.onFocusMoved(this, false);
    this.#own.dispose();
  }

  #createHandlers(): ToHostHandlers {
    const acts = this.acts;
    return {
      ready: () => {
        this.#channel.arrived();
        return this.#showCurrent();
      },
      ask: (message) => {
        this.#notes.asked();
        return acts.ask(message);
      },
      stop: () => this.session?.stop(),
      retry: ({ replyId, model }) => acts.retry(replyId, model),
      compareReply: ({ replyId }) => acts.compareReply(replyId),
      offerRetry: ({ replyId }) => acts.offerRetry(replyId),
      showVersion: ({ messageId }) => this.#showVersion(messageId),
      resend: (message) => acts.resend(message),
      deleteMessage: ({ messageId }) => this.session?.removeMessage(messageId),
      loadOlder: ({ beforeId, throughId }) => this.#news.olderWanted(beforeId, throughId),
      find: ({ request, query, beforeId }) => this.#news.find(request, query, beforeId),
      composing: () =>
        this.#deps.warm(this.#shown.session?.conversation.options.model ?? this.#deps.chatDefaults().model),
      focusMoved: ({ isHere }) => this.#deps.onFocusMoved(this, isHere),
      draftChanged: (message) => acts.draftChanged(message),
      optionsChanged: (message) => acts.setOptions(message),
      ...this.attachments.handlers,
      ...this.#long.handlers,
      ...this.models.handlers,
      completePrompt: ({ request, typed }) => this.#listPrompts(request, typed),
      runPrompt: ({ row }) => this.#deps.prompts.run(row),
      copyText: ({ text }) => this.#copy(text),
      copyMessage: ({ messageId }) => this.#copy(this.session?.conversation.find(messageId)?.text),
      insertCode: ({ text }) => insertCode(text, this.#deps.lastEditor),
      compareCode: ({ text }) => compareCode(text, this.#deps.lastEditor, this.#deps.replies),
      openCode: ({ text, language }) => openCode(text, language),
      openLink: ({ href }) => openLink(href),
      runSuggestion: ({ id }) => this.#suggest(id),
      endNote: ({ id, button }) => this.#notes.ended(id, button),
      runAction: ({ action, replyId, service, model }) => this.#runAction(action, replyId, service, model),
    };
  }

  #receive(message: ToHost): void {
    const run = async (): Promise<void> => handleMessage(this.#handlers, message);
    this.#run(run());
  }

  async #showCurrent(): Promise<void> {
    this.#shows += 1;
    const mine = this.#shows;
    try {
      await this.#shown.open();
    } catch (error) {
      this.#deps.onUnexpected(error);
      this.#shown.close(problemOfUnreadableConversation(reasonOf(error)));
    }
    const snapshot = await this.#snapshot();
    if (mine !== this.#shows) return;
    const { problem } = this.#shown;
    const isShown = this.#channel.start({ type: 'snapshot', snapshot });
    if (isShown && problem !== undefined) {
      this.#shown.problem = undefined;
      this.#channel.post({ type: 'askRefused', text: '', problem });
    }
    this.#deps.onDidChange(this);
  }

  async #snapshot(): Promise<ChatSnapshot> {
    const connection = await this.#deps.connection(this.#shown.options.model);
    // Read after the wait, to include what arrived during it.
    const session = this.session;
    this.#notes.showing(this.#shown.id);
    return {
      conversationId: this.#shown.id,
      title: this.title,
      ...(session === undefined ? { messages: [], hasOlder: false } : this.#loaded.newest(session)),
      options: session?.conversation.options ?? {},
      defaults: this.#deps.chatDefaults(),
      ...this.#shown.draftView,
      connection,
      suggestions: this.#suggestions,
      attachments: this.attachments.view(),
      ...(session?.conversation.continues !== undefined && { continues: session.conversation.continues }),
      ...(this.#long.summary !== undefined && { summary: this.#long.summary }),
      ...this.#unsaved,
      ...(this.#notes.view.length > 0 && { notes: this.#notes.view }),
    };
  }

  async #runAction(
    action: ProblemActionKind,
    replyId: string | undefined,
    service: string | undefined,
    model: ModelRef | undefined,
  ): Promise<void> {
    switch (action) {
      case 'retry':
        return replyId === undefined ? undefined : this.acts.retry(replyId);
      case 'continue':
        return this.acts.askOwn(vscode.l10n.t('Continue exactly where you stopped.'));
      case 'selectModel':
        return this.models.open(replyId);
      case 'useModel':
        return this.acts.useOffered(model, replyId);
      case 'newChat':
        return this.startNew();
      case 'summarize':
        return this.#long.summarize();
      case 'leaveOutEarliest':
        return this.#long.leaveOut(replyId);
      case 'openParameters':
        return this.#channel.post({ type: 'parametersOpened' });
      default:
        await this.#deps.runAction(action, service ?? this.#serviceAskedBy(replyId));
        // VS Code's box doesn't return the focus to a page.
        if (asksInBox.has(action)) this.#channel.postWhenOpen({ type: 'stepDone' });
    }
  }

  /** ID of the service that a card is about: of its reply, or of what would be asked next. */
  #serviceAskedBy(replyId: string | undefined): string | undefined {
    const conversation = this.#shown.session?.conversation;
    const message = replyId === undefined ? undefined : conversation?.find(replyId);
    const asked = message?.role === 'assistant' ? message.model : undefined;
    const model = asked ?? conversation?.options.model ?? this.#deps.chatDefaults().model;
    return model === undefined ? undefined : refParts(model).service;
  }

  #showVersion(messageId: string): void {
    const { session } = this;
    if (session !== undefined) this.#loaded.showVersion(session, messageId);
  }

  async #listPrompts(request: number, typed: string): Promise<void> {
    this.#channel.post({ type: 'promptRows', request, rows: await this.#deps.prompts.find(typed) });
  }

  async #copy(text: string | undefined): Promise<void> {
    if (text !== undefined && (await copyText(text))) this.#channel.post({ type: 'copied' });
  }

  async #suggest(suggestionId: string): Promise<void> {
    const { id } = this.#shown;
    const words = suggestionWords(suggestionId);
    if (words !== undefined) this.acts.addToDraft(id, words);
    if (isAboutCode(suggestionId)) await this.attachments.addSuggested();
    else this.focusComposer();
  }

  #run(work: Promise<void> | undefined): void {
    work?.catch(this.#deps.onUnexpected);
  }
}
