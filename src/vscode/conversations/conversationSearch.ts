import { searchedWords } from '../../shared/text/findText.ts';

/** The source of conversation texts. */
export interface SearchedConversations {
  ids(): Promise<readonly string[]>;
  /** Changes with each change of the conversation. */
  version(id: string): Promise<string>;
  texts(id: string): Promise<readonly string[]>;
}

/** Searches conversations while a user types: each is read once, and again only if it has changed. */
export class ConversationSearch {
  readonly #conversations: SearchedConversations;
  readonly #read = new Map<string, { readonly version: string; readonly text: string }>();

  constructor(conversations: SearchedConversations) {
    this.#conversations = conversations;
  }

  /** IDs of the conversations whose messages contain all of these words, ignoring case. */
  async find(text: string, signal: AbortSignal): Promise<ReadonlySet<string>> {
    const words = searchedWords(text);
    const found = new Set<string>();
    const ids = await this.#conversations.ids();
    // All at once: one after another they'd take longer than the search itself.
    const versions = await Promise.all(ids.map((id) => this.#conversations.version(id).catch(() => undefined)));
    for (const [at, id] of ids.entries()) {
      if (signal.aborted) break;
      const version = versions[at];
      // The list reports each file that can't be read.
      if (version === undefined) continue;
      const held = await this.#textOf(id, version).catch(() => '');
      if (words.every((word) => held.includes(word))) found.add(id);
    }
    return found;
  }

  async #textOf(id: string, version: string): Promise<string> {
    const known = this.#read.get(id);
    if (known?.version === version) return known.text;
    // Nobody searches for the character between them, so no word spans two messages.
    const text = (await this.#conversations.texts(id)).join('\0').toLowerCase();
    this.#read.set(id, { version, text });
    return text;
  }
}
