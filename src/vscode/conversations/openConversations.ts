import { ChangeEvent } from '../../core/changeEvent.ts';
import type { ModelRef } from '../../shared/modelRef.ts';
import { performance } from 'node:perf_hooks';
import { ChatSession } from '../../core/chat/chatSession.ts';
import type { InferenceCalls } from '../../core/requests/inferenceCalls.ts';
import { Conversation } from '../../core/chat/conversation.ts';
import { problemOfUnsavedConversation } from '../../core/problems/conversationProblems.ts';
import type { ApiFailure } from '../../shared/apiFailure.ts';
import type { Problem } from '../../shared/problem.ts';
import type { Attachments } from '../attachments/registerAttachments.ts';
import { type FolderWatch, watchFolder } from '../disk/watchFolder.ts';
import type { ConversationFile } from './conversationFile.ts';
import type { ConversationStore } from './conversationStore.ts';

/** A conversation while a page shows it or a reply of it is running. Dispose it when the page is done with it. */
export interface OpenConversation {
  readonly session: ChatSession;
  /** Lines of its file that couldn't be read. */
  readonly damagedLines: number;
  dispose(): void;
}

interface Entry {
  readonly session: ChatSession;
  readonly file: ConversationFile;
  readonly damagedLines: number;
}

/** Counts users from the moment they ask, so that nobody gets an entry that is being closed. */
interface Slot {
  readonly entry: Promise<Entry>;
  users: number;
}

/** The attachments of conversations. */
export interface KeptAttachments {
  readonly store: Pick<Attachments['store'], 'draft' | 'sweep'>;
  readonly source: Attachments['source'];
}

const FOREIGN_DELAY_MS = 50;

interface OpenConversationsDeps {
  clientFor: (conversationId: string, model: ModelRef, stop: () => void) => Pick<InferenceCalls, 'stream'>;
  attachments: KeptAttachments;
  store: ConversationStore;
  /** Identifies this window in the files. */
  writer: string;
  redact: (failure: ApiFailure) => ApiFailure;
  onUnexpected: (error: unknown) => void;
}

/**
 * The conversations that are open in this window, each once, no matter how many pages show it. Follows what other
 * windows write to the same files.
 */
export class OpenConversations {
  readonly #deps: OpenConversationsDeps;
  readonly #slots = new Map<string, Slot>();
  readonly #changed = new Set<string>();
  /** What to tell the user about conversations that aren't completely saved. */
  readonly #unsaved = new Map<string, Problem>();
  readonly #unsavedChanged = new ChangeEvent<[id: string]>();
  #watcher: FolderWatch | undefined;
  #timer: NodeJS.Timeout | undefined;
  #disposed = false;

  constructor(deps: OpenConversationsDeps) {
    this.#deps = deps;
  }

  /** Opens a stored conversation, or a new one for an ID without a file. */
  async open(id: string): Promise<OpenConversation> {
    const slot = this.#slots.get(id) ?? { entry: this.#load(id), users: 0 };
    this.#slots.set(id, slot);
    slot.users += 1;
    let open = true;
    const dispose = () => {
      if (!open) return;
      open = false;
      slot.users -= 1;
      void this.#closeUnused(id);
    };
    try {
      const { session, damagedLines } = await slot.entry;
      await this.#follow();
      return { session, damagedLines, dispose };
    } catch (error) {
      // The next one reads the file again.
      if (this.#slots.get(id) === slot) this.#slots.delete(id);
      throw error;
    }
  }

  /** What to tell the user while part of a conversation is only in this window. */
  unsaved(id: string): Problem | undefined {
    return this.#unsaved.get(id);
  }

  /**
   * Reports conversations that can't be saved for now, and those that are saved after all.
   * @returns a function that ends the subscription
   */
  readonly onDidChangeUnsaved = this.#unsavedChanged.listen;

  /** Settles when everything in this conversation so far is in its file. */
  async settled(id: string): Promise<void> {
    await (await this.#slots.get(id)?.entry)?.file.flush();
  }

  /** The same for all that are open. One that couldn't be opened has nothing to write. */
  async allSettled(): Promise<void> {
    await Promise.allSettled([...this.#slots.keys()].map((id) => this.settled(id)));
  }

  /** Writes what exists. A running reply is left alone, and shows as interrupted after the next start. */
  async dispose(): Promise<void> {
    this.#disposed = true;
    clearTimeout(this.#timer);
    this.#watcher?.dispose();
    const slots = [...this.#slots.values()];
    // A conversation that couldn't be opened has nothing to write.
    await Promise.allSettled(
      slots.map(async (slot) => {
        const { session, file } = await slot.entry;
        session.abandon();
        await file.flush();
      }),
    );
  }

  async #load(id: string): Promise<Entry> {
    const file = this.#deps.store.file(id, {
      onUnsaved: (error) => {
        this.#unsaved.set(id, problemOfUnsavedConversation(error, process.platform));
        this.#unsavedChanged.fire(id);
      },
      onSaved: () => {
        this.#unsaved.delete(id);
        this.#unsavedChanged.fire(id);
        // It was only kept open for this.
        void this.#closeUnused(id);
      },
    });
    // Before the messages, so that nothing another window writes is missed in between.
    const draft = await this.#deps.attachments.store.draft(id);
    const { records, damagedLines } = await file.read();
    const conversation = new Conversation(id);
    for (const record of records) conversation.apply(record);
    // An unreadable line might name more.
    if (damagedLines === 0) {
      const used = new Set([...draft.items, ...conversation.attachments()].map((attachment) => attachment.id));
      void this.#deps.attachments.store.sweep(id, used).catch(this.#deps.onUnexpected);
    }
    const session = new ChatSession(conversation, {
      clientFor: (model, stop) => this.#deps.clientFor(id, model, stop),
      attachments: this.#deps.attachments.source(id),
      journal: file,
      now: () => Date.now(),
      ticks: () => performance.now(),
      newId: () => crypto.randomUUID(),
      writer: this.#deps.writer,
      pid: process.pid,
      redact: this.#deps.redact,
      onUnexpected: this.#deps.onUnexpected,
    });
    session.onEvent((event) => {
      if (event.type === 'replyChanged') void this.#closeUnused(id);
    });
    return { session, file, damagedLines };
  }

  async #closeUnused(id: string): Promise<void> {
    const slot = this.#slots.get(id);
    if (slot === undefined || slot.users > 0) return;
    const { session, file } = await slot.entry;
    // Whoever opens it next might read the file, so everything must be in it first.
    await file.flush();
    const inUse = slot.users > 0 || session.runningReplyId !== undefined || file.hasPending;
    if (!inUse && this.#slots.get(id) === slot) this.#slots.delete(id);
  }

  async #follow(): Promise<void> {
    if (this.#disposed) return;
    // If nothing can be watched, other windows' messages appear when the chat is opened again.
    this.#watcher ??= watchFolder(this.#deps.store.folder, (name) => this.#fileChanged(name), this.#deps.onUnexpected);
    await this.#watcher.ready;
  }

  #fileChanged(name: string | null): void {
    const id = name?.endsWith('.jsonl') === true ? name.slice(0, -'.jsonl'.length) : undefined;
    if (id === undefined || !this.#slots.has(id)) return;
    this.#changed.add(id);
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#readChanged().catch(this.#deps.onUnexpected);
    }, FOREIGN_DELAY_MS);
  }

  async #readChanged(): Promise<void> {
    const ids = [...this.#changed];
    this.#changed.clear();
    for (const id of ids) {
      const entry = await this.#slots.get(id)?.entry;
      if (entry === undefined) continue;
      for (const record of await entry.file.readForeign()) entry.session.applyForeign(record);
    }
  }
}
