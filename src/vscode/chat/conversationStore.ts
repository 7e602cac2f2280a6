import { mkdir, readFile, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { Conversation } from '../../core/conversation.ts';
import { ConversationFile, isMissing } from './conversationFile.ts';

const ENDING = '.jsonl';
const DELETED = '.deleted';
const DRAFT = '.draft';
const INDEX = 'index.json';
const PREVIEW_LENGTH = 120;
const KEEP_DELETED_MS = 7 * 24 * 60 * 60 * 1000;

const summarySchema = v.object({
  title: v.string(),
  preview: v.string(),
  messageCount: v.number(),
  createdAt: v.number(),
  updatedAt: v.number(),
  damagedLines: v.number(),
  size: v.number(),
  modifiedMs: v.number(),
});
const indexSchema = v.record(v.string(), summarySchema);
type IndexEntry = v.InferOutput<typeof summarySchema>;

/** A row of the list of conversations. */
export interface ConversationSummary {
  readonly id: string;
  readonly title: string;
  /** The beginning of the newest message. */
  readonly preview: string;
  readonly messageCount: number;
  /** Unix times in milliseconds. */
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly damagedLines: number;
  /** Set when the file is there but cannot be read at all; it is kept. */
  readonly unreadable?: string;
}

/** The folder of conversations: a file each, and an index that only saves reading them again. */
export class ConversationStore {
  readonly folder: string;
  readonly #writer: string;
  readonly #onError: (error: unknown) => void;
  #drafts: Promise<void> = Promise.resolve();

  constructor(deps: { folder: string; writer: string; onError: (error: unknown) => void }) {
    this.folder = deps.folder;
    this.#writer = deps.writer;
    this.#onError = deps.onError;
  }

  async file(id: string): Promise<ConversationFile> {
    await mkdir(this.folder, { recursive: true });
    return new ConversationFile({ path: this.#path(id), writer: this.#writer, onError: this.#onError });
  }

  /** All conversations with messages, the last used first. */
  async list(): Promise<readonly ConversationSummary[]> {
    const names = await this.#names();
    const index = await this.#readIndex();
    const fresh: Record<string, IndexEntry> = {};
    let changed = false;
    const summaries: ConversationSummary[] = [];
    for (const name of names) {
      if (name.endsWith(ENDING + DELETED)) await this.#purge(name);
      if (!name.endsWith(ENDING)) continue;
      const id = name.slice(0, -ENDING.length);
      try {
        const { size, mtimeMs: modifiedMs } = await stat(join(this.folder, name));
        const known = index[id];
        const current = known?.size === size && known.modifiedMs === modifiedMs;
        const entry = current ? known : { ...(await this.#summarise(id)), size, modifiedMs };
        changed ||= !current;
        fresh[id] = entry;
        if (entry.messageCount > 0 || entry.damagedLines > 0) summaries.push({ id, ...entry });
      } catch (error) {
        if (!isMissing(error)) summaries.push(unreadable(id, error));
      }
    }
    if (changed || Object.keys(index).length !== Object.keys(fresh).length) await this.#writeIndex(fresh);
    return summaries.sort((a, b) => b.updatedAt - a.updatedAt);
  }

  /** Puts a conversation aside; `restore` brings it back within a week. */
  async delete(id: string): Promise<void> {
    await rename(this.#path(id), this.#path(id) + DELETED);
  }

  async restore(id: string): Promise<void> {
    await rename(this.#path(id) + DELETED, this.#path(id));
  }

  async draft(id: string): Promise<string> {
    await this.#drafts;
    try {
      return await readFile(this.#draftPath(id), 'utf8');
    } catch (error) {
      if (!isMissing(error)) this.#onError(error);
      return '';
    }
  }

  /** Written in order; an empty draft takes its file away. */
  saveDraft(id: string, text: string): Promise<void> {
    this.#drafts = this.#writeDraft(this.#drafts, id, text);
    return this.#drafts;
  }

  async #writeDraft(after: Promise<void>, id: string, text: string): Promise<void> {
    await after;
    try {
      if (text === '') return await rm(this.#draftPath(id), { force: true });
      await mkdir(this.folder, { recursive: true });
      return await this.#replace(this.#draftPath(id), text);
    } catch (error) {
      return this.#onError(error);
    }
  }

  async #summarise(id: string): Promise<Omit<IndexEntry, 'size' | 'modifiedMs'>> {
    const file = await this.file(id);
    const { records, damagedLines } = await file.read();
    const conversation = new Conversation(id);
    for (const record of records) conversation.apply(record);
    const messages = conversation.messages();
    return {
      title: conversation.title,
      preview: (messages.at(-1)?.text ?? '').replace(/\s+/g, ' ').trim().slice(0, PREVIEW_LENGTH),
      messageCount: messages.length,
      createdAt: conversation.createdAt,
      updatedAt: conversation.updatedAt,
      damagedLines,
    };
  }

  async #names(): Promise<readonly string[]> {
    try {
      return await readdir(this.folder);
    } catch (error) {
      if (isMissing(error)) return [];
      throw error;
    }
  }

  async #readIndex(): Promise<Readonly<Record<string, IndexEntry>>> {
    try {
      const parsed = v.safeParse(indexSchema, JSON.parse(await readFile(join(this.folder, INDEX), 'utf8')));
      return parsed.success ? parsed.output : {};
    } catch {
      // Missing or damaged: the files are read again, which is all an index saves.
      return {};
    }
  }

  async #writeIndex(index: Record<string, IndexEntry>): Promise<void> {
    try {
      await this.#replace(join(this.folder, INDEX), JSON.stringify(index));
    } catch (error) {
      this.#onError(error);
    }
  }

  /** By rename, so that another window never reads half a file. */
  async #replace(path: string, text: string): Promise<void> {
    const temporary = `${path}.${this.#writer}.tmp`;
    await writeFile(temporary, text);
    await rename(temporary, path);
  }

  async #purge(name: string): Promise<void> {
    const path = join(this.folder, name);
    const { ctimeMs } = await stat(path);
    if (Date.now() - ctimeMs > KEEP_DELETED_MS) await rm(path, { force: true });
  }

  #path(id: string): string {
    return join(this.folder, id + ENDING);
  }

  #draftPath(id: string): string {
    return join(this.folder, id + DRAFT);
  }
}

function unreadable(id: string, error: unknown): ConversationSummary {
  const reason = error instanceof Error ? error.message : String(error);
  return {
    id,
    title: '',
    preview: '',
    messageCount: 0,
    createdAt: 0,
    updatedAt: 0,
    damagedLines: 0,
    unreadable: reason,
  };
}
