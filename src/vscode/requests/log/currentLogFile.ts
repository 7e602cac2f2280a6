import type { LogFile, LogFiles } from './logFiles.ts';

/**
 * In bytes, about 400 requests: the amount that is read at once when the list opens, and deleted at once when the
 * history is full.
 */
const FILE_BYTES = 256 * 1024;
/** Dozens of an agent's requests, which are long. A long history would otherwise be a file for every few of them. */
const BODIES_BYTES = 16 * 1024 * 1024;
/** One of these parts of a full history is deleted at once. */
const PARTS = 8;
const CHECK_MS = 2000;

export interface LogLimits {
  readonly maxCount: number;
  readonly maxBytes: number;
}

interface KnownFile {
  readonly name: string;
  /** Number of requests in it, including those of other windows as far as known. */
  count: number;
  /** When it was last found to be the newest, as Unix time in milliseconds. */
  readonly checkedAt: number;
}

interface CurrentLogFileDeps {
  readonly files: LogFiles;
  readonly limits: () => LogLimits;
  readonly countOf: (file: LogFile) => Promise<number>;
  readonly startsIn: (name: string) => Promise<number>;
  readonly remove: (name: string) => Promise<void>;
  readonly onError: (error: unknown) => void;
}

/** The file that this window appends to: the newest one, which all windows share, until it's full. */
export class CurrentLogFile {
  readonly #deps: CurrentLogFileDeps;
  #known: KnownFile | undefined;

  /**
   * @param deps.countOf number of requests in a file; called when a new file is started.
   * @param deps.startsIn the same, read from the file itself.
   * @param deps.remove deletes a file of a full history.
   * @param deps.onError called when a full history couldn't be shortened.
   */
  constructor(deps: CurrentLogFileDeps) {
    this.#deps = deps;
  }

  /** The newest file, or a new one if that is full. @param at Unix time in milliseconds. */
  async nameAt(at: number): Promise<string> {
    return (await this.#fileAt(at)).name;
  }

  /** A request was started in it. */
  counted(): void {
    if (this.#known !== undefined) this.#known.count += 1;
  }

  /** The history was cleared. */
  forget(): void {
    this.#known = undefined;
  }

  async #fileAt(at: number): Promise<KnownFile> {
    const known = this.#known;
    // The folder isn't listed for each request. During this time, two windows might write to two files.
    if (known !== undefined && at - known.checkedAt < CHECK_MS && at >= known.checkedAt) {
      if (!(await this.#isFull(known)) && (await this.#deps.files.sizes(known.name)).rows > 0) return known;
    }
    const [newest] = await this.#deps.files.names();
    if (newest !== undefined) {
      const count = known?.name === newest ? known.count : await this.#deps.startsIn(newest);
      this.#known = { name: newest, count, checkedAt: at };
      if (!(await this.#isFull(this.#known))) return this.#known;
      // Files that can't be deleted now are deleted with the next one.
      await this.#giveUpOldest().catch(this.#deps.onError);
    }
    this.#known = { name: nameFor(at, newest), count: 0, checkedAt: at };
    return this.#known;
  }

  async #isFull({ name, count }: KnownFile): Promise<boolean> {
    const { maxBytes, maxCount } = this.#deps.limits();
    const { rows, bodies } = await this.#deps.files.sizes(name);
    return (
      rows >= FILE_BYTES ||
      bodies >= BODIES_BYTES ||
      rows + bodies >= maxBytes / PARTS ||
      count >= Math.max(1, Math.floor(maxCount / PARTS))
    );
  }

  /**
   * Makes room for the file that is about to be started. Rows are small, and sums of costs and speeds need them, so
   * bodies are deleted first.
   */
  async #giveUpOldest(): Promise<void> {
    const { maxBytes, maxCount } = this.#deps.limits();
    let bytes = maxBytes / PARTS;
    let count = Math.floor(maxCount / PARTS);
    let isFull = false;
    const kept: string[] = [];
    for (const file of await this.#deps.files.all()) {
      count += await this.#deps.countOf(file);
      isFull ||= bytes + file.bytes > maxBytes || count > maxCount;
      if (isFull) {
        await this.#deps.remove(file.name);
      } else {
        bytes += file.bytes;
        kept.push(file.name);
      }
    }
    const bodies = await this.#deps.files.bodySizes();
    for (const name of kept) {
      bytes += bodies.get(name) ?? 0;
      if (bytes > maxBytes) await this.#deps.files.removeBodies(name);
    }
  }
}

/** Milliseconds since 1970, so that names sort by time. Always after the newest, no matter what the clock says. */
function nameFor(at: number, newest = '0'): string {
  return String(Math.max(Math.floor(at), Number(newest) + 1)).padStart(15, '0');
}
