import type * as vscode from 'vscode';
import type { ChatSession } from '../../core/chat/chatSession.ts';
import { problemOfDamagedConversation } from '../../core/problems/conversationProblems.ts';
import type { SessionEvent } from '../../core/chat/sessionEvent.ts';
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
}

/** The conversation that a page shows, with the draft that belongs to it. */
export class ShownConversation implements vscode.Disposable {
  readonly #deps: ShownConversationDeps;
  readonly #onEvent: (event: SessionEvent) => void;
  readonly #slot = new DisposableSlot<OpenConversation>();
  draft = '';

  constructor(deps: ShownConversationDeps, onEvent: (event: SessionEvent) => void) {
    this.#deps = deps;
    this.#onEvent = onEvent;
  }

  get session(): ChatSession | undefined {
    return this.#slot.value?.session;
  }

  /**
   * Shows the conversation with this id in place of another, unless it is no longer wanted when it is there.
   *
   * @returns what is to be said about its file, when a part of it or of its draft could not be read
   */
  async open(id: string, isWanted: () => boolean): Promise<Problem | undefined> {
    if (this.session?.conversation.id === id) return undefined;
    const { conversations, store, attachments } = this.#deps;
    const [open, draft, problem] = await Promise.all([
      conversations.open(id),
      store.draft(id),
      attachments.drafts.load(id),
    ]);
    if (!isWanted() || this.session?.conversation.id === id) {
      open.dispose();
      return undefined;
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
    return open.damagedLines > 0 ? problemOfDamagedConversation(open.damagedLines) : problem;
  }

  close(): void {
    this.#slot.set(undefined);
    this.draft = '';
  }

  dispose(): void {
    this.#slot.dispose();
  }
}
