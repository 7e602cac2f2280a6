import type { ChatSession } from '../../core/chat/chatSession.ts';
import type { ModelCatalogue } from '../../core/models/modelCatalogue.ts';
import type { SessionEvent } from '../../core/chat/sessionEvent.ts';
import type { MessageWindow } from './messageWindow.ts';
import type { PageChannel } from './pageChannel.ts';

/** What this needs of the page it belongs to. */
export interface NewsPage {
  readonly channel: PageChannel;
  readonly window: MessageWindow;
  readonly session: () => ChatSession | undefined;
  readonly catalogue: Pick<ModelCatalogue, 'ensure'>;
  readonly attachmentsChanged: () => void;
  readonly optionsChanged: () => void;
  /** Shows the conversation anew. */
  readonly show: () => void;
  readonly changed: () => void;
  readonly onUnexpected: (error: unknown) => void;
}

/** Tells a page what happens in the conversation that it shows. */
export class SessionNews {
  readonly #page: NewsPage;

  constructor(page: NewsPage) {
    this.#page = page;
  }

  happened(event: SessionEvent): void {
    const { channel, window } = this.#page;
    const session = this.#page.session();
    if (session === undefined) return;
    const { conversation } = session;
    switch (event.type) {
      case 'replyGrew': {
        const reply = conversation.reply(event.id);
        if (reply === undefined) return;
        const offset = reply[event.part].length - event.text.length;
        channel.grow(event.id, event.part, offset, event.text);
        return;
      }
      case 'messageAdded': {
        const message = conversation.find(event.id);
        if (message === undefined) return;
        channel.post({ type: 'messageAdded', message: window.view(session, message) });
        break;
      }
      case 'replyChanged': {
        const reply = conversation.reply(event.id);
        if (reply === undefined) return;
        const change = window.change(session, reply);
        // Only a list that is missing is asked for.
        if (reply.end?.failure?.kind === 'modelNotFound') {
          this.#page.catalogue.ensure(Infinity).catch(this.#page.onUnexpected);
        }
        channel.post({ type: 'replyChanged', replyId: event.id, change });
        this.#page.attachmentsChanged();
        break;
      }
      case 'messagesRemoved':
        channel.post(event);
        this.#page.attachmentsChanged();
        break;
      case 'messagesRestored':
        this.#page.show();
        break;
      case 'titleChanged':
        channel.post({ type: 'titleChanged', title: conversation.title });
        break;
      case 'optionsChanged':
        this.#page.optionsChanged();
        break;
    }
    this.#page.changed();
  }

  olderWanted(beforeId: string): void {
    const session = this.#page.session();
    const older = session === undefined ? undefined : this.#page.window.older(session, beforeId);
    if (older !== undefined) this.#page.channel.post({ type: 'olderMessages', ...older });
  }

  /** The words about an unknown model name the closest ones, and those have just come. */
  catalogueChanged(): void {
    const session = this.#page.session();
    const last = session?.conversation.messages().at(-1);
    if (session === undefined || last?.role !== 'assistant' || last.end?.failure?.kind !== 'modelNotFound') return;
    const change = this.#page.window.change(session, last);
    this.#page.channel.post({ type: 'replyChanged', replyId: last.id, change });
  }
}
