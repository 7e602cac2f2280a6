import { mkdir, readFile, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { Conversation } from '../../core/conversation.ts';
import type { AttachmentStore } from '../attachments/attachmentStore.ts';
import { isMissing } from '../linesFile.ts';
import { ConversationFile } from './conversationFile.ts';

const ENDING = '.jsonl';
const DRAFT = '.draft';
const INDEX = 'index.json';
const PREVIEW_LENGTH = 120;
const DAY_MS = 24 * 60 * 60 * 1000;
const KEEP_DELETED_MS = 7 * DAY_MS;
const KEEP_DRAFT_MS = 30 * DAY_MS;

const summarySchema = v.object({
  title: v.string(),
  preview: v.string(),
  messageCount: v.number(),
  createdAt: v.number(),
  updatedAt: v.number(),
  damagedLines: v.number(),
  deletedAt: v.exactOptional(v.number()),
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
  /** What was typed and not sent, in a conversation that has no message yet. */
  readonly draft?: string;
  /** Set when the file is there but cannot be read at all; it is kept. */
  readonly unreadable?: string;
}

/** The folder of conversations: a file each, and an index that only saves reading them again. */
export class ConversationStore {
  readonly folder: string;
  readonly #writer: string;
  readonly #attachments: Pick<AttachmentStore, 'conversations' | 'draft' | 'purge'>;
  readonly #onError: (error: unknown) => void;
  #drafts: Promise<void> = Promise.resolve();

  constructor(deps: {
    folder: string;
    attachments: Pick<AttachmentStore, 'conversations' | 'draft' | 'purge'>;
    writer: string;
    onError: (error: unknown) => void;
  }) {
    this.folder = deps.folder;
    this.#attachments = deps.attachments;
    this.#writer = deps.writer;
    this.#onError = deps.onError;
  }

  async file(id: string): Promise<ConversationFile> {
    await mkdir(this.folder, { recursive: true });
    return new ConversationFile({ path: this.#path(id), writer: this.#writer, onError: this.#onError });
  }

  /** All conversations with messages or a draft, the last used first. */
  async list(): Promise<readonly ConversationSummary[]> {
    const names = await this.#names();
    const index = await this.#readIndex();
    const fresh: Record<string, IndexEntry> = {};
    const summaries: ConversationSummary[] = [];
    let changed = false;
    for (const id of idsOf(names, ENDING)) {
      try {
        const { size, mtimeMs: modifiedMs } = await stat(this.#path(id));
        const known = index[id];
        const current = known?.size === size && known.modifiedMs === modifiedMs;
        const entry = current ? known : { ...(await this.#summarise(id)), size, modifiedMs };
        changed ||= !current;
        if (entry.deletedAt !== undefined && Date.now() - entry.deletedAt > KEEP_DELETED_MS) {
          await this.#purge(id);
          continue;
        }
        fresh[id] = entry;
        const shown = entry.deletedAt === undefined && (entry.messageCount > 0 || entry.damagedLines > 0);
        if (shown) summaries.push({ id, ...entry });
      } catch (error) {
        if (!isMissing(error)) summaries.push(unreadable(id, error));
      }
    }
    if (changed || Object.keys(index).length !== Object.keys(fresh).length) await this.#writeIndex(fresh);
    const drafts = await this.#draftsOnly(names, fresh);
    summaries.push(...drafts, ...(await this.#attachmentsOnly(names, drafts)));
    return summaries.sort((a, b) => b.updatedAt - a.updatedAt);
  }

  /** Ids of the conversations in which a message holds this text, whatever its case. */
  async search(text: string, signal: AbortSignal): Promise<ReadonlySet<string>> {
    const wanted = text.toLowerCase();
    const found = new Set<string>();
    for (const id of idsOf(await this.#names(), ENDING)) {
      if (signal.aborted) break;
      try {
        const { conversation } = await this.#read(id);
        if (conversation.messages().some((message) => message.text.toLowerCase().includes(wanted))) found.add(id);
      } catch {
        // The list says of each file that cannot be read.
      }
    }
    return found;
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

  /** Takes a draft away that has become a message, unless something else has been typed since. */
  async forgetDraft(id: string, text: string): Promise<void> {
    if ((await this.draft(id)) === text) await this.saveDraft(id, '');
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

  async #read(id: string): Promise<{ readonly conversation: Conversation; readonly damagedLines: number }> {
    const file = await this.file(id);
    const { records, damagedLines } = await file.read();
    const conversation = new Conversation(id);
    for (const record of records) conversation.apply(record);
    return { conversation, damagedLines };
  }

  async #summarise(id: string): Promise<Omit<IndexEntry, 'size' | 'modifiedMs'>> {
    const { conversation, damagedLines } = await this.#read(id);
    const messages = conversation.messages();
    return {
      title: conversation.title,
      preview: beginning(messages.at(-1)?.text ?? ''),
      messageCount: messages.length,
      createdAt: conversation.createdAt,
      updatedAt: conversation.updatedAt,
      damagedLines,
      ...(conversation.deletedAt !== undefined && { deletedAt: conversation.deletedAt }),
    };
  }

  /** Drafts of conversations that have no message, which no row would lead to. Old ones are taken away. */
  async #draftsOnly(
    names: readonly string[],
    entries: Readonly<Record<string, IndexEntry>>,
  ): Promise<readonly ConversationSummary[]> {
    const rows = idsOf(names, DRAFT)
      .filter((id) => (entries[id]?.messageCount ?? 0) === 0)
      .map(async (id): Promise<readonly ConversationSummary[]> => {
        try {
          const { mtimeMs } = await stat(this.#draftPath(id));
          if (Date.now() - mtimeMs > KEEP_DRAFT_MS) {
            await rm(this.#draftPath(id), { force: true });
            if (entries[id] === undefined) await this.#attachments.purge(id);
            return [];
          }
          const draft = beginning(await this.draft(id));
          return draft === '' ? [] : [{ ...emptyRow(id, mtimeMs), draft }];
        } catch {
          return [];
        }
      });
    return (await Promise.all(rows)).flat();
  }

  /**
   * Conversations in which nothing was written, but something was added to the draft. What was left behind
   * by conversations that came to nothing is taken away.
   */
  async #attachmentsOnly(
    names: readonly string[],
    drafts: readonly ConversationSummary[],
  ): Promise<readonly ConversationSummary[]> {
    const known = new Set([...idsOf(names, ENDING), ...drafts.map(({ id }) => id)]);
    const rows: ConversationSummary[] = [];
    for (const id of await this.#attachments.conversations()) {
      if (known.has(id)) continue;
      const { items, changedAt } = await this.#attachments.draft(id);
      if (items.length === 0) continue;
      if (Date.now() - changedAt > KEEP_DRAFT_MS) await this.#attachments.purge(id);
      else rows.push({ ...emptyRow(id, changedAt), draft: beginning(items.map(({ name }) => name).join(', ')) });
    }
    return rows;
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

  async #purge(id: string): Promise<void> {
    await rm(this.#path(id), { force: true });
    await rm(this.#draftPath(id), { force: true });
    await this.#attachments.purge(id);
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
  return { ...emptyRow(id, 0), unreadable: reason };
}

function emptyRow(id: string, at: number): ConversationSummary {
  return { id, title: '', preview: '', messageCount: 0, createdAt: at, updatedAt: at, damagedLines: 0 };
}

function idsOf(names: readonly string[], ending: string): readonly string[] {
  return names.filter((name) => name.endsWith(ending)).map((name) => name.slice(0, -ending.length));
}

function beginning(text: string): string {
  return text
    .slice(0, PREVIEW_LENGTH * 4)
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, PREVIEW_LENGTH);
}
