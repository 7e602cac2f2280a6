import { readFile, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { ApiError } from '../../api/apiError.ts';
import { attachmentSchema } from '../../core/conversationRecord.ts';
import { type Attachment, pictureEndings } from '../../shared/attachment.ts';
import { isMissing } from '../disk/diskError.ts';
import { moveFile, removeFile, removeFolder } from '../disk/removeFile.ts';
import { replaceFile } from '../disk/replaceFile.ts';
import { isConversationId } from '../chat/conversationId.ts';

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
      const bytes = await readFile(this.path(conversationId, attachment));
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
      const [text, { mtimeMs }] = await Promise.all([readFile(path, 'utf8'), stat(path)]);
      return { ...itemsIn(text), changedAt: mtimeMs };
    } catch (error) {
      return { items: [], isDamaged: !isMissing(error), changedAt: 0 };
    }
  }

  /** Renames a list that cannot be read, so that the next one does not take its place. What it names stays too. */
  async setAside(conversationId: string): Promise<void> {
    const path = this.#draftPath(conversationId);
    await moveFile(path, `${path}.${crypto.randomUUID()}${DAMAGED}`);
  }

  async saveDraft(conversationId: string, items: readonly Attachment[]): Promise<void> {
    const path = this.#draftPath(conversationId);
    if (items.length === 0) return removeFile(path);
    await replaceFile(path, JSON.stringify(items));
  }

  /** Ids of the conversations that keep anything here. */
  async conversations(): Promise<readonly string[]> {
    try {
      return (await readdir(this.folder)).filter(isConversationId);
    } catch (error) {
      if (isMissing(error)) return [];
      throw error;
    }
  }

  /** Takes away what has been in neither a message nor a draft for a day. @param used ids that are to stay */
  async sweep(conversationId: string, used: ReadonlySet<string>): Promise<void> {
    const folder = this.#folderOf(conversationId);
    const names = await readdir(folder).catch((): string[] => []);
    // A list that cannot be read may name any of them.
    if (names.some((name) => name.endsWith(DAMAGED)) || (await this.draft(conversationId)).isDamaged) return;
    for (const name of names) {
      const id = name.slice(0, name.indexOf('.'));
      if (name === DRAFT || used.has(id)) continue;
      const path = join(folder, name);
      const { mtimeMs } = await stat(path);
      if (Date.now() - mtimeMs > KEEP_UNUSED_MS) await removeFile(path);
    }
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
