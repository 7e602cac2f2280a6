import { type FSWatcher, watch } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { performance } from 'node:perf_hooks';
import type { ChatClient } from '../../api/types.ts';
import { ChatSession } from '../../core/chatSession.ts';
import { Conversation } from '../../core/conversation.ts';
import type { ApiFailure } from '../../shared/apiFailure.ts';
import type { ConversationFile } from './conversationFile.ts';
import type { ConversationStore } from './conversationStore.ts';

/** A conversation while a page shows it or a reply of it runs. Dispose it when the page is done with it. */
export interface OpenConversation {
  readonly session: ChatSession;
  /** Lines of its file that could not be read. */
  readonly damagedLines: number;
  dispose(): void;
}

interface Entry {
  readonly session: ChatSession;
  readonly file: ConversationFile;
  readonly damagedLines: number;
}

/** Counts its users from the moment they ask, so that none gets an entry that is being closed. */
interface Slot {
  readonly entry: Promise<Entry>;
  users: number;
}

const FOREIGN_DELAY_MS = 50;

/**
 * The conversations that are open in this window, each once however many pages show it. What other
 * windows write to the same files is followed.
 */
export class OpenConversations {
  readonly #client: ChatClient;
  readonly #store: ConversationStore;
  readonly #writer: string;
  readonly #redact: (failure: ApiFailure) => ApiFailure;
  readonly #onUnexpected: (error: unknown) => void;
  readonly #slots = new Map<string, Slot>();
  readonly #closing = new Map<string, Promise<void>>();
  readonly #changed = new Set<string>();
  #watcher: FSWatcher | undefined;
  #timer: NodeJS.Timeout | undefined;
  #disposed = false;

  constructor(deps: {
    client: ChatClient;
    store: ConversationStore;
    /** Names this window in the files. */
    writer: string;
    redact: (failure: ApiFailure) => ApiFailure;
    onUnexpected: (error: unknown) => void;
  }) {
    this.#client = deps.client;
    this.#store = deps.store;
    this.#writer = deps.writer;
    this.#redact = deps.redact;
    this.#onUnexpected = deps.onUnexpected;
  }

  /** Opens a stored conversation, or a new one for an id that has no file yet. */
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
      this.#slots.delete(id);
      throw error;
    }
  }

  /** Settles when all that was said in this conversation so far is in its file. */
  async settled(id: string): Promise<void> {
    await this.#closing.get(id);
    await (await this.#slots.get(id)?.entry)?.file.flush();
  }

  /** Stops nothing: writes down what is there. A reply that runs is found interrupted at the next start. */
  async dispose(): Promise<void> {
    this.#disposed = true;
    clearTimeout(this.#timer);
    this.#watcher?.close();
    const slots = [...this.#slots.values()];
    // One that could not be opened has nothing to write.
    await Promise.allSettled(slots.map(async (slot) => (await slot.entry).file.flush()));
  }

  async #load(id: string): Promise<Entry> {
    await this.#closing.get(id);
    const file = await this.#store.file(id);
    const { records, damagedLines } = await file.read();
    const conversation = new Conversation(id);
    for (const record of records) conversation.apply(record);
    const session = new ChatSession(conversation, {
      client: this.#client,
      journal: file,
      now: () => Date.now(),
      ticks: () => performance.now(),
      newId: () => crypto.randomUUID(),
      writer: this.#writer,
      pid: process.pid,
      redact: this.#redact,
      onUnexpected: this.#onUnexpected,
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
    if (slot.users > 0 || session.runningReplyId !== undefined || this.#slots.get(id) !== slot) return;
    this.#slots.delete(id);
    // Whoever opens it next reads the file, so all must be in it first.
    const flushed = file.flush().finally(() => {
      if (this.#closing.get(id) === flushed) this.#closing.delete(id);
    });
    this.#closing.set(id, flushed);
  }

  async #follow(): Promise<void> {
    if (this.#watcher !== undefined || this.#disposed) return;
    await mkdir(this.#store.folder, { recursive: true });
    if (this.#watcher !== undefined || this.#disposed) return;
    this.#watcher = watch(this.#store.folder, { persistent: false }, (_event, name) => {
      const id = name?.endsWith('.jsonl') ? name.slice(0, -'.jsonl'.length) : undefined;
      if (id === undefined || !this.#slots.has(id)) return;
      this.#changed.add(id);
      this.#timer ??= setTimeout(() => {
        this.#timer = undefined;
        this.#readChanged().catch(this.#onUnexpected);
      }, FOREIGN_DELAY_MS);
    });
    // Without a watcher other windows' messages show after a reload; nothing is lost.
    this.#watcher.on('error', this.#onUnexpected);
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
