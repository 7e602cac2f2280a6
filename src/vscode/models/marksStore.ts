import { readFile } from 'node:fs/promises';
import * as v from 'valibot';
import { type KeptMarks, type MarksStore, noMarks } from '../../core/modelMarks.ts';
import { replaceFile, serviceFile } from './serviceFile.ts';

const ids = v.fallback(v.array(v.string()), []);
const schema = v.object({ favourites: ids, hidden: ids, recent: ids });

/** Marks as files, one for each service: any number of favourites, so no place for a memento. */
export class MarksFiles implements MarksStore {
  readonly #folder: string;
  readonly #onError: (error: unknown) => void;
  /** One change after another. Windows may still cross; then the later one wins, by a moment. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(folder: string, onError: (error: unknown) => void) {
    this.#folder = folder;
    this.#onError = onError;
  }

  async read(service: string): Promise<KeptMarks> {
    try {
      const parsed = v.safeParse(schema, JSON.parse(await readFile(this.#path(service), 'utf8')));
      return parsed.success ? parsed.output : noMarks;
    } catch {
      // Missing or damaged.
      return noMarks;
    }
  }

  change(service: string, change: (marks: KeptMarks) => KeptMarks): Promise<KeptMarks> {
    const changed = this.#last.then(() => this.#change(service, change));
    this.#last = changed;
    return changed;
  }

  async #change(service: string, change: (marks: KeptMarks) => KeptMarks): Promise<KeptMarks> {
    const marks = change(await this.read(service));
    try {
      await replaceFile(this.#path(service), JSON.stringify(marks));
    } catch (error) {
      this.#onError(error);
    }
    return marks;
  }

  #path(service: string): string {
    return serviceFile(this.#folder, service, '.marks.json');
  }
}
