import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isMissing } from './diskError.ts';
import { makeFolder } from './makeFolder.ts';
import { readWhole } from './readWhole.ts';
import { retryPassing } from './retryPassing.ts';

/** Long files are read in turns, so that the window goes on meanwhile. */
const LINES_A_TURN = 4000;
const WRITES = 3;
const appendOnly = constants.O_WRONLY | constants.O_APPEND;

export interface AppendOptions {
  /** Lines that a new file begins with. */
  readonly head?: () => readonly string[];
  /** Fails with ENOENT where there is no file, rather than making one. */
  readonly existing?: boolean;
  /** Waits until a power failure can't take it away any more. */
  readonly isSynced?: boolean;
}

/**
 * A file of lines that several windows append to. Each append is one write, which the system puts at the end of the file
 * in one piece, and it begins with a line feed, so a line torn by a killed window spoils no other. Empty and blank lines
 * mean nothing.
 */
export class LinesFile {
  readonly path: string;
  #readOffset = 0;

  constructor(path: string) {
    this.path = path;
  }

  /** Makes the folder it is in. When it rejects, a part of the lines may be there: append all of them again. */
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

  /** Gives every whole line of the file, from its beginning. A file that does not exist has none. */
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

  /** Gives the lines that came since the last read. */
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
    return retryPassing(async () => {
      if (existing) return open(this.path, appendOnly);
      try {
        return await open(this.path, 'a');
      } catch (error) {
        if (!isMissing(error)) throw error;
        await makeFolder(dirname(this.path));
        return open(this.path, 'a');
      }
    });
  }

  async #take(bytes: Buffer, take: (line: string) => void): Promise<void> {
    // What follows the last line feed is still being written, or was torn.
    const end = bytes.lastIndexOf(0x0a) + 1;
    this.#readOffset += end;
    for (const [number, line] of bytes.toString('utf8', 0, end).split('\n').entries()) {
      if (number % LINES_A_TURN === LINES_A_TURN - 1) await nextTurn();
      // JSON does not begin with a blank: such a line was taken away.
      if (line !== '' && !line.startsWith(' ')) take(line);
    }
  }
}

/**
 * In one write: `appendFile` cuts long ones into pieces of 512 KiB, between which another window may write. When the
 * system takes only a part, the rest can't follow for the same reason, so all of it is written again.
 */
async function writeWhole(file: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let writes = 1; ; writes += 1) {
    const { bytesWritten } = await file.write(bytes, 0, bytes.length);
    if (bytesWritten === bytes.length) return;
    if (writes === WRITES) throw new Error(`Only ${bytesWritten} of ${bytes.length} bytes were written`);
  }
}
