import { join } from 'node:path';
import * as v from 'valibot';
import { JsonFile } from '../../disk/jsonFile.ts';

const schema = v.record(v.string(), v.string());

/** The questions of experiments, by the experiments' IDs. */
type Withheld = Readonly<Record<string, string>>;

/**
 * Experiments whose requests are in no list, because they'd say which model wrote what before the user has voted. All
 * windows share them, and they outlive the window that asked.
 */
export class WithheldRequests {
  readonly #file: JsonFile<Withheld>;
  #known: Withheld = {};
  #isRead = false;

  /** @param onError called when the file can't be read or written */
  constructor(folder: string, onError: (error: unknown) => void) {
    this.#file = new JsonFile<Withheld>({
      path: join(folder, 'withheld.json'),
      version: 1,
      schema,
      empty: {},
      onTrouble: (trouble) =>
        onError('error' in trouble ? trouble.error : new Error(`${trouble.path} is ${trouble.kind}`)),
    });
  }

  /** Reads what other windows have changed. Never rejects. @returns whether anything is different now */
  async read(): Promise<boolean> {
    const before = Object.keys(this.#known).join();
    this.#known = await this.#file.read();
    this.#isRead = true;
    return Object.keys(this.#known).join() !== before;
  }

  /** As of the last `read`, with this window's changes. */
  has(experimentId: string): boolean {
    return Object.hasOwn(this.#known, experimentId);
  }

  get isEmpty(): boolean {
    return Object.keys(this.#known).length === 0;
  }

  hasQuestion(question: string): boolean {
    return Object.values(this.#known).includes(question);
  }

  /** Applies at once. Settles once it's on disk or the failure was reported. @returns true */
  async add(experimentId: string, question: string): Promise<boolean> {
    await this.#change((withheld) => ({ ...withheld, [experimentId]: question }));
    return true;
  }

  /** Stops withholding the requests of all experiments about these questions. @returns whether there were any */
  async release(questions: readonly string[]): Promise<boolean> {
    if (!this.#isRead) await this.read();
    if (!questions.some((question) => this.hasQuestion(question))) return false;
    await this.#change((withheld) =>
      Object.fromEntries(Object.entries(withheld).filter(([, question]) => !questions.includes(question))),
    );
    return true;
  }

  async #change(change: (withheld: Withheld) => Withheld): Promise<void> {
    this.#known = change(this.#known);
    this.#known = await this.#file.update(change);
  }

  /** Settles once everything is on disk, or the failure was reported. */
  settled(): Promise<void> {
    return this.#file.settled();
  }
}
