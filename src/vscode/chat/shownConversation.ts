import type * as vscode from 'vscode';
import { effectiveOptions } from '../../core/chat/chatRequest.ts';
import type { ChatSession } from '../../core/chat/chatSession.ts';
import { problemOfDamagedConversation } from '../../core/problems/conversationProblems.ts';
import type { SessionEvent } from '../../core/chat/sessionEvent.ts';
import type { ChatOptions } from '../../shared/chat.ts';
import type { ChatSnapshot } from '../../shared/protocol/chatProtocol.ts';
import type { Problem } from '../../shared/problem.ts';
import { DisposableSlot } from '../platform/disposables.ts';
import type { Attachments } from '../attachments/registerAttachments.ts';
import type { ConversationStore } from '../conversations/conversationStore.ts';
import type { OpenConversation, OpenConversations } from '../conversations/openConversations.ts';
import { type RepliesElsewhereDeps, watchRepliesElsewhere } from '../conversations/watchRepliesElsewhere.ts';

export interface ShownConversationDeps extends RepliesElsewhereDeps {
  readonly conversations: OpenConversations;
  readonly store: ConversationStore;
  readonly attachments: Attachments;
  readonly chatDefaults: () => ChatOptions;
}

/** What happens in a conversation, or to its draft in another page. */
export type ShownEvent = SessionEvent | { readonly type: 'draftReplaced' };

/** The conversation that a page shows, with its draft. */
export class ShownConversation implements vscode.Disposable {
  readonly #deps: ShownConversationDeps;
  readonly #slot = new DisposableSlot<OpenConversation>();
  /** The conversation to show. Until it's open, the page still shows another one. */
  id: string;
  draft = '';
  /** The last version from this page that became the draft: other pages might have changed it since. */
  draftVersion: number | undefined;
  /** What couldn't be read, of the conversation that was opened last. Undefined once the page has shown it. */
  problem: Problem | undefined;
  #begun: string | undefined;
  #onEvent: (event: ShownEvent) => void = () => undefined;
  readonly #unfollow: () => void;

  constructor(id: string, deps: ShownConversationDeps) {
    this.id = id;
    this.#deps = deps;
    this.#unfollow = deps.store.onDidChangeDraft((changedId, change) => {
      const draft = change(this.draft);
      // The page that changed it has it already.
      if (!this.isShown(changedId) || draft === this.draft) return;
      this.draft = draft;
      this.#onEvent({ type: 'draftReplaced' });
    });
  }

  /** @param listener called directly by the session, so that no token passes through another module */
  onEvent(listener: (event: ShownEvent) => void): void {
    this.#onEvent = listener;
  }

  /** The draft for a page that opens. */
  get draftView(): Pick<ChatSnapshot, 'draft' | 'draftVersion'> {
    const { draft, draftVersion } = this;
    return { draft, ...(draftVersion !== undefined && { draftVersion }) };
  }

  get session(): ChatSession | undefined {
    return this.#slot.value?.session;
  }

  /** The conversation that New Chat started last: text typed while it opens belongs to it. */
  get begun(): string | undefined {
    return this.#begun;
  }

  /** The options of the next request. */
  get options(): ChatOptions {
    return effectiveOptions(this.session?.conversation.options ?? {}, this.#deps.chatDefaults());
  }

  isShown(conversationId: string): boolean {
    return this.session?.conversation.id === conversationId;
  }

  /** Makes a new conversation the one to show. */
  begin(): void {
    this.#begun = crypto.randomUUID();
    this.id = this.#begun;
  }

  /**
   * Opens the conversation to show, unless another one is wanted by then: a new one if it was deleted, because what is
   * typed there would be deleted with it.
   */
  async open(): Promise<void> {
    const { id } = this;
    if (this.isShown(id)) return;
    const { conversations, store, attachments } = this.#deps;
    const [open, problem] = await Promise.all([conversations.open(id), attachments.drafts.load(id)]);
    // Last, because what another page changes from here on is followed.
    const draft = await store.draft(id);
    if (id !== this.id || this.isShown(id)) {
      open.dispose();
      return;
    }
    if (open.session.conversation.deletedAt !== undefined) {
      open.dispose();
      this.begin();
      return this.open();
    }
    const unsubscribe = open.session.onEvent(this.#onEvent);
    const unwatch = watchRepliesElsewhere(open.session, this.#deps, (replyId) =>
      this.#onEvent({ type: 'replyChanged', id: replyId }),
    );
    this.#slot.set({
      ...open,
      dispose: () => {
        unsubscribe();
        unwatch();
        open.dispose();
      },
    });
    this.draft = draft;
    this.problem = open.damagedLines > 0 ? problemOfDamagedConversation(open.damagedLines) : problem;
  }

  /** The conversation to show, once it's open; undefined if the page is gone. */
  async latest(): Promise<ChatSession | undefined> {
    for (;;) {
      const { id } = this;
      await this.open();
      if (id === this.id) return this.session;
    }
  }

  /** @param problem why it can't be opened */
  close(problem: Problem): void {
    this.#slot.set(undefined);
    this.draft = '';
    this.draftVersion = undefined;
    this.problem = problem;
  }

  dispose(): void {
    this.#unfollow();
    this.#slot.dispose();
  }
}
