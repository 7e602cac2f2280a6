import { join } from 'node:path';
import * as v from 'valibot';
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

/** What was added to a draft, with the time of the last change. */
export interface KeptDraft {
  readonly items: readonly Attachment[];
  /** A part of the list or all of it cannot be read. Its file stays until it is set aside. */
  readonly isDamaged: boolean;
  /** Unix time in milliseconds. */
  readonly changedAt: number;
}

/**
 * The contents of what goes with messages: a folder for each conversation, a file for each thing, and the
 * list of what was added to the draft. A file is whole before its name is written anywhere, and never changes.
 */
export class AttachmentStore {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** Keeps a content: a context's block, a picture's bytes. */
  async save(conversationId: string, attachment: Attachment, content: string | Uint8Array): Promise<void> {
    await replaceFile(this.path(conversationId, attachment), content);
  }

  /** The block of a context, the `data:` address of a picture. @throws {ApiError} `attachmentLost` */
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

  /** What was added to the conversation's draft, as far as it can be read. */
  async draft(conversationId: string): Promise<KeptDraft> {
    const path = this.#draftPath(conversationId);
    try {
      return await keptDraft(path);
    } catch {
      return { items: [], isDamaged: true, changedAt: 0 };
    }
  }

  /**
   * Changes the list as it is on disk now. One that can't be understood is renamed first, and what it names stays; one
   * that can't be read stays as it is, and this rejects.
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

  /** Ids of the conversations that keep anything here. */
  async conversations(): Promise<readonly string[]> {
    return (await namesIn(this.folder)).filter(isConversationId);
  }

  /** Takes away what has been in neither a message nor a draft for a day. @param used ids that are to stay */
  async sweep(conversationId: string, used: ReadonlySet<string>): Promise<void> {
    const folder = this.#folderOf(conversationId);
    const names = await namesIn(folder);
    // A list that cannot be read may name any of them.
    if (names.some((name) => name.endsWith(DAMAGED)) || (await this.draft(conversationId)).isDamaged) return;
    const unused: string[] = [];
    for (const name of names) {
      const id = name.slice(0, name.indexOf('.'));
      if (name === DRAFT || used.has(id)) continue;
      const path = join(folder, name);
      if (Date.now() - ((await modifiedAt(path)) ?? Infinity) > KEEP_UNUSED_MS) unused.push(path);
    }
    await removeFiles(unused);
  }

  /** Takes away all that a conversation keeps here. */
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

/** @throws where there is a list that can't be read now. */
async function keptDraft(path: string): Promise<KeptDraft> {
  try {
    const [bytes, changedAt] = await Promise.all([readWhole(path), modifiedAt(path)]);
    return { ...itemsIn(bytes.toString('utf8')), changedAt: changedAt ?? 0 };
  } catch (error) {
    if (isMissing(error)) return { items: [], isDamaged: false, changedAt: 0 };
    throw error;
  }
}

/** One by one: what a newer version of Parlance has added must not take the rest with it. */
function itemsIn(text: string): Pick<KeptDraft, 'items' | 'isDamaged'> {
  const list = v.safeParse(draftSchema, parsedJson(text));
  if (!list.success) return { items: [], isDamaged: true };
  const items = list.output.flatMap((item) => (v.is(attachmentSchema, item) ? [item] : []));
  return { items, isDamaged: items.length < list.output.length };
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
