import { join } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as v from 'valibot';
import { ChangeEvent } from '../../core/changeEvent.ts';
import { Conversation } from '../../core/chat/conversation.ts';
import { type ModelUse, modelUse } from '../../core/chat/modelUse.ts';
import { encodeRecord } from '../../core/chat/conversationRecord.ts';
import type { AttachmentStore } from '../attachments/attachmentStore.ts';
import { CacheFile } from '../disk/cacheFile.ts';
import { isMissing } from '../disk/diskError.ts';
import { namesIn } from '../disk/namesIn.ts';
import { KEEP_DELETED_MS } from '../disk/keepDeletedMs.ts';
import { removeFile } from '../disk/removeFile.ts';
import { replaceFile } from '../disk/replaceFile.ts';
import { statFile } from '../disk/statFile.ts';
import { ConversationFile } from './conversationFile.ts';
import { isConversationId } from '../../core/chat/conversationId.ts';
import { reasonOf } from '../../core/problems/reasonOf.ts';
import { cutEnd } from '../../words/inline.ts';
import { ConversationSearch } from './conversationSearch.ts';
import { DraftTexts } from './draftTexts.ts';

const ENDING = '.jsonl';
const INDEX = 'index.json';
const PREVIEW_LENGTH = 120;
const DAY_MS = 24 * 60 * 60 * 1000;
/** No window has anything left to save from before a deletion this long ago, in milliseconds. */
const KEEP_TOMBSTONE_MS = 90 * DAY_MS;

const summarySchema = v.object({
  title: v.string(),
  preview: v.string(),
  messageCount: v.number(),
  createdAt: v.number(),
  updatedAt: v.number(),
  damagedLines: v.number(),
  used: v.array(
    v.object({
      model: v.string(),
      promptTokens: v.number(),
      completionTokens: v.number(),
      counted: v.number(),
      uncounted: v.number(),
      isEstimate: v.boolean(),
    }),
  ),
  deletedAt: v.exactOptional(v.number()),
  size: v.number(),
  modifiedMs: v.number(),
});
/**
 * Goes up with each new type of record: a window with an older version of Parlance, still open after an update, counts
 * those that it doesn't know as damaged.
 */
const INDEX_VERSION = 1;
const indexSchema = v.object({ version: v.literal(INDEX_VERSION), conversations: v.record(v.string(), summarySchema) });
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
  /** By all of its replies, to know what it cost. */
  readonly used: readonly ModelUse[];
  /** The unsent text of a conversation without messages. */
  readonly draft?: string;
  /** Set if the file exists but can't be read at all. It's kept. */
  readonly unreadable?: string;
}

/**
 * The folder of conversations: one file each, and an index that only saves reading them again.
 *
 * When a conversation is permanently deleted, its file only records the deletion. Another window might still have a draft, an attachment, or a message that it couldn't save before, and save it now. Each listing looks for those and
 * deletes them too.
 */
export class ConversationStore {
  readonly folder: string;
  readonly #writer: string;
  readonly #attachments: Pick<AttachmentStore, 'conversations' | 'draft' | 'purge'>;
  readonly #onError: (error: unknown, conversationId?: string) => void;
  readonly #onUnexpected: (error: unknown) => void;
  readonly #drafts: DraftTexts;
  readonly #draftChanged = new ChangeEvent<[id: string, change: (draft: string) => string]>();
  readonly #index: CacheFile<v.InferOutput<typeof indexSchema>>;

  constructor(deps: {
    folder: string;
    attachments: Pick<AttachmentStore, 'conversations' | 'draft' | 'purge'>;
    writer: string;
    /** Called when user data couldn't be written. It's kept and retried. */
    onError: (error: unknown, conversationId?: string) => void;
    /** Called when an unsent text couldn't be written, instead of `onError`. It's kept and retried. */
    onDraftError?: (error: unknown) => void;
    /** Called for problems that need no action. */
    onUnexpected?: (error: unknown) => void;
  }) {
    this.folder = deps.folder;
    this.#attachments = deps.attachments;
    this.#writer = deps.writer;
    this.#onError = deps.onError;
    this.#onUnexpected = deps.onUnexpected ?? deps.onError;
    this.#drafts = new DraftTexts({ ...deps, onError: deps.onDraftError ?? deps.onError });
    this.#index = new CacheFile({ path: join(deps.folder, INDEX), schema: indexSchema, onError: this.#onUnexpected });
  }

  /**
   * @param told.onUnsaved also called when something couldn't be written; it's kept and retried
   * @param told.onSaved called when all of it is in the file after that
   */
  file(id: string, told: { onUnsaved?: (error: unknown) => void; onSaved?: () => void } = {}): ConversationFile {
    const onError = (error: unknown): void => {
      this.#onError(error, id);
      told.onUnsaved?.(error);
    };
    return new ConversationFile({ path: this.path(id), writer: this.#writer, ...told, onError });
  }

  /** All conversations with messages or a draft, most recently used first. */
  async list(): Promise<readonly ConversationSummary[]> {
    const all = await namesIn(this.folder);
    const names = all.filter((name) => name.endsWith(ENDING));
    const withAttachments = await this.#attachments.conversations();
    const hasMore = new Set([
      ...all.filter((name) => !name.endsWith(ENDING)).map((name) => name.slice(0, name.indexOf('.'))),
      ...withAttachments,
    ]);
    const index = (await this.#index.read())?.conversations ?? {};
    const fresh: Record<string, IndexEntry> = {};
    const summaries: ConversationSummary[] = [];
    // Those that don't need a row for their draft.
    const settled = new Set<string>();
    let changed = false;
    for (const id of names.map(withoutEnding).filter(isConversationId)) {
      try {
        const { size, mtimeMs: modifiedMs } = await statFile(this.path(id));
        const known = index[id];
        const current = known?.size === size && known.modifiedMs === modifiedMs;
        const entry = current ? known : { ...(await this.#summarize(id)), size, modifiedMs };
        changed ||= !current;
        if (entry.deletedAt !== undefined) settled.add(id);
        const deletedFor = Date.now() - (entry.deletedAt ?? Infinity);
        const isGone = size === tombstoneOf(entry).length && !hasMore.has(id) && deletedFor <= KEEP_TOMBSTONE_MS;
        if (deletedFor > KEEP_DELETED_MS && !isGone) {
          try {
            if (await this.#purge(id, entry)) continue;
          } catch (error) {
            this.#onUnexpected(error);
          }
        }
        fresh[id] = entry;
        const shown = entry.deletedAt === undefined && (entry.messageCount > 0 || entry.damagedLines > 0);
        if (shown) summaries.push({ id, ...entry });
      } catch (error) {
        if (!isMissing(error)) summaries.push(unreadable(id, reasonOf(error)));
      }
    }
    if (changed || Object.keys(index).length !== Object.keys(fresh).length) {
      await this.#index.write({ version: INDEX_VERSION, conversations: fresh });
    }
    for (const { id } of summaries) settled.add(id);
    const strangers = names.map(withoutEnding).filter((name) => !isConversationId(name));
    summaries.push(
      ...strangers.map((name) => unreadable(name, l10n.t("The file name isn't a Parlance conversation name."))),
    );
    summaries.push(...(await this.#draftsOnly(settled, withAttachments)));
    return summaries.sort((a, b) => b.updatedAt - a.updatedAt);
  }

  /** Caches what it has read. Keep one for the duration of a search. */
  search(): ConversationSearch {
    return new ConversationSearch({
      ids: async () => (await this.#names()).map(withoutEnding).filter(isConversationId),
      version: async (id) => {
        const { size, mtimeMs } = await statFile(this.path(id));
        return `${size} ${mtimeMs}`;
      },
      texts: async (id) => (await this.#read(id)).conversation.everyMessage().map(({ text }) => text),
    });
  }

  /** The file of a conversation. */
  path(id: string): string {
    return join(this.folder, id + ENDING);
  }

  /** What was typed and not sent. */
  draft(id: string): Promise<string> {
    return this.#drafts.read(id);
  }

  /**
   * Reports how a draft changes in this window, before that is on disk.
   * @returns a function that ends the subscription
   */
  readonly onDidChangeDraft = this.#draftChanged.listen;

  /** Written in order. An empty draft deletes its file. @returns false if it couldn't be written */
  saveDraft(id: string, text: string): Promise<boolean> {
    this.#draftChanged.fire(id, () => text);
    return this.#drafts.save(id, text);
  }

  /** Deletes a draft that has become a message, unless something else has been typed since. */
  forgetDraft(id: string, text: string): Promise<void> {
    this.#draftChanged.fire(id, (draft) => (draft === text ? '' : draft));
    return this.#drafts.forget(id, text);
  }

  /** Settles when all drafts saved so far are on disk, or the failures were reported. */
  settled(): Promise<void> {
    return this.#drafts.settled();
  }

  async #read(id: string): Promise<{ readonly conversation: Conversation; readonly damagedLines: number }> {
    const file = this.file(id);
    const { records, damagedLines } = await file.read();
    const conversation = new Conversation(id);
    for (const record of records) conversation.apply(record);
    return { conversation, damagedLines };
  }

  async #summarize(id: string): Promise<Omit<IndexEntry, 'size' | 'modifiedMs'>> {
    const { conversation, damagedLines } = await this.#read(id);
    const messages = conversation.messages();
    return {
      title: conversation.title,
      preview: beginning(messages.at(-1)?.text ?? ''),
      messageCount: messages.length,
      createdAt: conversation.createdAt,
      updatedAt: conversation.updatedAt,
      damagedLines,
      used: [...modelUse(conversation.everyEnd())],
      ...(conversation.deletedAt !== undefined && { deletedAt: conversation.deletedAt }),
    };
  }

  /** Conversations without messages, but with a draft or attachments. They stay until deleted. */
  async #draftsOnly(
    settled: ReadonlySet<string>,
    withAttachments: readonly string[],
  ): Promise<readonly ConversationSummary[]> {
    const typed = await this.#drafts.list((id) => isConversationId(id) && !settled.has(id));
    const rows = new Map(
      typed.map(({ id, text, changedAt }) => [id, { ...emptyRow(id, changedAt), draft: beginning(text) }]),
    );
    for (const id of withAttachments) {
      if (settled.has(id)) continue;
      const { items, changedAt } = await this.#attachments.draft(id);
      if (items.length === 0) continue;
      const row = rows.get(id) ?? { ...emptyRow(id, 0), draft: beginning(items.map(({ name }) => name).join(', ')) };
      rows.set(id, { ...row, updatedAt: Math.max(row.updatedAt, changedAt) });
    }
    return [...rows.values()];
  }

  /** The names of all conversation files. */
  async #names(): Promise<readonly string[]> {
    return (await namesIn(this.folder)).filter((name) => name.endsWith(ENDING));
  }

  /** @returns false if some of it couldn't be deleted yet; the next listing tries again */
  async #purge(id: string, entry: IndexEntry): Promise<boolean> {
    if (!(await this.#drafts.purge(id))) return false;
    await this.#attachments.purge(id);
    const isLong = Date.now() - (entry.deletedAt ?? 0) > KEEP_TOMBSTONE_MS;
    if (isLong) await removeFile(this.path(id));
    else await replaceFile(this.path(id), tombstoneOf(entry));
    return true;
  }
}

/** The content of a permanently deleted conversation's file. */
function tombstoneOf({ deletedAt = 0 }: Pick<IndexEntry, 'deletedAt'>): string {
  return `${encodeRecord({ type: 'deleted', writer: '', at: deletedAt })}\n`;
}

function unreadable(id: string, reason: string): ConversationSummary {
  return { ...emptyRow(id, 0), unreadable: reason };
}

function emptyRow(id: string, at: number): ConversationSummary {
  return { id, title: '', preview: '', messageCount: 0, createdAt: at, updatedAt: at, damagedLines: 0, used: [] };
}

function withoutEnding(name: string): string {
  return name.slice(0, -ENDING.length);
}

function beginning(text: string): string {
  return cutEnd(
    text
      .slice(0, PREVIEW_LENGTH * 4)
      .replace(/\s+/g, ' ')
      .trim(),
    PREVIEW_LENGTH,
  );
}
