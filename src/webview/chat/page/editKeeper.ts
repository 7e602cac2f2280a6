import type { PageMemory } from './pageMemory.ts';

// More than a person has open at once: what is left behind by messages that are gone must not grow for ever.
const MOST_EDITS = 30;

/** Keeps what is being edited in the transcript, for the time when its message is drawn again. */
export class EditKeeper {
  readonly #memory: PageMemory;
  /** Ids of messages whose edit is on its way to the host. */
  readonly #sent = new Set<string>();

  constructor(memory: PageMemory) {
    this.#memory = memory;
  }

  /** @returns the text as it was left; undefined when the message is not being edited. */
  textOf(messageId: string): string | undefined {
    if (this.#sent.has(messageId)) return undefined;
    return this.#memory.state.edits.find((edit) => edit.messageId === messageId)?.text;
  }

  changed(messageId: string, text: string): void {
    this.#memory.change({ edits: [...this.#others(messageId), { messageId, text }].slice(-MOST_EDITS) });
  }

  /** The edit was given up. */
  ended(messageId: string): void {
    this.#memory.change({ edits: this.#others(messageId) });
  }

  /** The edit is on its way. It is kept until the host has taken the message's place. */
  sent(messageId: string, text: string): void {
    this.changed(messageId, text);
    this.#sent.add(messageId);
  }

  /** Messages were replaced or deleted. What is being edited of them stays: they can be brought back. */
  removed(messageIds: readonly string[]): void {
    for (const id of messageIds) if (this.#sent.delete(id)) this.ended(id);
  }

  /** The host gave this text back. */
  refused(text: string): void {
    const refused = this.#memory.state.edits.filter((edit) => this.#sent.has(edit.messageId) && edit.text === text);
    this.removed(refused.map(({ messageId }) => messageId));
  }

  #others(messageId: string): PageMemory['state']['edits'] {
    return this.#memory.state.edits.filter((edit) => edit.messageId !== messageId);
  }
}
