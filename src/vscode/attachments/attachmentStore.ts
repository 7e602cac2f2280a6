import { mkdir, readFile, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { ApiError } from '../../api/apiError.ts';
import { attachmentSchema } from '../../core/conversationRecord.ts';
import { type Attachment, pictureEndings } from '../../shared/attachment.ts';
import { isMissing } from '../linesFile.ts';
import { isConversationId } from '../chat/conversationId.ts';

const DRAFT = 'draft.json';
const KEEP_UNUSED_MS = 24 * 60 * 60 * 1000;

const draftSchema = v.array(attachmentSchema);

/** What was added to a draft, with the time of the last change. */
export interface KeptDraft {
  readonly items: readonly Attachment[];
  /** Unix time in milliseconds. */
  readonly changedAt: number;
}

/**
 * The contents of what goes with messages: a folder for each conversation, a file for each thing, and the
 * list of what was added to the draft. A file is whole before its name is written anywhere, and never changes.
 */
export class AttachmentStore {
  readonly folder: string;
  readonly #writer: string;

  constructor(deps: {
    readonly folder: string;
    /** Names this window, for its temporary files. */
    readonly writer: string;
  }) {
    this.folder = deps.folder;
    this.#writer = deps.writer;
  }

  /** Keeps a content: a context's block, a picture's bytes. */
  async save(conversationId: string, attachment: Attachment, content: string | Uint8Array): Promise<void> {
    await mkdir(this.#folderOf(conversationId), { recursive: true });
    await this.#replace(this.path(conversationId, attachment), content);
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

  /** What was added to the conversation's draft. A list that cannot be read is empty; its file is kept. */
  async draft(conversationId: string): Promise<KeptDraft> {
    try {
      const path = join(this.#folderOf(conversationId), DRAFT);
      const [text, { mtimeMs }] = await Promise.all([readFile(path, 'utf8'), stat(path)]);
      const parsed = v.safeParse(draftSchema, JSON.parse(text));
      return { items: parsed.success ? parsed.output : [], changedAt: mtimeMs };
    } catch {
      return { items: [], changedAt: 0 };
    }
  }

  async saveDraft(conversationId: string, items: readonly Attachment[]): Promise<void> {
    const folder = this.#folderOf(conversationId);
    if (items.length === 0) return rm(join(folder, DRAFT), { force: true });
    await mkdir(folder, { recursive: true });
    await this.#replace(join(folder, DRAFT), JSON.stringify(items));
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
    for (const name of names) {
      const id = name.slice(0, name.indexOf('.'));
      if (name === DRAFT || used.has(id)) continue;
      const path = join(folder, name);
      const { mtimeMs } = await stat(path);
      if (Date.now() - mtimeMs > KEEP_UNUSED_MS) await rm(path, { force: true });
    }
  }

  /** Takes away all that a conversation keeps here. */
  async purge(conversationId: string): Promise<void> {
    await rm(this.#folderOf(conversationId), { recursive: true, force: true });
  }

  #folderOf(conversationId: string): string {
    return join(this.folder, conversationId);
  }

  /** By rename, so that no one reads half a file. */
  async #replace(path: string, content: string | Uint8Array): Promise<void> {
    const temporary = `${path}.${this.#writer}.tmp`;
    try {
      await writeFile(temporary, content);
      await rename(temporary, path);
    } catch (error) {
      await rm(temporary, { force: true }).catch(() => undefined);
      throw error;
    }
  }
}
