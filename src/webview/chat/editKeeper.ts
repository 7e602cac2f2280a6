import type { PageMemory } from './pageMemory.ts';

/** Keeps what is being edited in the transcript, for the time when its message is drawn again. */
export class EditKeeper {
  readonly #memory: PageMemory;

  constructor(memory: PageMemory) {
    this.#memory = memory;
  }

  /** @returns the text as it was left; undefined when the message was not being edited. */
  textOf(messageId: string): string | undefined {
    return this.#memory.state.edits.find((edit) => edit.messageId === messageId)?.text;
  }

  changed(messageId: string, text: string): void {
    this.#memory.change({ edits: [...this.#others(messageId), { messageId, text }] });
  }

  /** The edit was sent or given up. */
  ended(messageId: string): void {
    this.#memory.change({ edits: this.#others(messageId) });
  }

  #others(messageId: string): PageMemory['state']['edits'] {
    return this.#memory.state.edits.filter((edit) => edit.messageId !== messageId);
  }
}
