import type { ConversationRecord } from '../../core/conversationRecord.ts';
import { decodeRecord, encodeRecord } from '../../core/conversationRecord.ts';
import type { Journal } from '../../core/sessionSurroundings.ts';
import { LinesFile } from '../disk/linesFile.ts';

/** What a window killed in mid-stream may lose at the most. */
const GROWTH_DELAY_MS = 100;
const RETRY_DELAY_MS = 5000;

export interface ConversationContent {
  readonly records: readonly ConversationRecord[];
  /** Lines that could not be read. They stay in the file. */
  readonly damagedLines: number;
}

/** One conversation's append-only file of JSON lines, shared with other windows. */
export class ConversationFile implements Journal {
  readonly #file: LinesFile;
  readonly #writer: string;
  readonly #onError: (error: unknown) => void;
  #pending: ConversationRecord[] = [];
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();
  #reading: Promise<unknown> = Promise.resolve();
  #failing = false;
  #isWriting = false;

  constructor(deps: { path: string; writer: string; onError: (error: unknown) => void }) {
    this.#file = new LinesFile(deps.path);
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
    const records: ConversationRecord[] = [];
    let damagedLines = 0;
    await this.#file.read((line) => {
      const record = decodeRecord(line);
      if (record === undefined) damagedLines += 1;
      else records.push(record);
    });
    return { records, damagedLines };
  }

  /** What other windows have written since the last read. Reads follow one another: each line is given once. */
  readForeign(): Promise<readonly ConversationRecord[]> {
    const read = this.#reading.then(() => this.#readNew());
    this.#reading = read.catch(() => undefined);
    return read;
  }

  async #readNew(): Promise<readonly ConversationRecord[]> {
    const records: ConversationRecord[] = [];
    await this.#file.readNew((line) => {
      const record = decodeRecord(line);
      if (record !== undefined && record.writer !== this.#writer) records.push(record);
    });
    return records;
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
      const at = batch[0]?.at ?? 0;
      await this.#file.append(batch.map(encodeRecord), {
        head: () => [encodeRecord({ type: 'created', version: 1, writer: this.#writer, at })],
      });
      this.#failing = false;
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
