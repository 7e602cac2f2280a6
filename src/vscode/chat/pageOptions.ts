import type { ChatSession } from '../../core/chat/chatSession.ts';
import type { ChatOptions } from '../../shared/chat.ts';
import type { ConnectionView } from '../../shared/chatProtocol.ts';
import type { PageFact } from './pageChannel.ts';
import type { OpenConversations } from '../conversations/openConversations.ts';

/** What this needs of the page it belongs to. */
export interface OptionsPage {
  readonly conversations: OpenConversations;
  readonly chatDefaults: () => ChatOptions;
  readonly connection: (model: string | undefined) => Promise<ConnectionView>;
  readonly session: () => ChatSession | undefined;
  readonly post: (fact: PageFact) => void;
}

/** The options of what a page shows, and what they make of its connection. */
export class PageOptions {
  readonly #page: OptionsPage;

  constructor(page: OptionsPage) {
    this.#page = page;
  }

  /** The model that the next message goes to. */
  get model(): string | undefined {
    return this.#page.session()?.conversation.options.model ?? this.#page.chatDefaults().model;
  }

  /** The page may still speak of the conversation it showed a moment ago. */
  async set(conversationId: string, options: ChatOptions): Promise<void> {
    const session = this.#page.session();
    if (session?.conversation.id === conversationId) return session.setOptions(options);
    const open = await this.#page.conversations.open(conversationId);
    open.session.setOptions(options);
    open.dispose();
  }

  async changed(): Promise<void> {
    const options = this.#page.session()?.conversation.options ?? {};
    this.#page.post({ type: 'optionsChanged', options, defaults: this.#page.chatDefaults() });
    // The model may be the first one, for which the connection has been waiting.
    await this.connectionChanged();
  }

  async connectionChanged(): Promise<void> {
    const connection = await this.#page.connection(this.model);
    this.#page.post({ type: 'connectionChanged', connection });
  }
}
