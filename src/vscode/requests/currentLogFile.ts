import type { LogFile, LogFiles } from './logFiles.ts';

/** About 400 requests: what is read at once when the list opens, and what is given up at once when the log is full. */
const FILE_BYTES = 256 * 1024;
const BODIES_BYTES = 4 * 1024 * 1024;
/** A full log keeps at least seven eighths of what it may hold. */
const PARTS = 8;
const CHECK_MS = 2000;

export interface LogLimits {
  readonly maxCount: number;
  readonly maxBytes: number;
}

interface KnownFile {
  readonly name: string;
  /** Requests in it, those of other windows as far as they were seen. */
  count: number;
  /** When it was last found to be the newest, Unix time in milliseconds. */
  readonly checkedAt: number;
}

/** The file that this window appends to: the newest one, which all windows share, until it is full. */
export class CurrentLogFile {
  readonly #files: LogFiles;
  readonly #limits: () => LogLimits;
  readonly #countOf: (file: LogFile) => Promise<number>;
  readonly #startsIn: (name: string) => Promise<number>;
  readonly #remove: (name: string) => Promise<void>;
  readonly #onError: (error: unknown) => void;
  #known: KnownFile | undefined;

  /**
   * @param deps.countOf requests in a file; asked when a new file is begun.
   * @param deps.startsIn the same, read from the file itself.
   * @param deps.remove gives up a file of a full log.
   * @param deps.onError told when a full log could not be shortened.
   */
  constructor(deps: {
    readonly files: LogFiles;
    readonly limits: () => LogLimits;
    readonly countOf: (file: LogFile) => Promise<number>;
    readonly startsIn: (name: string) => Promise<number>;
    readonly remove: (name: string) => Promise<void>;
    readonly onError: (error: unknown) => void;
  }) {
    this.#files = deps.files;
    this.#limits = deps.limits;
    this.#countOf = deps.countOf;
    this.#startsIn = deps.startsIn;
    this.#remove = deps.remove;
    this.#onError = deps.onError;
  }

  /** The newest file, or a new one where that is full. @param at Unix time in milliseconds. */
  async nameAt(at: number): Promise<string> {
    return (await this.#fileAt(at)).name;
  }

  /** A request was begun in it. */
  counted(): void {
    if (this.#known !== undefined) this.#known.count += 1;
  }

  /** The log was emptied. */
  forget(): void {
    this.#known = undefined;
  }

  async #fileAt(at: number): Promise<KnownFile> {
    const known = this.#known;
    // The folder is not read anew for each request. For so long two windows may write into two files.
    if (known !== undefined && at - known.checkedAt < CHECK_MS && at >= known.checkedAt) {
      if (!(await this.#isFull(known)) && (await this.#files.sizes(known.name)).rows > 0) return known;
    }
    const [newest] = await this.#files.names();
    if (newest !== undefined) {
      const count = known?.name === newest ? known.count : await this.#startsIn(newest);
      this.#known = { name: newest, count, checkedAt: at };
      if (!(await this.#isFull(this.#known))) return this.#known;
      // What can't be deleted now is given up with the next file.
      await this.#giveUpOldest().catch(this.#onError);
    }
    this.#known = { name: nameFor(at, newest), count: 0, checkedAt: at };
    return this.#known;
  }

  async #isFull({ name, count }: KnownFile): Promise<boolean> {
    const { maxBytes, maxCount } = this.#limits();
    const { rows, bodies } = await this.#files.sizes(name);
    return (
      rows >= FILE_BYTES ||
      bodies >= BODIES_BYTES ||
      rows + bodies >= maxBytes / PARTS ||
      count >= Math.max(1, Math.floor(maxCount / PARTS))
    );
  }

  /** Leaves room for the file that is about to be begun. */
  async #giveUpOldest(): Promise<void> {
    const { maxBytes, maxCount } = this.#limits();
    let bytes = maxBytes / PARTS;
    let count = Math.floor(maxCount / PARTS);
    for (const file of await this.#files.all()) {
      bytes += file.bytes;
      count += await this.#countOf(file);
      if (bytes > maxBytes || count > maxCount) await this.#remove(file.name);
    }
  }
}

/** Milliseconds since 1970, so that names sort by time; after the newest whatever the clock says. */
function nameFor(at: number, newest = '0'): string {
  return String(Math.max(Math.floor(at), Number(newest) + 1)).padStart(15, '0');
}
