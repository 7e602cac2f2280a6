import { type ConversationRecord, decodeRecord, encodeRecord } from '../../core/chat/conversationRecord.ts';
import type { ConversationJournal as SessionJournal } from '../../core/chat/sessionSurroundings.ts';
import { DamagedLines } from '../disk/damagedLines.ts';
import { Journal } from '../disk/journal.ts';

/** The most that can be lost if a window is killed during a stream, in milliseconds. */
const GROWTH_DELAY_MS = 100;

export interface ConversationContent {
  readonly records: readonly ConversationRecord[];
  /** Lines that couldn't be read. They stay in the file. */
  readonly damagedLines: number;
}

/** One conversation's append-only file of JSON lines, shared with other windows. */
export class ConversationFile implements SessionJournal {
  readonly #journal: Journal;
  readonly #writer: string;
  /** Records that aren't lines yet, because more can be merged into them. */
  #pending: ConversationRecord[] = [];
  #timer: NodeJS.Timeout | undefined;
  #createdAt: number | undefined;

  constructor(deps: { path: string; writer: string; onError: (error: unknown) => void; onSaved?: () => void }) {
    this.#writer = deps.writer;
    this.#journal = new Journal({
      ...deps,
      options: {
        head: () => [encodeRecord({ type: 'created', version: 1, writer: this.#writer, at: this.#createdAt ?? 0 })],
      },
    });
  }

  /** True while something isn't in the file yet. */
  get hasPending(): boolean {
    return this.#pending.length > 0 || this.#journal.hasUnwritten;
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

  /** Settles when everything appended is in the file, or the failure was reported. */
  async flush(): Promise<void> {
    this.#write();
    await this.#journal.flush();
  }

  /** Reads the whole file. A missing file is an empty conversation. */
  async read(): Promise<ConversationContent> {
    const records: ConversationRecord[] = [];
    const damaged = new DamagedLines();
    await this.#journal.read((line) => {
      const record = decodeRecord(line);
      if (record === undefined) damaged.damaged(line);
      else {
        damaged.whole(line);
        records.push(record);
      }
    });
    return { records, damagedLines: damaged.count };
  }

  /** What other windows have written since the last read. Each line is returned once. */
  async readForeign(): Promise<readonly ConversationRecord[]> {
    const records: ConversationRecord[] = [];
    await this.#journal.readNew((line) => {
      const record = decodeRecord(line);
      if (record !== undefined && record.writer !== this.#writer) records.push(record);
    });
    return records;
  }

  #write(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const [first] = this.#pending;
    if (first === undefined) return;
    this.#createdAt ??= first.at;
    const lines = this.#pending.map(encodeRecord);
    this.#pending = [];
    void this.#journal.append(lines);
  }
}
