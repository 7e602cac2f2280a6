import * as vscode from 'vscode';
import { contextBlock } from '../../core/chat/contextBlock.ts';
import { conversationTokens, tokensThatDidNotFit } from '../../core/chat/conversationTokens.ts';
import { lineThatFits, movedLine } from '../../core/chat/sentMessages.ts';
import type { SummaryView, ToHost, ToHostHandlers } from '../../shared/protocol/chatProtocol.ts';
import { estimatedTokens, roomIn } from '../../words/tokens.ts';
import type { Attachments } from '../attachments/registerAttachments.ts';
import type { ConversationStore } from '../conversations/conversationStore.ts';
import type { OpenConversations } from '../conversations/openConversations.ts';
import { plainWindow } from '../platform/plainWindow.ts';
import { nextRequest, type NextRequestDeps } from './nextRequest.ts';
import type { PageChannel } from './pageChannel.ts';
import type { ShownConversation } from './shownConversation.ts';

type Handled =
  | 'sendFrom'
  | 'moveSentFrom'
  | 'leaveOutEarliest'
  | 'summarize'
  | 'stopSummary'
  | 'summaryEdited'
  | 'useSummary'
  | 'openContinued';

export interface LongChatDeps extends NextRequestDeps {
  readonly conversations: OpenConversations;
  readonly store: Pick<ConversationStore, 'list'>;
  readonly attachments: Attachments;
}

/** The page that shows the long conversation. */
export interface LongChatPage {
  readonly channel: Pick<PageChannel, 'post' | 'postWhenOpen'>;
  readonly shown: Pick<ShownConversation, 'session' | 'options'>;
  readonly show: (conversationId: string) => Promise<void>;
}

/** How often the page is updated while a summary is being written, in milliseconds. */
const TELL_MS = 100;

/** What a user does about a conversation that gets too long for its model: leave out its beginning, or summarize it. */
export class LongChat implements vscode.Disposable {
  readonly #deps: LongChatDeps;
  readonly #page: LongChatPage;
  #writing: AbortController | undefined;
  #summary: SummaryView | undefined;

  constructor(deps: LongChatDeps, page: LongChatPage) {
    this.#deps = deps;
    this.#page = page;
  }

  readonly handlers: Pick<ToHostHandlers, Handled> = {
    sendFrom: ({ messageId }) => this.#page.shown.session?.sendFrom(messageId),
    moveSentFrom: ({ step }) => this.#move(step),
    leaveOutEarliest: () => this.leaveOut(),
    summarize: () => this.summarize(),
    stopSummary: () => this.close(),
    summaryEdited: ({ text }) => {
      // This page has it already. It's for the next page, after this one is hidden.
      if (this.#summary?.state === 'ready') this.#summary = { ...this.#summary, text };
    },
    useSummary: (message) => this.#use(message),
    openContinued: () => this.#openContinued(),
  };

  /** What the page shows of a summary, for a snapshot. */
  get summary(): SummaryView | undefined {
    return this.#summary;
  }

  /** Called when another conversation is shown, or the user discards the summary. */
  close(): void {
    this.#writing?.abort();
    this.#writing = undefined;
    if (this.#summary !== undefined) this.#tell(undefined);
  }

  dispose(): void {
    this.#writing?.abort();
  }

  #move(step: -1 | 1): void {
    const { session } = this.#page.shown;
    if (session === undefined) return;
    const { conversation } = session;
    const line = movedLine(conversation.messages(), conversation.sentFrom?.id, step);
    if (line !== undefined) session.sendFrom(line);
  }

  /**
   * Leaves out enough of the earliest messages: what's left is at most half of the context window, or of the conversation
   * while the window isn't known.
   * @param replyId the one whose request didn't fit: then at most half of that request too, or what the service counted
   */
  leaveOut(replyId?: string): void {
    const { session, options } = this.#page.shown;
    if (session === undefined) return;
    const { conversation } = session;
    const { model, maxTokens, systemPrompt = '' } = options;
    const window = model === undefined ? undefined : this.#deps.attachments.models.contextWindowOf(model);
    const reply = replyId === undefined ? undefined : conversation.reply(replyId);
    const tooMuch = reply === undefined ? undefined : tokensThatDidNotFit(reply, conversation, systemPrompt);
    const room = window === undefined ? undefined : roomIn(window, maxTokens);
    const most = Math.min(room ?? Infinity, tooMuch ?? room ?? conversationTokens(conversation, systemPrompt));
    const line = lineThatFits(conversation, most, systemPrompt);
    if (line !== undefined) session.sendFrom(line);
  }

  async summarize(): Promise<void> {
    const { session } = this.#page.shown;
    if (session === undefined || this.#writing !== undefined) return;
    const writing = new AbortController();
    this.#writing = writing;
    let text = '';
    const tell = (view: SummaryView): void => {
      if (this.#writing === writing) this.#tell(view);
    };
    tell({ state: 'writing', text });
    try {
      const next = await nextRequest(session, [], this.#deps);
      if ('refused' in next) return tell({ state: 'failed', text, problem: next.refused });
      let toldAt = 0;
      const stop = () => {
        if (this.#writing === writing) this.close();
      };
      for await (const view of session.summarize(next.model, next.options, writing.signal, stop)) {
        ({ text } = view);
        if (view.state === 'writing' && Date.now() - toldAt < TELL_MS) continue;
        toldAt = Date.now();
        tell(view);
      }
    } catch (error) {
      if (!writing.signal.aborted) tell({ state: 'failed', text, problem: this.#deps.explainer.problemOfError(error) });
    } finally {
      if (this.#writing === writing) this.#writing = undefined;
    }
  }

  #tell(summary: SummaryView | undefined): void {
    this.#summary = summary;
    this.#page.channel.post({ type: 'summaryChanged', ...(summary !== undefined && { summary }) });
  }

  /** The summary is attached to the new chat's first message, and its chip lets the user read and remove it. */
  async #use({ text }: Extract<ToHost, { type: 'useSummary' }>): Promise<void> {
    const { session } = this.#page.shown;
    if (session === undefined || text.trim() === '') return;
    const { conversation } = session;
    const { title } = conversation;
    const id = crypto.randomUUID();
    const name = vscode.l10n.t('Summary');
    const detail = vscode.l10n.t('Summary of {0}', title);
    const block = contextBlock({ heading: `Summary: ${title}`, language: 'markdown', text });
    const facts = { kind: 'summary', name, detail, id: crypto.randomUUID() } as const;
    const kept = { ...facts, tokens: estimatedTokens(block.length), at: Date.now() };
    const problem = await this.#deps.attachments.drafts.add(id, kept, block);
    if (problem !== undefined) {
      // The card stays, with the summary as the user edited it.
      this.#tell({ ...this.#summary, state: 'ready', text });
      this.#page.channel.postWhenOpen({ type: 'askRefused', text: '', problem });
      return;
    }
    this.close();
    const open = await this.#deps.conversations.open(id);
    open.session.continueFrom({ id: conversation.id, title });
    open.session.setOptions(conversation.options);
    open.dispose();
    await this.#page.show(id);
    this.#page.channel.postWhenOpen({ type: 'composerFocused' });
  }

  async #openContinued(): Promise<void> {
    const continued = this.#page.shown.session?.conversation.continues;
    if (continued === undefined) return;
    const { id, title } = continued;
    // Text that is written in a deleted conversation would be lost when that is permanently deleted.
    if ((await this.#deps.store.list()).some((listed) => listed.id === id)) return this.#page.show(id);
    void plainWindow.showInformationMessage(vscode.l10n.t('"{0}" no longer exists.', title));
  }
}
