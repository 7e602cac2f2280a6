import { constants, type Stats } from 'node:fs';
import { open, readFile, type FileHandle } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';

// Long files are read in turns, so that the window goes on meanwhile.
const LINES_A_TURN = 4000;
const appendOnly = constants.O_WRONLY | constants.O_APPEND;

/**
 * A file of lines that several windows append to. Each append is one write that begins with a line
 * feed, so a line torn by a killed window spoils no other. Empty and blank lines mean nothing.
 */
export class LinesFile {
  readonly path: string;
  #readOffset = 0;

  constructor(path: string) {
    this.path = path;
  }

  /**
   * @param options.head lines that a new file begins with.
   * @param options.existing fails with ENOENT where there is no file, rather than making one.
   * @returns the size of the file after it, in bytes.
   */
  async append(
    lines: readonly string[],
    options: { readonly head?: () => readonly string[]; readonly existing?: boolean } = {},
  ): Promise<number> {
    const file = await open(this.path, options.existing === true ? appendOnly : 'a');
    try {
      const { size } = await file.stat();
      const head = size === 0 ? (options.head?.() ?? []) : [];
      const text = `\n${[...head, ...lines].join('\n')}\n`;
      // Unlike `write`, this goes on after a part was written, and fails when the rest cannot be.
      await file.appendFile(text);
      return size + Buffer.byteLength(text);
    } finally {
      await file.close();
    }
  }

  /** Gives every whole line of the file, from its beginning. A file that does not exist has none. */
  async read(take: (line: string) => void): Promise<void> {
    let bytes: Buffer;
    try {
      bytes = await readFile(this.path);
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
      file = await open(this.path, 'r');
    } catch (error) {
      if (isMissing(error)) return;
      throw error;
    }
    try {
      const { size }: Stats = await file.stat();
      if (size <= this.#readOffset) return;
      const bytes = Buffer.alloc(size - this.#readOffset);
      const { bytesRead } = await file.read(bytes, 0, bytes.length, this.#readOffset);
      await this.#take(bytes.subarray(0, bytesRead), take);
    } finally {
      await file.close();
    }
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

export function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
