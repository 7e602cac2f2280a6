import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { MediaLibrary, type MediaRun } from '../../core/mediaLibrary.ts';
import { decodeMediaRecord, type MediaFact, type MediaRecord } from '../../core/mediaRecord.ts';
import { LinesFile } from '../disk/linesFile.ts';

const RETRY_DELAY_MS = 5000;

/** The gallery's records: one append-only file that all windows share, and the library that it makes. */
export class MediaStore {
  readonly #path: string;
  readonly #writer: string;
  readonly #onError: (error: unknown) => void;
  readonly #onChange: (run: MediaRun) => void;
  readonly #file: LinesFile;
  readonly library = new MediaLibrary();
  #loading: Promise<void> | undefined;
  #tail: Promise<unknown> = Promise.resolve();
  /** Facts that the disk would not take. */
  #unwritten: string[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(deps: {
    readonly path: string;
    readonly writer: string;
    /** Told once when something could not be written; it is kept and tried again. */
    readonly onError: (error: unknown) => void;
    readonly onChange: (run: MediaRun) => void;
  }) {
    this.#path = deps.path;
    this.#writer = deps.writer;
    this.#onError = deps.onError;
    this.#onChange = deps.onChange;
    this.#file = new LinesFile(deps.path);
  }

  /** Reads what is there, at the first call. */
  load(): Promise<void> {
    this.#loading ??= this.#file
      .read((line) => this.#take(line))
      .catch((error: unknown) => {
        this.#loading = undefined;
        throw error;
      });
    return this.#loading;
  }

  /** What other windows wrote since. */
  async refresh(): Promise<void> {
    await this.load();
    await this.#inTurn(async () => {
      const changed = new Set<MediaRun>();
      await this.#file.readNew((line) => {
        const run = this.#take(line);
        if (run !== undefined) changed.add(run);
      });
      for (const { id } of changed) {
        const run = this.library.get(id);
        if (run !== undefined) this.#onChange(run);
      }
    });
  }

  /**
   * Writes a fact. The start of a run has to be on disk: where it cannot be, this rejects, and there is
   * no such run. All else counts at once and is tried again.
   */
  async append(fact: MediaFact): Promise<void> {
    const record: MediaRecord = { ...fact, writer: this.#writer, at: Date.now() };
    const line = JSON.stringify(record);
    await this.load();
    if (fact.type === 'started') {
      await this.#inTurn(() => this.#write([line]));
      this.#applied(record);
      return;
    }
    this.#applied(record);
    this.#unwritten.push(line);
    await this.#inTurn(() => this.#writeRest());
  }

  dispose(): void {
    clearTimeout(this.#timer);
  }

  #applied(record: MediaRecord): void {
    const run = this.library.apply(record);
    if (run !== undefined) this.#onChange(run);
  }

  #take(line: string): MediaRun | undefined {
    const record = decodeMediaRecord(line);
    // Our own count already; a second time they would change nothing, but tell of it again.
    if (record === undefined || record.writer === this.#writer) return undefined;
    return this.library.apply(record);
  }

  async #writeRest(): Promise<void> {
    const lines = this.#unwritten;
    if (lines.length === 0) return;
    this.#unwritten = [];
    const wasFailing = this.#timer !== undefined;
    try {
      await this.#write(lines);
      clearTimeout(this.#timer);
      this.#timer = undefined;
    } catch (error) {
      this.#unwritten = [...lines, ...this.#unwritten];
      if (!wasFailing) this.#onError(error);
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => void this.#inTurn(() => this.#writeRest()), RETRY_DELAY_MS).unref();
    }
  }

  async #write(lines: readonly string[]): Promise<void> {
    await mkdir(dirname(this.#path), { recursive: true });
    await this.#file.append(lines);
  }

  #inTurn<T>(act: () => Promise<T>): Promise<T> {
    const result = this.#tail.then(act);
    this.#tail = result.catch(() => undefined);
    return result;
  }
}
