import * as vscode from 'vscode';
import type { ChatSession, SessionEvent } from '../../core/chatSession.ts';
import type { Reply } from '../../core/conversation.ts';
import type { ApiFailure } from '../../shared/apiFailure.ts';
import type { ChatSnapshot, ConnectionView, ToHostHandlers } from '../../shared/chatProtocol.ts';
import type { Problem, ProblemActionKind } from '../../shared/problem.ts';
import { DisposableList, DisposableSlot } from '../disposables.ts';
import { copyText, insertCode, openCode, openLink } from './codeActs.ts';
import { ChatActs, type ChatActsDeps } from './chatActs.ts';
import { messageFromPage } from './messageFromPage.ts';
import { type MessageContext, messageView, replyChange } from './messageView.ts';
import type { OpenConversation, OpenConversations } from './openConversations.ts';
import { PageChannel } from './pageChannel.ts';
import { suggestionPrompt, suggestions } from './suggestions.ts';

const PAGE_SIZE = 30;

/** What a chat page needs of the rest of the extension. */
export interface ChatPageDeps extends ChatActsDeps {
  readonly conversations: OpenConversations;
  /** This window, as it is named in the files. */
  readonly writer: string;
  readonly onDidChangeChatDefaults: vscode.Event<unknown>;
  readonly connection: (model: string | undefined) => Promise<ConnectionView>;
  readonly onDidChangeConnection: vscode.Event<unknown>;
  /** The failure in words; with the reply it ended, where there is one. */
  readonly explain: (failure: ApiFailure, reply?: Reply) => Problem;
  /** The actions of a problem card that concern more than this conversation. */
  readonly runAction: (action: ProblemActionKind) => Promise<void>;
  readonly isAlive: (reply: Reply, lastRecordAt: number) => boolean;
  readonly onUnexpected: (error: unknown) => void;
  /** The conversation, its title or its state changed: for the tab's name and the context keys. */
  readonly onDidChange: (page: ChatPage) => void;
}

/** One webview that shows one conversation at a time: intentions in, facts out. All state is here, none in the page. */
export class ChatPage implements vscode.Disposable {
  readonly #deps: ChatPageDeps;
  readonly #channel: PageChannel;
  readonly #acts: ChatActs;
  readonly #own = new DisposableList();
  readonly #open = this.#own.add(new DisposableSlot<OpenConversation>());
  readonly #handlers: ToHostHandlers;
  #id: string;
  #draft = '';
  #shows = 0;

  constructor(webview: vscode.Webview, conversationId: string, deps: ChatPageDeps) {
    this.#deps = deps;
    this.#id = conversationId;
    this.#channel = new PageChannel(webview);
    this.#acts = new ChatActs(deps, (text, problem) => this.#channel.post({ type: 'askRefused', text, problem }));
    this.#handlers = this.#createHandlers();
    this.#own.add(webview.onDidReceiveMessage((value) => this.#receive(value)));
    this.#own.add(
      deps.onDidChangeChatDefaults(() => {
        this.#optionsChanged();
        // The first model may have come.
        this.#run(this.#postConnection());
      }),
    );
    this.#own.add(deps.onDidChangeConnection(() => this.#run(this.#postConnection())));
    this.#own.add({ dispose: () => this.#channel.pause() });
  }

  get conversationId(): string {
    return this.#id;
  }

  get session(): ChatSession | undefined {
    return this.#open.value?.session;
  }

  get title(): string {
    return this.session?.conversation.title ?? '';
  }

  /** Shows another conversation, or a new one when the id is new. */
  async show(conversationId: string): Promise<void> {
    this.#id = conversationId;
    await this.#showCurrent();
  }

  focusComposer(): void {
    this.#channel.post({ type: 'composerFocused' });
  }

  /** Puts text in the composer for the person to send. */
  setDraft(text: string): void {
    this.#draft = text;
    this.#channel.post({ type: 'draftSet', text });
    this.#run(this.#deps.store.saveDraft(this.#id, text));
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
      ask: ({ text }) => {
        this.#draft = '';
        this.#run(this.#act((session) => this.#acts.ask(session, text)));
      },
      stop: () => this.#run(this.session?.stop()),
      retry: ({ replyId }) => this.#run(this.#act((session) => this.#acts.retry(session, replyId))),
      resend: ({ messageId, text }) => this.#run(this.#act((session) => this.#acts.resend(session, messageId, text))),
      deleteMessage: ({ messageId }) => this.#run(this.session?.removeMessage(messageId)),
      restoreMessages: ({ ids }) => this.session?.restoreMessages(ids),
      loadOlder: ({ beforeId }) => this.#loadOlder(beforeId),
      draftChanged: ({ text }) => {
        this.#draft = text;
        this.#run(this.#deps.store.saveDraft(this.#id, text));
      },
      optionsChanged: ({ options }) => this.session?.setOptions(options),
      selectModel: () => this.#run(this.#selectModel()),
      newChat: () => this.#run(this.show(crypto.randomUUID())),
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
      runAction: ({ action, replyId }) => this.#run(this.#runAction(action, replyId)),
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
    if (this.session?.conversation.id !== this.#id) {
      const [open, draft] = await Promise.all([
        this.#deps.conversations.open(this.#id),
        this.#deps.store.draft(this.#id),
      ]);
      if (mine !== this.#shows) return open.dispose();
      const unsubscribe = open.session.onEvent((event) => this.#happened(event));
      this.#open.set({
        ...open,
        dispose: () => {
          unsubscribe();
          open.dispose();
        },
      });
      this.#draft = draft;
    }
    const snapshot = await this.#snapshot();
    if (mine !== this.#shows || snapshot === undefined) return;
    this.#channel.start({ type: 'snapshot', snapshot });
    this.#deps.onDidChange(this);
  }

  async #snapshot(): Promise<ChatSnapshot | undefined> {
    const connection = await this.#deps.connection(this.#model());
    // Read after the wait, so that what came in between is in it.
    const session = this.session;
    if (session === undefined) return undefined;
    const { conversation } = session;
    const messages = conversation.messages();
    return {
      conversationId: conversation.id,
      title: conversation.title,
      messages: messages.slice(-PAGE_SIZE).map((message) => messageView(message, this.#context(session))),
      hasOlder: messages.length > PAGE_SIZE,
      options: conversation.options,
      defaults: this.#deps.chatDefaults(),
      draft: this.#draft,
      connection,
      suggestions: suggestions(),
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
        this.#channel.post({ type: 'messageAdded', message: messageView(message, this.#context(session)) });
        break;
      }
      case 'replyChanged': {
        const reply = conversation.reply(event.id);
        if (reply === undefined) return;
        const change = replyChange(reply, this.#context(session));
        this.#channel.post({ type: 'replyChanged', replyId: event.id, change });
        break;
      }
      case 'messagesRemoved':
        this.#channel.post(event);
        break;
      case 'messagesRestored':
        this.#run(this.#showCurrent());
        break;
      case 'titleChanged':
        this.#channel.post({ type: 'titleChanged', title: conversation.title });
        break;
      case 'optionsChanged':
        this.#optionsChanged();
        this.#run(this.#postConnection());
        break;
    }
    this.#deps.onDidChange(this);
  }

  #loadOlder(beforeId: string): void {
    const session = this.session;
    if (session === undefined) return;
    const messages = session.conversation.messages();
    const end = messages.findIndex((message) => message.id === beforeId);
    if (end < 0) return;
    const start = Math.max(0, end - PAGE_SIZE);
    const older = messages.slice(start, end).map((message) => messageView(message, this.#context(session)));
    this.#channel.post({ type: 'olderMessages', messages: older, hasOlder: start > 0 });
  }

  async #runAction(action: ProblemActionKind, replyId: string | undefined): Promise<void> {
    switch (action) {
      case 'retry':
        return replyId === undefined ? undefined : this.#act((session) => this.#acts.retry(session, replyId));
      case 'continue':
        return this.#act((session) => this.#acts.ask(session, vscode.l10n.t('Continue exactly where you stopped.')));
      case 'selectModel':
        return this.#selectModel();
      case 'newChat':
        return this.show(crypto.randomUUID());
      case 'openParameters':
        return this.#channel.post({ type: 'parametersOpened' });
      default:
        return this.#deps.runAction(action);
    }
  }

  async #selectModel(): Promise<void> {
    await this.#act((session) => this.#acts.selectModel(session));
    this.focusComposer();
  }

  /** With the conversation that was shown when the person acted, whatever is shown when the act ends. */
  async #act(run: (session: ChatSession) => Promise<void>): Promise<void> {
    if (this.session === undefined) await this.#showCurrent();
    if (this.session !== undefined) await run(this.session);
  }

  #optionsChanged(): void {
    const options = this.session?.conversation.options ?? {};
    this.#channel.post({ type: 'optionsChanged', options, defaults: this.#deps.chatDefaults() });
  }

  async #postConnection(): Promise<void> {
    const connection = await this.#deps.connection(this.#model());
    this.#channel.post({ type: 'connectionChanged', connection });
  }

  #model(): string | undefined {
    return this.session === undefined ? this.#deps.chatDefaults().model : this.#acts.model(this.session);
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

  #run(work: Promise<void> | undefined): void {
    work?.catch(this.#deps.onUnexpected);
  }
}
