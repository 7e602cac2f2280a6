import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { checkSet, type Setting, type StoreUnderTest } from '../storeUnderTest.ts';
import { waitUntil } from './settling.ts';

/** Mistakes that a store can make. The suite must find each one. */
export const flaws = {
  'overwrites what the other window saved': { readsOnce: true },
  'takes a file that can’t be read for an empty one': { isEmptyWhenUnreadable: true },
  'leaves its temporary file': { leavesTemporary: true },
  'says that something is saved before it is': { saysSavedFirst: true },
  'fails and tells nobody': { isSilent: true },
  'reports what it can’t save and forgets it': { forgets: true },
  'writes over the file in place': { writesInPlace: true },
  'throws a damaged file away': { dropsDamaged: true },
  'rejects where nobody handles it': { rejectsAside: true },
} as const satisfies Record<string, Flaw>;

interface Flaw {
  readonly readsOnce?: boolean;
  readonly isEmptyWhenUnreadable?: boolean;
  readonly leavesTemporary?: boolean;
  readonly saysSavedFirst?: boolean;
  readonly isSilent?: boolean;
  readonly forgets?: boolean;
  readonly writesInPlace?: boolean;
  readonly dropsDamaged?: boolean;
  readonly rejectsAside?: boolean;
}

interface Item {
  readonly item: string;
  readonly isThere: boolean;
}

const file = 'items.json';

/** A list in a file, kept by a store with one flaw. */
export function flawedStore(name: string): StoreUnderTest<Item, readonly string[]> {
  const flaw: Flaw | undefined = Object.entries(flaws).find(([each]) => each === name)?.[1];
  if (flaw === undefined) throw new Error(`There is no store ${name}`);
  return {
    name,
    files: /^items\.json$/,
    operation(random, _window, before) {
      const added = before.filter(({ op }) => op.isThere);
      if (added.length > 0 && random.chance(0.3)) return { item: random.pick(added).op.item, isThere: false };
      return { item: random.uuid(), isThere: true };
    },
    open: (setting) => Promise.resolve(new FlawedStore(setting, flaw)),
    look: async (setting) => (await new FlawedStore(setting, flaw).read()) ?? [],
    check: (done, seen) =>
      checkSet(done, {
        added: ({ item, isThere }) => (isThere ? item : undefined),
        removes: (op, item) => !op.isThere && op.item === item,
        isThere: (item) => seen.includes(item),
      }),
    damaged: (random) => ({ name: file, text: `["${random.uuid()}` }),
  };
}

class FlawedStore {
  readonly #setting: Setting;
  readonly #flaw: Flaw;
  #items: readonly string[] | undefined;
  #unsaved: readonly Item[] = [];
  #isTold = false;

  constructor(setting: Setting, flaw: Flaw) {
    this.#setting = setting;
    this.#flaw = flaw;
  }

  async run(op: Item) {
    this.#unsaved = [...this.#unsaved, op];
    if (this.#flaw.saysSavedFirst === true) {
      void this.#save().catch(() => undefined);
      return { outcome: 'saved' } as const;
    }
    if (this.#flaw.rejectsAside === true) void this.read();
    try {
      await this.#save();
      return { outcome: 'saved' } as const;
    } catch (error) {
      if (this.#flaw.forgets === true) this.#unsaved = [];
      if (this.#flaw.isSilent !== true) {
        this.#setting.report(error);
        this.#isTold = true;
      }
      return { outcome: this.#isTold ? 'unsaved' : 'silent' } as const;
    }
  }

  settle(): Promise<boolean> {
    return waitUntil(async () => {
      await this.#save().catch(() => undefined);
      return this.#unsaved.length === 0;
    });
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  async read(): Promise<readonly string[] | undefined> {
    let text: string;
    try {
      text = await readFile(this.#path, 'utf8');
    } catch (error) {
      const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
      if (isMissing || this.#flaw.isEmptyWhenUnreadable === true) return undefined;
      throw error;
    }
    try {
      return JSON.parse(text) as readonly string[];
    } catch {
      if (this.#flaw.dropsDamaged !== true) await rename(this.#path, `${this.#path}.damaged`);
      return undefined;
    }
  }

  get #path(): string {
    return join(this.#setting.folder, file);
  }

  async #save(): Promise<void> {
    const changes = this.#unsaved;
    if (changes.length === 0) return;
    const known = this.#flaw.readsOnce === true ? this.#items : undefined;
    let items = known ?? (await this.read()) ?? [];
    for (const { item, isThere } of changes) {
      items = items.filter((each) => each !== item);
      if (isThere) items = [...items, item];
    }
    await this.#write(JSON.stringify(items));
    this.#items = items;
    this.#unsaved = this.#unsaved.slice(changes.length);
  }

  async #write(text: string): Promise<void> {
    if (this.#flaw.writesInPlace === true) return writeFile(this.#path, text);
    const temporary = `${this.#path}.${this.#setting.writer}.tmp`;
    try {
      await writeFile(temporary, text);
      await rename(temporary, this.#path);
    } catch (error) {
      if (this.#flaw.leavesTemporary !== true) await rm(temporary, { force: true }).catch(() => undefined);
      throw error;
    }
  }
}
