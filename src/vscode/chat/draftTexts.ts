import { mkdir, readFile, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissing } from '../disk/diskError.ts';

const ENDING = '.draft';

/** A draft as it is on disk. */
export interface DraftText {
  readonly id: string;
  readonly text: string;
  /** Unix time in milliseconds. */
  readonly changedAt: number;
}

/**
 * What was typed and not sent: a file for each conversation. Where another window has put a text there that
 * this one never showed, this window's goes to a file of its own beside it, and a later window shows both.
 */
export class DraftTexts {
  readonly #folder: string;
  readonly #writer: string;
  readonly #onError: (error: unknown) => void;
  /** The files of each conversation, as far as this window's text stands for them. */
  readonly #known = new Map<string, ReadonlyMap<string, string>>();
  #turn: Promise<unknown> = Promise.resolve();

  constructor(deps: {
    readonly folder: string;
    /** Names this window. */
    readonly writer: string;
    readonly onError: (error: unknown) => void;
  }) {
    this.#folder = deps.folder;
    this.#writer = deps.writer;
    this.#onError = deps.onError;
  }

  /** The text to go on with: this window's, or where it has none all that is there. */
  read(id: string): Promise<string> {
    return this.#inTurn('', async () => {
      const files = await this.#files(id);
      const readable = [...files].filter((file): file is [string, string] => file[1] !== undefined);
      const held = readable.filter(([name]) => !this.#isForeign(id, name, files));
      const known = new Map(held.length > 0 ? held : readable);
      this.#known.set(id, known);
      return [...known.values()].join('\n\n');
    });
  }

  /** Written in order; an empty draft takes its file away. @returns false when it could not be written */
  save(id: string, text: string): Promise<boolean> {
    return this.#inTurn(false, async () => {
      const files = await this.#files(id);
      const target = this.#isForeign(id, shared(id), files) ? this.#own(id) : shared(id);
      if (text === '') await this.#remove(target);
      else await this.#write(target, text);
      for (const name of files.keys()) {
        if (name !== target && !this.#isForeign(id, name, files)) await this.#remove(name);
      }
      this.#known.set(id, new Map(text === '' ? [] : [[target, text]]));
      return true;
    });
  }

  /** Takes a draft away that has become a message, unless something else has been typed since. */
  forget(id: string, text: string): Promise<void> {
    return this.#inTurn(undefined, async () => {
      const files = await this.#files(id);
      for (const [name, kept] of files) {
        if (kept === text && !this.#isForeign(id, name, files)) await this.#remove(name);
      }
    });
  }

  /** All that a conversation has, whichever window it is of. */
  purge(id: string): Promise<void> {
    return this.#inTurn(undefined, async () => {
      for (const name of (await this.#files(id)).keys()) await this.#remove(name);
    });
  }

  /** The drafts of the conversations that are wanted, which this window need not show. */
  async list(isWanted: (id: string) => boolean): Promise<readonly DraftText[]> {
    await this.settled();
    const names = (await this.#names()).filter((name) => name.endsWith(ENDING));
    const byId = Map.groupBy(names, (name) => name.slice(0, name.indexOf('.')));
    const wanted = [...byId].filter(([id]) => isWanted(id));
    return (await Promise.all(wanted.map(([id, files]) => this.#listed(id, files)))).flat();
  }

  /** Settles when all that was saved so far is on disk, or was reported. */
  async settled(): Promise<void> {
    await this.#turn;
  }

  async #listed(id: string, names: readonly string[]): Promise<readonly DraftText[]> {
    const files = await this.#files(id, names);
    const text = [...files.values()].filter((each) => each !== undefined).join('\n\n');
    const times = await Promise.all(
      [...files.keys()].map((name) =>
        stat(join(this.#folder, name)).then(
          ({ mtimeMs }) => mtimeMs,
          () => 0,
        ),
      ),
    );
    return text.trim() === '' ? [] : [{ id, text, changedAt: Math.max(...times) }];
  }

  /** Another window has written it, and this one does not hold its text. */
  #isForeign(id: string, name: string, files: ReadonlyMap<string, string | undefined>): boolean {
    if (name === this.#own(id) || !files.has(name)) return false;
    const text = files.get(name);
    return text === undefined || text !== this.#known.get(id)?.get(name);
  }

  /** The files of a conversation, the shared one first. Undefined for the text of one that cannot be read. */
  async #files(id: string, among?: readonly string[]): Promise<ReadonlyMap<string, string | undefined>> {
    const names = (among ?? (await this.#names())).filter((name) => name.startsWith(`${id}.`) && name.endsWith(ENDING));
    const files = new Map<string, string | undefined>();
    for (const name of names.toSorted((a, b) => a.length - b.length || (a < b ? -1 : 1))) {
      try {
        files.set(name, await readFile(join(this.#folder, name), 'utf8'));
      } catch (error) {
        if (isMissing(error)) continue;
        this.#onError(error);
        files.set(name, undefined);
      }
    }
    return files;
  }

  async #names(): Promise<readonly string[]> {
    try {
      return await readdir(this.#folder);
    } catch (error) {
      if (isMissing(error)) return [];
      throw error;
    }
  }

  /** By rename, so that another window never reads half a file. */
  async #write(name: string, text: string): Promise<void> {
    await mkdir(this.#folder, { recursive: true });
    const path = join(this.#folder, name);
    const temporary = `${path}.${this.#writer}.tmp`;
    await writeFile(temporary, text);
    await rename(temporary, path);
  }

  async #remove(name: string): Promise<void> {
    await rm(join(this.#folder, name), { force: true });
  }

  #own(id: string): string {
    return `${id}.${this.#writer}${ENDING}`;
  }

  /** One after another. What fails is reported, and gives what is given instead. */
  #inTurn<T>(instead: T, work: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(work).catch((error: unknown) => {
      this.#onError(error);
      return instead;
    });
    this.#turn = done;
    return done;
  }
}

function shared(id: string): string {
  return id + ENDING;
}
