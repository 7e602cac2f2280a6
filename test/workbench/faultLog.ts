import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { lostMessage } from './isOurFault.ts';

const entryStart = /^(?=\d{4}-\d\d-\d\d )/gm;

/**
 * VS Code's log files, read for what went wrong: errors in the log of each extension host, with their stacks, and what
 * Parlance's own log says about messages that were rejected. VS Code catches errors in event listeners, and for an
 * extension that is linked into its folder it reports them nowhere else.
 */
export class FaultLog {
  readonly #folder: string;
  /** How many bytes of each file have been read. */
  readonly #read = new Map<string, number>();

  /** @param folder `logs` in VS Code's data */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** @returns what was logged since the last call; each fault once. */
  async take(): Promise<readonly string[]> {
    const entries = await readdir(this.#folder, { recursive: true, withFileTypes: true }).catch(() => []);
    const faults: string[] = [];
    for (const { parentPath, name } of entries.filter((entry) => entry.isFile())) {
      const isHost = name.endsWith('exthost.log');
      if (!isHost && !/parlance/i.test(name)) continue;
      const text = await this.#more(join(parentPath, name));
      if (!isHost) faults.push(...text.split('\n').filter((line) => lostMessage.test(line)));
      // An entry can span many lines, with its stack.
      else
        for (const entry of text.split(entryStart))
          if (entry.includes(' [error] ')) faults.push(`extension host: ${entry}`);
    }
    return faults;
  }

  /** What was added, without an entry that is only half written: without its stack, it could be anyone's. */
  async #more(path: string): Promise<string> {
    await using file = await open(path, 'r');
    const { size } = await file.stat();
    const from = this.#read.get(path) ?? 0;
    if (size <= from) return '';
    const { buffer, bytesRead } = await file.read(Buffer.alloc(size - from), 0, size - from, from);
    const text = buffer.subarray(0, bytesRead).toString();
    const whole = text.endsWith('\n') ? text : text.slice(0, startOfLastEntry(text));
    this.#read.set(path, from + Buffer.byteLength(whole));
    return whole;
  }
}

/** Lines without a date continue the entry above them. */
function startOfLastEntry(text: string): number {
  return [...text.matchAll(entryStart)].at(-1)?.index ?? 0;
}
