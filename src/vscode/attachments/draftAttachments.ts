import { problemOfTooManyAttachments, problemOfUnsavedAttachment } from '../../core/attachmentProblems.ts';
import type { Attachment } from '../../shared/attachment.ts';
import { maxAttachments } from '../../shared/messageLimits.ts';
import type { Problem } from '../../shared/problem.ts';
import type { AttachmentStore } from './attachmentStore.ts';

/** What was added to the drafts of this window's conversations: all its pages show the same. */
export class DraftAttachments {
  readonly #store: AttachmentStore;
  readonly #onError: (error: unknown) => void;
  readonly #drafts = new Map<string, readonly Attachment[]>();
  readonly #listeners = new Set<(conversationId: string) => void>();
  #writing: Promise<void> = Promise.resolve();

  constructor(deps: { readonly store: AttachmentStore; readonly onError: (error: unknown) => void }) {
    this.#store = deps.store;
    this.#onError = deps.onError;
  }

  /** @returns a function that ends the subscription. */
  onDidChange(listener: (conversationId: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** What was added to this conversation's draft, as far as it was loaded. */
  of(conversationId: string): readonly Attachment[] {
    return this.#drafts.get(conversationId) ?? [];
  }

  /** Settles when `of` knows what an earlier window left. */
  async load(conversationId: string): Promise<void> {
    if (this.#drafts.has(conversationId)) return;
    const { items } = await this.#store.draft(conversationId);
    // Something may have been added meanwhile.
    const added = this.of(conversationId).filter(({ id }) => items.every((item) => item.id !== id));
    this.#drafts.set(conversationId, [...items, ...added]);
  }

  /**
   * Keeps the content, then adds it. The same context taken again takes the place of the older one.
   *
   * @returns why it was not added
   */
  async add(
    conversationId: string,
    attachment: Attachment,
    content: string | Uint8Array,
  ): Promise<Problem | undefined> {
    await this.load(conversationId);
    try {
      await this.#store.save(conversationId, attachment, content);
    } catch (error) {
      this.#onError(error);
      return problemOfUnsavedAttachment(attachment.name, error instanceof Error ? error.message : String(error));
    }
    const items = this.of(conversationId);
    const same = items.findIndex((item) => isSameSource(item, attachment));
    if (same < 0 && items.length >= maxAttachments) return problemOfTooManyAttachments(maxAttachments);
    this.#set(conversationId, same < 0 ? [...items, attachment] : items.with(same, attachment));
    return undefined;
  }

  /** The content stays for a day: another window may be sending it. */
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

  /** Settles when all is on disk that was added and removed so far, or was reported. */
  async settled(): Promise<void> {
    await this.#writing;
  }

  #without(conversationId: string, ids: readonly string[]): void {
    const items = this.of(conversationId);
    const left = items.filter(({ id }) => !ids.includes(id));
    if (left.length < items.length) this.#set(conversationId, left);
  }

  #set(conversationId: string, items: readonly Attachment[]): void {
    this.#drafts.set(conversationId, items);
    this.#writing = this.#writing.then(() =>
      this.#store.saveDraft(conversationId, this.of(conversationId)).catch(this.#onError),
    );
    for (const listener of this.#listeners) listener(conversationId);
  }
}

function isSameSource(one: Attachment, other: Attachment): boolean {
  if (one.kind === 'picture' || other.kind === 'picture') return one.id === other.id;
  // Pieces of a terminal or of the clipboard have no place that would tell them apart.
  if (one.kind === 'terminal' || one.kind === 'clipboard') return false;
  return one.kind === other.kind && one.detail === other.detail;
}
