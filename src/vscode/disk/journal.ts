import { LinesFile, type AppendOptions } from './linesFile.ts';
import { Queue } from './queue.ts';
import { Saver } from './saver.ts';

/**
 * A file of lines that windows share, and this window's lines that aren't in it yet: what can't be written is kept, in
 * order, and tried again. Lines that got there before a failure are written twice, so a line has to mean the same twice.
 */
export class Journal {
  readonly #file: LinesFile;
  readonly #options: AppendOptions;
  readonly #queue = new Queue();
  readonly #saver: Saver;
  #unwritten: readonly string[] = [];

  constructor(deps: {
    readonly path: string;
    /** Told once when something could not be written; it is kept and tried again. */
    readonly onError: (error: unknown) => void;
    readonly options?: AppendOptions;
  }) {
    this.#file = new LinesFile(deps.path);
    this.#options = deps.options ?? {};
    this.#saver = new Saver({ save: () => this.#save(), onError: deps.onError, queue: this.#queue });
  }

  /** True while something is not in the file yet. */
  get hasUnwritten(): boolean {
    return this.#unwritten.length > 0;
  }

  /** Settles when the lines are in the file, or it was reported that they aren't yet. @returns whether they are */
  append(lines: readonly string[]): Promise<boolean> {
    this.#unwritten = [...this.#unwritten, ...lines];
    return this.#saver.save();
  }

  /** Writes lines that are of no use later: rejects where they can't be written, and forgets them. */
  write(lines: readonly string[]): Promise<void> {
    return this.#queue.run(() => this.#file.append(lines, { ...this.#options, isSynced: true }));
  }

  /** Settles when everything is in the file, or it was reported that it isn't. */
  async flush(): Promise<void> {
    if (this.hasUnwritten) await this.#saver.save();
    await this.#queue.settled();
  }

  /** Gives every whole line of the file, from its beginning. A file that does not exist has none. */
  read(take: (line: string) => void): Promise<void> {
    return this.#queue.run(() => this.#file.read(take));
  }

  /** Gives the lines that came since the last read, this window's own included. */
  readNew(take: (line: string) => void): Promise<void> {
    return this.#queue.run(() => this.#file.readNew(take));
  }

  dispose(): void {
    this.#saver.dispose();
  }

  async #save(): Promise<void> {
    const lines = this.#unwritten;
    if (lines.length === 0) return;
    await this.#file.append(lines, this.#options);
    this.#unwritten = this.#unwritten.slice(lines.length);
  }
}
