import { ChangeEvent } from '../../core/changeEvent.ts';
import {
  problemOfDamagedDraft,
  problemOfTooManyAttachments,
  problemOfUnsavedAttachment,
} from '../../core/problems/attachmentProblems.ts';
import { reasonOf } from '../../core/problems/reasonOf.ts';
import type { Attachment } from '../../shared/attachment.ts';
import { maxAttachments } from '../../shared/messageLimits.ts';
import type { Problem } from '../../shared/problem.ts';
import { Queue } from '../disk/queue.ts';
import { Saver } from '../disk/saver.ts';
import type { ContextSnapshot } from './contextSnapshot.ts';
import type { AttachmentStore } from './attachmentStore.ts';

/** A change to a list, which another window might have changed in the meantime. */
type Change = (items: readonly Attachment[]) => readonly Attachment[];

interface Draft {
  readonly items: readonly Attachment[];
  /** What isn't on disk yet, in order. */
  readonly unsaved: readonly Change[];
}

const nothing: Draft = { items: [], unsaved: [] };

/**
 * The attachments of drafts in this window, shared by all its pages. Another window can show the same conversation, so
 * a change is made to what is on disk, not to what this window last saw.
 */
export class DraftAttachments {
  readonly #store: AttachmentStore;
  readonly #onError: (error: unknown) => void;
  readonly #drafts = new Map<string, Draft>();
  readonly #changed = new ChangeEvent<[conversationId: string]>();
  readonly #queue = new Queue();
  readonly #saver: Saver;

  constructor(deps: { readonly store: AttachmentStore; readonly onError: (error: unknown) => void }) {
    this.#store = deps.store;
    this.#onError = deps.onError;
    this.#saver = new Saver({ save: () => this.#saveAll(), onError: deps.onError, queue: this.#queue });
  }

  /** @returns a function that ends the subscription. */
  readonly onDidChange = this.#changed.listen;

  /** The attachments of this conversation's draft, as far as they're loaded. */
  of(conversationId: string): readonly Attachment[] {
    return this.#draft(conversationId).items;
  }

  /**
   * Settles when `of` includes what other windows have saved.
   * @returns what to tell the user about the list, if part of it couldn't be read
   */
  load(conversationId: string): Promise<Problem | undefined> {
    return this.#queue.run(async () => {
      const { items, isDamaged } = await this.#store.draft(conversationId);
      this.#shown(conversationId, items);
      return isDamaged ? problemOfDamagedDraft() : undefined;
    });
  }

  /**
   * Stores the content, then adds it. The same context read again replaces the older one, unless it's unplaced.
   * @returns why it wasn't added
   */
  async add(
    conversationId: string,
    attachment: Attachment,
    content: string | Uint8Array,
    { isUnplaced }: Pick<ContextSnapshot, 'isUnplaced'> = {},
  ): Promise<Problem | undefined> {
    const change: Change = (items) => withAdded(items, attachment, isUnplaced);
    try {
      await this.#store.save(conversationId, attachment, content);
    } catch (error) {
      this.#onError(error);
      return problemOfUnsavedAttachment(attachment.name, reasonOf(error));
    }
    await this.load(conversationId);
    if (change(this.of(conversationId)).length > maxAttachments) return problemOfTooManyAttachments(maxAttachments);
    this.#change(conversationId, change);
    await this.#saver.save();
    return undefined;
  }

  /** The content stays for a day, because another window might be sending it. */
  remove(conversationId: string, id: string): void {
    this.#without(conversationId, [id]);
  }

  /** These belong to a message now. */
  sent(conversationId: string, attachments: readonly Attachment[]): void {
    this.#without(
      conversationId,
      attachments.map(({ id }) => id),
    );
  }

  /** Settles when all changes so far are on disk, or were reported. */
  async settled(): Promise<void> {
    if ([...this.#drafts.values()].some(({ unsaved }) => unsaved.length > 0)) await this.#saver.save();
    await this.#queue.settled();
  }

  #without(conversationId: string, ids: readonly string[]): void {
    const without: Change = (items) => items.filter(({ id }) => !ids.includes(id));
    const items = this.of(conversationId);
    if (without(items).length === items.length) return;
    this.#change(conversationId, without);
    void this.#saver.save();
  }

  /** Visible at once, and to be saved. */
  #change(conversationId: string, change: Change): void {
    const { items, unsaved } = this.#draft(conversationId);
    this.#set(conversationId, { items: change(items), unsaved: [...unsaved, change] });
  }

  /** A failure for one conversation doesn't prevent the others from being saved. */
  async #saveAll(): Promise<void> {
    const errors: unknown[] = [];
    for (const [id, { unsaved }] of this.#drafts) {
      if (unsaved.length > 0) await this.#saveOne(id, unsaved).catch((error: unknown) => errors.push(error));
    }
    if (errors.length > 0) throw errors[0];
  }

  async #saveOne(conversationId: string, changes: readonly Change[]): Promise<void> {
    const items = await this.#store.changeDraft(conversationId, (kept) => applied(changes, kept));
    const unsaved = this.#draft(conversationId).unsaved.slice(changes.length);
    this.#set(conversationId, { items: applied(unsaved, items), unsaved });
  }

  /** What is on disk, with this window's unsaved changes. */
  #shown(conversationId: string, kept: readonly Attachment[]): void {
    const { unsaved } = this.#draft(conversationId);
    this.#set(conversationId, { items: applied(unsaved, kept), unsaved });
  }

  #draft(conversationId: string): Draft {
    return this.#drafts.get(conversationId) ?? nothing;
  }

  #set(conversationId: string, draft: Draft): void {
    const before = this.of(conversationId);
    this.#drafts.set(conversationId, draft);
    const isSame = before.length === draft.items.length && before.every(({ id }, at) => id === draft.items[at]?.id);
    if (!isSame) this.#changed.fire(conversationId);
  }
}

function applied(changes: readonly Change[], items: readonly Attachment[]): readonly Attachment[] {
  return changes.reduce((list, change) => change(list), items);
}

/** Replaces an earlier attachment from the same place. */
function withAdded(items: readonly Attachment[], attachment: Attachment, isUnplaced = false): readonly Attachment[] {
  const same = items.findIndex((item) => item.id === attachment.id || (!isUnplaced && isSameSource(item, attachment)));
  return same < 0 ? [...items, attachment] : items.with(same, attachment);
}

function isSameSource(one: Attachment, other: Attachment): boolean {
  if (one.kind === 'picture' || other.kind === 'picture') return one.id === other.id;
  // Pieces from a terminal or the clipboard have no place that distinguishes them.
  if (one.kind === 'terminal' || one.kind === 'clipboard') return false;
  return one.kind === other.kind && one.detail === other.detail;
}
