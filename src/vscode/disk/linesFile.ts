import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isMissing } from './diskError.ts';
import { openIn } from './makeFolder.ts';
import { readWhole } from './readWhole.ts';
import { retryPassing } from './retryPassing.ts';

/** Long files are read in steps, so that the extension host stays responsive. */
const LINES_A_TURN = 4000;
const WRITES = 3;
const appendOnly = constants.O_WRONLY | constants.O_APPEND;

export interface AppendOptions {
  /** The first lines of a new file. */
  readonly head?: () => readonly string[];
  /** Fails with ENOENT if the file is missing, instead of creating it. */
  readonly existing?: boolean;
  /** Waits until the lines would survive a power failure. */
  readonly isSynced?: boolean;
}

/**
 * A file of lines that several windows append to. Each append is a single write, which the system adds to the end of the
 * file in one piece. It starts with a line feed, so an incomplete line left by a killed window can't damage the next one.
 * Empty and blank lines are ignored.
 */
export class LinesFile {
  readonly path: string;
  #readOffset = 0;

  constructor(path: string) {
    this.path = path;
  }

  /** Creates the folder if needed. If it rejects, some lines might have been written: append all of them again. */
  async append(lines: readonly string[], options: AppendOptions = {}): Promise<void> {
    const file = await this.#open(options.existing === true);
    try {
      const { size } = await file.stat();
      const head = size === 0 ? (options.head?.() ?? []) : [];
      await writeWhole(file, Buffer.from(`\n${[...head, ...lines].join('\n')}\n`));
      if (options.isSynced === true) await file.datasync();
    } finally {
      await file.close();
    }
  }

  /** Reads every complete line from the beginning of the file. A missing file has none. */
  async read(take: (line: string) => void): Promise<void> {
    let bytes: Buffer;
    try {
      bytes = await readWhole(this.path);
    } catch (error) {
      if (isMissing(error)) return;
      throw error;
    }
    this.#readOffset = 0;
    await this.#take(bytes, take);
  }

  /** Reads the lines added since the last read. */
  async readNew(take: (line: string) => void): Promise<void> {
    let file: FileHandle;
    try {
      file = await retryPassing(() => open(this.path, 'r'));
    } catch (error) {
      if (isMissing(error)) return;
      throw error;
    }
    try {
      const { size } = await file.stat();
      if (size <= this.#readOffset) return;
      const bytes = Buffer.alloc(size - this.#readOffset);
      const { bytesRead } = await file.read(bytes, 0, bytes.length, this.#readOffset);
      await this.#take(bytes.subarray(0, bytesRead), take);
    } finally {
      await file.close();
    }
  }

  #open(existing: boolean): Promise<FileHandle> {
    return retryPassing(() => (existing ? open(this.path, appendOnly) : openIn(this.path, 'a')));
  }

  async #take(bytes: Buffer, take: (line: string) => void): Promise<void> {
    // Anything after the last line feed is still being written, or was cut off.
    const end = bytes.lastIndexOf(0x0a) + 1;
    this.#readOffset += end;
    for (const [number, line] of bytes.toString('utf8', 0, end).split('\n').entries()) {
      if (number % LINES_A_TURN === LINES_A_TURN - 1) await nextTurn();
      // JSON doesn't start with a blank: this line was deleted.
      if (line !== '' && !line.startsWith(' ')) take(line);
    }
  }
}

/**
 * In a single write: `appendFile` splits long data into pieces of 512 KiB, and another window could write in between.
 * For the same reason, if the system writes only part of it, all of it is written again instead of just the rest.
 */
async function writeWhole(file: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let writes = 1; ; writes += 1) {
    const { bytesWritten } = await file.write(bytes, 0, bytes.length);
    if (bytesWritten === bytes.length) return;
    if (writes === WRITES) throw new Error(`Only ${bytesWritten} of ${bytes.length} bytes were written`);
  }
}
