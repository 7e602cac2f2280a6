import type { PageMemory } from './pageMemory.ts';

// More than a user has open at once, so that edits of deleted messages can't pile up.
const MOST_EDITS = 30;

/** Keeps texts that are being edited in the transcript, for when their message is drawn again. */
export class EditKeeper {
  readonly #memory: PageMemory;
  /** IDs of messages whose edit is being sent to the host. */
  readonly #sent = new Set<string>();

  constructor(memory: PageMemory) {
    this.#memory = memory;
  }

  /** @returns the text as it was left; undefined if the message isn't being edited. */
  textOf(messageId: string): string | undefined {
    if (this.#sent.has(messageId)) return undefined;
    return this.#memory.state.edits.find((edit) => edit.messageId === messageId)?.text;
  }

  changed(messageId: string, text: string): void {
    this.#memory.change({ edits: [...this.#others(messageId), { messageId, text }].slice(-MOST_EDITS) });
  }

  /** The edit was canceled. */
  ended(messageId: string): void {
    this.#memory.change({ edits: this.#others(messageId) });
  }

  /** The edit is being sent. It's kept until the host has replaced the message. */
  sent(messageId: string, text: string): void {
    this.changed(messageId, text);
    this.#sent.add(messageId);
  }

  /** Messages were replaced or deleted. Their edits stay, because messages can be restored. */
  removed(messageIds: readonly string[]): void {
    for (const id of messageIds) if (this.#sent.delete(id)) this.ended(id);
  }

  /** The host couldn't send the edit, so it goes on. */
  refused(messageId: string): void {
    this.#sent.delete(messageId);
  }

  #others(messageId: string): PageMemory['state']['edits'] {
    return this.#memory.state.edits.filter((edit) => edit.messageId !== messageId);
  }
}
