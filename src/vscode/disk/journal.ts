import { blankLines } from './blankLines.ts';
import { LinesFile, type AppendOptions } from './linesFile.ts';
import { Queue } from './queue.ts';
import { Saver } from './saver.ts';

/**
 * A file of lines that all windows share, plus this window's lines that aren't in it yet. Lines that can't be written
 * are kept in order and retried. A failed write might have written some of them already, so reading a line twice must
 * have the same effect as reading it once.
 */
export class Journal {
  readonly #file: LinesFile;
  readonly #options: AppendOptions;
  readonly #queue = new Queue();
  readonly #saver: Saver;
  #unwritten: readonly string[] = [];

  constructor(deps: {
    readonly path: string;
    /** Called once when lines can't be written; they're kept and retried. */
    readonly onError: (error: unknown) => void;
    /** Called when everything is in the file again after a failure. */
    readonly onSaved?: () => void;
    readonly options?: AppendOptions;
  }) {
    this.#file = new LinesFile(deps.path);
    this.#options = deps.options ?? {};
    this.#saver = new Saver({ ...deps, save: () => this.#save(), queue: this.#queue });
  }

  /** True while some lines aren't in the file yet. */
  get hasUnwritten(): boolean {
    return this.#unwritten.length > 0;
  }

  /** Settles once the lines are in the file or the failure was reported. @returns whether they're in the file */
  append(lines: readonly string[]): Promise<boolean> {
    this.#unwritten = [...this.#unwritten, ...lines];
    return this.#saver.save();
  }

  /** Writes lines that must not be retried later. Rejects if they can't be written, and doesn't keep them. */
  write(lines: readonly string[]): Promise<void> {
    return this.#queue.run(() => this.#file.append(lines, { ...this.#options, isSynced: true }));
  }

  /** Settles once everything is in the file or the failure was reported. */
  async flush(): Promise<void> {
    if (this.hasUnwritten) await this.#saver.save();
    await this.#queue.settled();
  }

  /** Reads every complete line from the beginning of the file. A missing file has none. */
  read(take: (line: string) => void): Promise<void> {
    return this.#queue.run(() => this.#file.read(take));
  }

  /** Reads the lines added since the last read, including this window's own. */
  readNew(take: (line: string) => void): Promise<void> {
    return this.#queue.run(() => this.#file.readNew(take));
  }

  /** Overwrites the lines with these IDs with blanks. Rejects if that failed. */
  blank(ids: ReadonlySet<string>): Promise<void> {
    return this.#queue.run(() => blankLines(this.#file.path, ids));
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
