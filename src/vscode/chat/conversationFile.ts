import { open, readFile } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ConversationRecord } from '../../core/conversationRecord.ts';
import { decodeRecord, encodeRecord } from '../../core/conversationRecord.ts';
import type { Journal } from '../../core/chatSession.ts';

/** What a window killed in mid-stream may lose at the most. */
const GROWTH_DELAY_MS = 100;
const RETRY_DELAY_MS = 5000;
// Long files are read in turns, so that the window goes on meanwhile.
const LINES_A_TURN = 4000;

export interface ConversationContent {
  readonly records: readonly ConversationRecord[];
  /** Lines that could not be read. They stay in the file. */
  readonly damagedLines: number;
}

/**
 * One conversation's append-only file of JSON lines, shared with other windows. Each append is one
 * write that begins with a line feed, so a line torn by a killed window spoils no other.
 */
export class ConversationFile implements Journal {
  readonly path: string;
  readonly #writer: string;
  readonly #onError: (error: unknown) => void;
  #pending: ConversationRecord[] = [];
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();
  #reading: Promise<unknown> = Promise.resolve();
  #readOffset = 0;
  #failing = false;
  #isWriting = false;

  constructor(deps: { path: string; writer: string; onError: (error: unknown) => void }) {
    this.path = deps.path;
    this.#writer = deps.writer;
    this.#onError = deps.onError;
  }

  /** True while something is not in the file yet. */
  get hasPending(): boolean {
    return this.#pending.length > 0 || this.#isWriting;
  }

  append(record: ConversationRecord): void {
    const last = this.#pending.at(-1);
    if (
      last?.type === 'replyGrew' &&
      record.type === 'replyGrew' &&
      last.id === record.id &&
      last.part === record.part
    ) {
      last.text += record.text;
    } else {
      // A copy, because growth is merged into it.
      this.#pending.push({ ...record });
    }
    if (record.type !== 'replyGrew') this.#write();
    else this.#timer ??= setTimeout(() => this.#write(), GROWTH_DELAY_MS);
  }

  /** Settles when all that was appended is in the file, or could not be written and was reported. */
  async flush(): Promise<void> {
    this.#write();
    await this.#writing;
  }

  /** Reads the whole file. A file that does not exist is an empty conversation. */
  async read(): Promise<ConversationContent> {
    let bytes: Buffer;
    try {
      bytes = await readFile(this.path);
    } catch (error) {
      if (isMissing(error)) return { records: [], damagedLines: 0 };
      throw error;
    }
    this.#readOffset = 0;
    return this.#take(bytes);
  }

  /** What other windows have written since the last read. Reads follow one another: each line is given once. */
  readForeign(): Promise<readonly ConversationRecord[]> {
    const read = this.#reading.then(() => this.#readNew());
    this.#reading = read.catch(() => undefined);
    return read;
  }

  async #readNew(): Promise<readonly ConversationRecord[]> {
    let file;
    try {
      file = await open(this.path, 'r');
    } catch (error) {
      if (isMissing(error)) return [];
      throw error;
    }
    try {
      const { size } = await file.stat();
      if (size <= this.#readOffset) return [];
      const bytes = Buffer.alloc(size - this.#readOffset);
      const { bytesRead } = await file.read(bytes, 0, bytes.length, this.#readOffset);
      const { records } = await this.#take(bytes.subarray(0, bytesRead));
      return records.filter((record) => record.writer !== this.#writer);
    } finally {
      await file.close();
    }
  }

  async #take(bytes: Buffer): Promise<ConversationContent> {
    // What follows the last line feed is still being written, or was torn.
    const end = bytes.lastIndexOf(0x0a) + 1;
    this.#readOffset += end;
    const records: ConversationRecord[] = [];
    let damagedLines = 0;
    for (const [number, line] of bytes.toString('utf8', 0, end).split('\n').entries()) {
      if (number % LINES_A_TURN === LINES_A_TURN - 1) await nextTurn();
      if (line === '') continue;
      const record = decodeRecord(line);
      if (record === undefined) damagedLines += 1;
      else records.push(record);
    }
    return { records, damagedLines };
  }

  #write(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writing = this.#writing.then(() => this.#writePending());
  }

  async #writePending(): Promise<void> {
    const batch = this.#pending;
    if (batch.length === 0) return;
    this.#pending = [];
    this.#isWriting = true;
    try {
      const file = await open(this.path, 'a');
      try {
        const { size } = await file.stat();
        const first = batch[0];
        const head =
          size === 0 && first !== undefined
            ? [encodeRecord({ type: 'created', version: 1, writer: this.#writer, at: first.at })]
            : [];
        // Unlike `write`, this goes on after a part was written, and fails when the rest cannot be.
        await file.appendFile(`\n${[...head, ...batch.map(encodeRecord)].join('\n')}\n`);
        this.#failing = false;
      } finally {
        await file.close();
      }
    } catch (error) {
      // Kept and tried again; the user is told once, nothing is dropped. Lines that had got there are
      // written twice then, which a reader does not notice.
      this.#pending = [...batch, ...this.#pending];
      if (!this.#failing) this.#onError(error);
      this.#failing = true;
      this.#timer ??= setTimeout(() => this.#write(), RETRY_DELAY_MS).unref();
    } finally {
      this.#isWriting = false;
    }
  }
}

export function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
