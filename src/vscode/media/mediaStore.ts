import { MediaLibrary, type MediaRun } from '../../core/media/mediaLibrary.ts';
import { decodeMediaRecord, type MediaFact, type MediaRecord } from '../../core/media/mediaRecord.ts';
import { Journal } from '../disk/journal.ts';

/** The gallery's records: one append-only file that all windows share, and the library built from it. */
export class MediaStore {
  readonly #writer: string;
  readonly #onChange: (run: MediaRun) => void;
  readonly #journal: Journal;
  readonly library = new MediaLibrary();
  #loading: Promise<void> | undefined;
  #hasNewerLines = false;

  constructor(deps: {
    readonly path: string;
    readonly writer: string;
    /** Called once when something couldn't be written; it's kept and retried. */
    readonly onError: (error: unknown) => void;
    readonly onChange: (run: MediaRun) => void;
  }) {
    this.#writer = deps.writer;
    this.#onChange = deps.onChange;
    this.#journal = new Journal(deps);
  }

  /** Whether the file has lines of a newer version of Parlance, which say something that's unknown here. */
  get hasNewerLines(): boolean {
    return this.#hasNewerLines;
  }

  /** Reads the records, with the first call. */
  load(): Promise<void> {
    this.#loading ??= this.#journal
      .read((line) => this.#take(line))
      .catch((error: unknown) => {
        this.#loading = undefined;
        throw error;
      });
    return this.#loading;
  }

  /** Reads what other windows have written since. */
  async refresh(): Promise<void> {
    await this.load();
    const changed = new Set<MediaRun>();
    await this.#journal.readNew((line) => {
      const run = this.#take(line);
      if (run !== undefined) changed.add(run);
    });
    for (const { id } of changed) {
      const run = this.library.get(id);
      if (run !== undefined) this.#onChange(run);
    }
  }

  /**
   * Writes a fact. The start of a run must be on disk: if it can't be written, this rejects, and the run doesn't exist.
   * Everything else counts at once and is retried.
   */
  async append(fact: MediaFact): Promise<void> {
    const record: MediaRecord = { ...fact, writer: this.#writer, at: Date.now() };
    const line = JSON.stringify(record);
    await this.load();
    if (fact.type === 'started') {
      await this.#journal.write([line]);
      this.#applied(record);
      return;
    }
    this.#applied(record);
    await this.#journal.append([line]);
  }

  /** Erases all that was recorded about these runs, on the disk too. Rejects if that failed. */
  async erase(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    await this.#journal.blank(new Set(ids));
    this.library.forget(ids);
  }

  /** Settles when everything is on disk, or the failure was reported. */
  flush(): Promise<void> {
    return this.#journal.flush();
  }

  dispose(): void {
    this.#journal.dispose();
  }

  #applied(record: MediaRecord): void {
    const run = this.library.apply(record);
    if (run !== undefined) this.#onChange(run);
  }

  #take(line: string): MediaRun | undefined {
    const record = decodeMediaRecord(line);
    if (record === undefined && isJson(line)) this.#hasNewerLines = true;
    // Our own facts are already applied. A second time they'd change nothing, but fire another event.
    if (record === undefined || record.writer === this.#writer) return undefined;
    return this.library.apply(record);
  }
}

/** A line that was cut off isn't. */
function isJson(line: string): boolean {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}
