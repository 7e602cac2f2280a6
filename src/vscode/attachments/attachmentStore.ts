import { join } from 'node:path';
import * as v from 'valibot';
import { jsonIn } from '../../core/recordLine.ts';
import { ApiError } from '../../api/apiError.ts';
import { attachmentSchema } from '../../core/chat/conversationRecord.ts';
import { type Attachment, pictureEndings } from '../../shared/attachment.ts';
import { isMissing } from '../disk/diskError.ts';
import { withFileLock } from '../disk/fileLock.ts';
import { modifiedAt } from '../disk/statFile.ts';
import { namesIn } from '../disk/namesIn.ts';
import { readWhole } from '../disk/readWhole.ts';
import { moveFile, removeFile, removeFiles, removeFolder } from '../disk/removeFile.ts';
import { replaceFile } from '../disk/replaceFile.ts';
import { isConversationId } from '../../core/chat/conversationId.ts';

const DRAFT = 'draft.json';
const DAMAGED = '.damaged';
const draftSchema = v.array(v.unknown());
const KEEP_UNUSED_MS = 24 * 60 * 60 * 1000;

/** The attachments of a draft, with the time of the last change. */
export interface KeptDraft {
  readonly items: readonly Attachment[];
  /** Part of the list or all of it can't be read. Its file stays until it's renamed. */
  readonly isDamaged: boolean;
  /** Unix time in milliseconds. */
  readonly changedAt: number;
}

/**
 * The contents of attachments: a folder per conversation, a file per attachment, and the list of attachments of the
 * draft. A file is complete before its name is written anywhere, and never changes.
 */
export class AttachmentStore {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** Stores the content of an attachment: a context's block, or an image's bytes. */
  async save(conversationId: string, attachment: Attachment, content: string | Uint8Array): Promise<void> {
    await replaceFile(this.path(conversationId, attachment), content);
  }

  /** A context's block, or an image's `data:` URL. @throws {ApiError} `attachmentLost` */
  async read(conversationId: string, attachment: Attachment): Promise<string> {
    try {
      const bytes = await readWhole(this.path(conversationId, attachment));
      if (attachment.kind !== 'picture') return bytes.toString('utf8');
      return `data:${attachment.mediaType};base64,${bytes.toString('base64')}`;
    } catch (error) {
      throw new ApiError({ kind: 'attachmentLost', name: attachment.name }, error);
    }
  }

  path(conversationId: string, attachment: Attachment): string {
    const ending = attachment.kind === 'picture' ? pictureEndings[attachment.mediaType] : 'md';
    return join(this.#folderOf(conversationId), `${attachment.id}.${ending}`);
  }

  /** The attachments of the conversation's draft, as far as they can be read. */
  async draft(conversationId: string): Promise<KeptDraft> {
    const path = this.#draftPath(conversationId);
    try {
      return await keptDraft(path);
    } catch {
      return { items: [], isDamaged: true, changedAt: 0 };
    }
  }

  /**
   * Changes the list that's on disk now. A list that can't be parsed is renamed first, and its files stay. If the list
   * can't be read, it stays as it is, and this rejects.
   */
  async changeDraft(
    conversationId: string,
    change: (items: readonly Attachment[]) => readonly Attachment[],
  ): Promise<readonly Attachment[]> {
    const path = this.#draftPath(conversationId);
    return withFileLock(`${path}.lock`, async (lock) => {
      const kept = await keptDraft(path);
      const items = change(kept.items);
      await lock.confirm();
      if (kept.isDamaged) await moveFile(path, `${path}.${crypto.randomUUID()}${DAMAGED}`);
      if (items.length === 0) await removeFile(path);
      else await replaceFile(path, JSON.stringify(items), { beforeRename: () => lock.confirm() });
      return items;
    });
  }

  /** IDs of the conversations with stored attachments. */
  async conversations(): Promise<readonly string[]> {
    return (await namesIn(this.folder)).filter(isConversationId);
  }

  /** Deletes files that have been in neither a message nor a draft for a day. @param used IDs to keep */
  async sweep(conversationId: string, used: ReadonlySet<string>): Promise<void> {
    const folder = this.#folderOf(conversationId);
    const names = await namesIn(folder);
    // A list that can't be read might name any of them.
    if (names.some((name) => name.endsWith(DAMAGED))) return;
    const draft = await this.draft(conversationId);
    if (draft.isDamaged) return;
    // The caller might have found it locked.
    const drafted = new Set(draft.items.map(({ id }) => id));
    const unused: string[] = [];
    for (const name of names) {
      const id = name.slice(0, name.indexOf('.'));
      if (name === DRAFT || used.has(id) || drafted.has(id)) continue;
      const path = join(folder, name);
      if (Date.now() - ((await modifiedAt(path)) ?? Infinity) > KEEP_UNUSED_MS) unused.push(path);
    }
    await removeFiles(unused);
  }

  /** Deletes all attachments of a conversation. */
  async purge(conversationId: string): Promise<void> {
    await removeFolder(this.#folderOf(conversationId));
  }

  #folderOf(conversationId: string): string {
    return join(this.folder, conversationId);
  }

  #draftPath(conversationId: string): string {
    return join(this.#folderOf(conversationId), DRAFT);
  }
}

/** @throws if there's a list that can't be read now. */
async function keptDraft(path: string): Promise<KeptDraft> {
  try {
    const [bytes, changedAt] = await Promise.all([readWhole(path), modifiedAt(path)]);
    return { ...itemsIn(bytes.toString('utf8')), changedAt: changedAt ?? 0 };
  } catch (error) {
    if (isMissing(error)) return { items: [], isDamaged: false, changedAt: 0 };
    throw error;
  }
}

/** One by one, so that an entry from a newer version of Parlance doesn't invalidate the rest. */
function itemsIn(text: string): Pick<KeptDraft, 'items' | 'isDamaged'> {
  const list = v.safeParse(draftSchema, jsonIn(text));
  if (!list.success) return { items: [], isDamaged: true };
  const items = list.output.flatMap((item) => (v.is(attachmentSchema, item) ? [item] : []));
  return { items, isDamaged: items.length < list.output.length };
}
