import * as l10n from '@vscode/l10n';
import type { ModelRef } from '../../shared/modelRef.ts';
import type { ModelCatalog } from '../../core/models/modelCatalog.ts';
import type { ApiFailure } from '../../shared/apiFailure.ts';
import type { ChatOptions } from '../../shared/chat.ts';
import type { ConnectionView } from '../../shared/protocol/chatProtocol.ts';
import type { LoadedMessages } from './loadedMessages.ts';
import type { PageAttachments } from './pageAttachments.ts';
import type { PageChannel } from './pageChannel.ts';
import type { Deletion, PageNotes } from './pageNotes.ts';
import type { ShownConversation, ShownEvent } from './shownConversation.ts';

export interface SessionNewsDeps {
  readonly chatDefaults: () => ChatOptions;
  readonly connection: (model: ModelRef | undefined) => Promise<ConnectionView>;
  readonly models: { readonly catalog: Pick<ModelCatalog, 'ensure'> };
  readonly onUnexpected: (error: unknown) => void;
}

/** The page that gets the news. */
export interface ToldPage {
  readonly channel: PageChannel;
  readonly shown: ShownConversation;
  readonly loaded: LoadedMessages;
  readonly attachments: PageAttachments;
  readonly notes: PageNotes;
  /** Restores a deleted conversation. */
  readonly restore: (id: string) => void;
  /** Shows the whole conversation again. */
  readonly showAgain: () => void;
  /** Shows another conversation, or a new one if the ID is new. */
  readonly show: (id: string) => Promise<void>;
  /** Something other than a reply's text is new. */
  readonly changed: () => void;
}

/** Tells a page what happens in its conversation. */
export class SessionNews {
  readonly #deps: SessionNewsDeps;
  readonly #page: ToldPage;

  constructor(deps: SessionNewsDeps, page: ToldPage) {
    this.#deps = deps;
    this.#page = page;
    page.notes.useChannel(page.channel, (deletion) => this.#undo(deletion));
  }

  readonly happened = (event: ShownEvent): void => {
    if (event.type === 'replyGrew') return this.#page.channel.grow(event.id, event.part, event.offset, event.text);
    if (event.type === 'draftReplaced') return this.#draftReplaced();
    if (event.type === 'deleted') return void this.#deleted().catch(this.#deps.onUnexpected);
    if (event.type === 'messagesRearranged') this.#page.showAgain();
    else this.#tell(event);
    if (event.type === 'messagesRearranged' || event.type === 'messageAdded') this.#mayBeRestored();
    this.#page.changed();
  };

  #draftReplaced(): void {
    const { channel, shown } = this.#page;
    const conversationId = shown.session?.conversation.id;
    if (conversationId !== undefined) channel.post({ type: 'draftReplaced', conversationId, text: shown.draft });
  }

  /** What is typed in a deleted conversation would be deleted with it. */
  async #deleted(): Promise<void> {
    const { shown, show } = this.#page;
    if (shown.session === undefined) return;
    const { id, title } = shown.session.conversation;
    // Another one is being opened.
    if (shown.id !== id) return;
    const name = title || shown.draft || l10n.t('Untitled');
    await show(crypto.randomUUID());
    this.offerToRestore(id, name);
  }

  #tell(event: Exclude<ShownEvent, { type: 'messagesRearranged' | 'replyGrew' | 'draftReplaced' | 'deleted' }>): void {
    const { channel, shown, loaded, attachments, notes } = this.#page;
    const { session } = shown;
    if (session === undefined) return;
    const { conversation } = session;
    switch (event.type) {
      case 'messageAdded': {
        const message = conversation.find(event.id);
        if (message === undefined) return;
        return channel.post({ type: 'messageAdded', message: loaded.view(session, message) });
      }
      case 'replyChanged': {
        const reply = conversation.reply(event.id);
        if (reply === undefined) return;
        // Before the words about a failure, which offer models with more room.
        attachments.learnFrom(reply);
        const change = loaded.change(session, reply);
        // Only fetched if there's no list.
        if (reply.end?.failure?.kind === 'modelNotFound') {
          this.#deps.models.catalog.ensure(Infinity).catch(this.#deps.onUnexpected);
        }
        channel.post({ type: 'replyChanged', replyId: event.id, change });
        return attachments.changed();
      }
      case 'messagesRemoved':
        // First, so that the focus can go there.
        if (event.canRestore) notes.offerUndo({ ids: event.ids, from: conversation.id });
        channel.post(event);
        return attachments.changed();
      case 'lengthChanged':
        this.failureWordsChanged();
        return attachments.changed();
      case 'titleChanged':
        return channel.post({ type: 'titleChanged', title: conversation.title });
      case 'optionsChanged':
        return this.optionsChanged();
    }
  }

  /** Says that a conversation was deleted, with an Undo. */
  offerToRestore(id: string, title: string): void {
    this.#page.notes.offerUndo({ ids: [id], title });
  }

  #undo({ ids, from }: Deletion): void {
    const { shown, restore } = this.#page;
    if (from === undefined) for (const id of ids) restore(id);
    else if (shown.isShown(from)) shown.session?.restoreMessages(ids);
  }

  #mayBeRestored(): void {
    const { notes, shown } = this.#page;
    notes.restored((id) => shown.session?.conversation.find(id) !== undefined);
  }

  optionsChanged(): void {
    const { channel, shown, attachments } = this.#page;
    const options = shown.session?.conversation.options ?? {};
    channel.post({ type: 'optionsChanged', options, defaults: this.#deps.chatDefaults() });
    // The model might be the first one, which the connection has been waiting for.
    this.connectionChanged().catch(this.#deps.onUnexpected);
    attachments.changed();
  }

  async connectionChanged(): Promise<void> {
    const connection = await this.#deps.connection(this.#page.shown.options.model);
    this.#page.channel.post({ type: 'connectionChanged', connection });
  }

  olderWanted(beforeId: string, throughId?: string): void {
    const { channel, shown, loaded } = this.#page;
    const older = shown.session === undefined ? undefined : loaded.older(shown.session, beforeId, throughId);
    if (older !== undefined) channel.post({ type: 'olderMessages', ...older });
  }

  find(request: number, query: string, beforeId: string): void {
    const { channel, shown, loaded } = this.#page;
    const older = shown.session === undefined ? [] : loaded.find(shown.session, query, beforeId);
    channel.post({ type: 'found', request, older });
  }

  /**
   * The text about an unknown model names similar ones, the first action for a connection problem depends on whether
   * the connection was changed since, and what else can be excluded depends on where the line is.
   */
  failureWordsChanged(of?: ApiFailure['kind']): void {
    const { channel, shown, loaded } = this.#page;
    const last = shown.session?.conversation.messages().at(-1);
    if (shown.session === undefined || last?.role !== 'assistant') return;
    const { failure, sentAtLeast } = last.end ?? {};
    if (of === undefined ? failure === undefined && sentAtLeast === undefined : failure?.kind !== of) return;
    channel.post({ type: 'replyChanged', replyId: last.id, change: loaded.change(shown.session, last) });
  }
}
