import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import { ChangeEvent } from '../../../core/changeEvent.ts';
import { JsonFile } from '../../disk/jsonFile.ts';
import { ownerOf, processMark } from '../../disk/processMark.ts';
import { watchFiles } from '../../disk/watchFiles.ts';
import type { FolderWatch } from '../../disk/watchFolder.ts';

const fileName = 'withheld.json';

const schema = v.record(
  v.string(),
  v.object({
    /** IDs of those that ask it. */
    experiments: v.array(v.string()),
    /** The windows that show it, by the marks of their processes. */
    windows: v.array(v.string()),
  }),
);

/** By the IDs of questions. */
type Withheld = v.InferOutput<typeof schema>;

/**
 * Experiments whose requests are in no list, because they'd say which model wrote what before the user has voted. All
 * windows share them, and they outlive the window that asked.
 */
export class WithheldRequests {
  readonly #folder: string;
  readonly #onError: (error: unknown) => void;
  readonly #mark: string;
  readonly #file: JsonFile<Withheld>;
  readonly #changed = new ChangeEvent();
  #experiments: ReadonlySet<string> = new Set();
  #isRead = false;
  #watch: FolderWatch | undefined;

  /** Fires when requests are withheld or released, in this window or another one. */
  readonly onDidChange = this.#changed.event;

  /**
   * @param onError called when the file can't be read or written
   * @param mark names this window to others
   */
  constructor(folder: string, onError: (error: unknown) => void, mark = processMark()) {
    this.#folder = folder;
    this.#onError = onError;
    this.#mark = mark;
    this.#file = new JsonFile<Withheld>({
      path: join(folder, fileName),
      version: 1,
      schema,
      empty: {},
      onTrouble: (trouble) =>
        onError('error' in trouble ? trouble.error : new Error(`${trouble.path} is ${trouble.kind}`)),
    });
  }

  /** Reads what other windows have changed. Never rejects. */
  async read(): Promise<void> {
    await this.#file.read();
    this.#isRead = true;
    this.#tell();
  }

  /** As of the last `read`, with this window's changes. */
  has(experimentId: string): boolean {
    return this.#experiments.has(experimentId);
  }

  get isEmpty(): boolean {
    return this.#experiments.size === 0;
  }

  hasQuestion(question: string): boolean {
    return Object.hasOwn(this.#file.value, question);
  }

  /** This window asks the question, in this experiment. Applies at once. */
  add(experimentId: string, question: string): void {
    this.#follow();
    this.#change((withheld) => {
      const { experiments = [], windows = [] } = withheld[question] ?? {};
      return {
        ...withheld,
        [question]: { experiments: including(experiments, experimentId), windows: including(windows, this.#mark) },
      };
    });
  }

  /** This window shows the question, too. Changes nothing if its requests are no longer withheld. */
  join(question: string): void {
    this.#follow();
    this.#change((withheld) => {
      const known = withheld[question];
      if (known === undefined) return withheld;
      return { ...withheld, [question]: { ...known, windows: including(known.windows, this.#mark) } };
    });
  }

  /**
   * This window no longer shows these questions. The requests of those that no other window shows are in all lists
   * again.
   */
  leave(questions: readonly string[]): void {
    this.#end(questions, (mark) => mark !== this.#mark && ownerOf(mark) === 'alive');
  }

  /** The user has voted on these questions, or deleted them. Their requests are in all lists again. */
  release(questions: readonly string[]): void {
    this.#end(questions, () => false);
  }

  /** Settles once everything is on disk, or the failure was reported. */
  settled(): Promise<void> {
    return this.#file.settled();
  }

  dispose(): void {
    this.#watch?.dispose();
  }

  #end(questions: readonly string[], stays: (window: string) => boolean): void {
    if (questions.length === 0) return;
    const change = (withheld: Withheld): Withheld =>
      Object.fromEntries(
        Object.entries(withheld).flatMap(([question, { experiments, windows }]) => {
          const left = questions.includes(question) ? windows.filter(stays) : windows;
          return left.length === 0 && questions.includes(question) ? [] : [[question, { experiments, windows: left }]];
        }),
      );
    const end = async (): Promise<void> => {
      if (!this.#isRead) await this.read();
      const { value } = this.#file;
      if (!isDeepStrictEqual(change(value), value)) this.#change(change);
    };
    end().catch(this.#onError);
  }

  #change(change: (withheld: Withheld) => Withheld): void {
    const saved = this.#file.update(change);
    this.#tell();
    // What other windows have changed is known then, too.
    saved.then(() => this.#tell(), this.#onError);
  }

  #tell(): void {
    const before = this.#experiments;
    this.#experiments = new Set(Object.values(this.#file.value).flatMap(({ experiments }) => experiments));
    const isSame = before.size === this.#experiments.size && [...before].every((id) => this.#experiments.has(id));
    if (!isSame) this.#changed.fire();
  }

  /** Another window might release a question that this one shows. */
  #follow(): void {
    if (this.#watch !== undefined) return;
    const read = () => void this.read();
    this.#watch = watchFiles(this.#folder, (name) => name === fileName, read, this.#onError);
    // It might have done so before changes were noticed.
    void this.#watch.ready.then(read);
  }
}

function including(all: readonly string[], one: string): string[] {
  return [...new Set([...all, one])];
}
