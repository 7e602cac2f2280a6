import { problemOfChangedAttachments } from '../../core/problems/attachmentProblems.ts';
import type { ChatSession } from '../../core/chat/chatSession.ts';
import type { Attachment } from '../../shared/attachment.ts';
import type { ToHost } from '../../shared/chatProtocol.ts';
import { joinedTexts } from '../../shared/joinedTexts.ts';
import type { Problem } from '../../shared/problem.ts';
import type { ChatActs } from './chatActs.ts';
import type { PageFact } from './pageChannel.ts';
import type { ShownConversation, ShownConversationDeps } from './shownConversation.ts';

export interface PageQuestionsDeps extends Pick<ShownConversationDeps, 'conversations' | 'store'> {
  readonly explainError: (error: unknown) => Problem;
  readonly onUnexpected: (error: unknown) => void;
}

/** What this needs of the page it belongs to. */
export interface QuestionsPage {
  readonly shown: Pick<ShownConversation, 'session' | 'draft'>;
  readonly acts: ChatActs;
  readonly channel: { readonly isOpen: boolean; post(fact: PageFact): void };
  /** The conversation that was called for last, once it is open; undefined when the page is gone. */
  readonly latest: () => Promise<ChatSession | undefined>;
  /** What goes with a message, of what the person saw beside it. */
  readonly chosen: (conversationId: string, ids: readonly string[]) => Promise<readonly Attachment[]>;
  readonly sent: (conversationId: string, attachments: readonly Attachment[]) => void;
}

type Ask = Extract<ToHost, { type: 'ask' }>;

interface Target {
  readonly session: ChatSession;
  readonly dispose: () => void;
}

/** Brings what a person typed on a page to its conversation, or back: it is nowhere for no moment. */
export class PageQuestions {
  readonly #deps: PageQuestionsDeps;
  readonly #page: QuestionsPage;
  /** The conversation that New Chat began last: what is typed ahead is for it. */
  #begun: string | undefined;

  constructor(deps: PageQuestionsDeps, page: QuestionsPage) {
    this.#deps = deps;
    this.#page = page;
  }

  /** New Chat was called for. */
  began(conversationId: string): void {
    this.#begun = conversationId;
  }

  draftChanged({ conversationId, text, version }: Extract<ToHost, { type: 'draftChanged' }>): void {
    // The page may still speak of the conversation it showed a moment ago.
    if (this.#isShown(conversationId)) this.#page.shown.draft = text;
    this.#run(this.#save(conversationId, text, version));
  }

  /** Puts a text below the draft, for the person to send. */
  addToDraft(conversationId: string, text: string): void {
    // A page tells of what it makes of it. One that shows another conversation, or is gone, cannot.
    if (this.#page.channel.isOpen && this.#isShown(conversationId)) {
      this.#page.channel.post({ type: 'draftAdded', text });
    } else this.#run(this.#changeDraft(conversationId, (draft) => joinedTexts(draft, text)));
  }

  /**
   * In the conversation that the person saw, whatever is called for meanwhile; but after New Chat in the new one.
   * The text stays the draft until it is a message.
   */
  ask({ conversationId, text, attachments: ids = [] }: Ask): Promise<void> {
    if (text.trim() === '' && ids.length === 0) return Promise.resolve();
    const { shown } = this.#page;
    if (conversationId !== undefined && this.#isShown(conversationId)) {
      shown.draft = text;
      // The beginning of it may be on disk, from a pause: the whole takes its place, to be forgotten whole.
      this.#run(this.#deps.store.saveDraft(conversationId, text));
    }
    return this.attempt(conversationId, text, async () => {
      const target = await this.#target(conversationId, ids);
      if (target === undefined) return;
      try {
        await this.#askIn(target.session, text, ids, conversationId);
      } finally {
        target.dispose();
      }
    });
  }

  async #askIn(session: ChatSession, text: string, ids: readonly string[], typedIn: string | undefined): Promise<void> {
    const { shown, acts } = this.#page;
    const { id } = session.conversation;
    if (id !== typedIn && this.#isShown(id) && shown.draft === '') shown.draft = text;
    const attachments = ids.length === 0 ? [] : await this.#page.chosen(id, ids);
    if (attachments.length !== ids.length) return this.refused(id, text, problemOfChangedAttachments());
    const recorded = (): void => {
      for (const each of new Set([id, typedIn ?? id])) {
        if (this.#isShown(each) && shown.draft === text) shown.draft = '';
        this.#run(this.#deps.store.forgetDraft(each, text));
      }
      this.#page.sent(id, attachments);
    };
    await acts.ask(session, text, recorded, attachments);
  }

  /** @param text what the act would take from the person if it failed */
  async attempt(conversationId: string | undefined, text: string, act: () => Promise<void>): Promise<void> {
    try {
      await act();
    } catch (error) {
      this.refused(conversationId ?? this.#page.shown.session?.conversation.id, text, this.#deps.explainError(error));
    }
  }

  /** Gives a text back: to the composer where the person still sees its conversation, else to its draft. */
  refused(conversationId: string | undefined, text: string, problem: Problem): void {
    const { channel } = this.#page;
    const isSeen = channel.isOpen && (conversationId === undefined || this.#isShown(conversationId));
    if (!isSeen && text !== '' && conversationId !== undefined) {
      this.#run(this.#changeDraft(conversationId, (draft) => joinedTexts(text, draft)));
    }
    channel.post({ type: 'askRefused', text: isSeen ? text : '', problem });
  }

  /** What goes with the message is of one conversation alone. */
  async #target(conversationId: string | undefined, ids: readonly string[]): Promise<Target | undefined> {
    const session = await this.#page.latest();
    if (session === undefined) return undefined;
    const { id, isUntouched } = session.conversation;
    // No list leads to one that is empty: it has just taken the place of what was shown.
    const isNew = id === this.#begun || (isUntouched && this.#page.shown.draft === '');
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
    const draft = change(this.#isShown(conversationId) ? shown.draft : await this.#deps.store.draft(conversationId));
    if (this.#isShown(conversationId)) shown.draft = draft;
    await this.#deps.store.saveDraft(conversationId, draft);
  }

  #isShown(conversationId: string): boolean {
    return this.#page.shown.session?.conversation.id === conversationId;
  }

  #run(work: Promise<unknown>): void {
    work.catch(this.#deps.onUnexpected);
  }
}
