import { join } from 'node:path';
import { isMissing } from '../disk/diskError.ts';
import { type HeldLock, withFileLock } from '../disk/fileLock.ts';
import { modifiedAt } from '../disk/statFile.ts';
import { namesIn } from '../disk/namesIn.ts';
import { Queue } from '../disk/queue.ts';
import { readWhole } from '../disk/readWhole.ts';
import { removeFile } from '../disk/removeFile.ts';
import { replaceFile, temporaryMark } from '../disk/replaceFile.ts';
import { Saver } from '../disk/saver.ts';

const ENDING = '.draft';
const LOCK = '.lock';

/** A draft as it is on disk. */
export interface DraftText {
  readonly id: string;
  readonly text: string;
  /** Unix time in milliseconds. */
  readonly changedAt: number;
}

/** A pending change to a conversation's files. */
interface Step {
  /** The text that it saves. */
  readonly saves?: string;
  /** The files that it couldn't read, so it still has to delete its text in them. A later save does that too. */
  readonly unread?: () => readonly string[];
  run(): Promise<void>;
}

/**
 * Unsent texts, one file per conversation. If another window has saved a text that this one never showed, this window's
 * text is saved in a separate file next to it, and a later window shows both. Text that can't be written is kept and
 * retried.
 */
export class DraftTexts {
  readonly #folder: string;
  readonly #writer: string;
  readonly #onError: (error: unknown) => void;
  /** The files of each conversation, as far as this window's text includes them. */
  readonly #known = new Map<string, ReadonlyMap<string, string>>();
  /** What isn't on disk yet, in order. */
  readonly #steps = new Map<string, readonly Step[]>();
  readonly #queue = new Queue();
  readonly #saver: Saver;

  constructor(deps: {
    readonly folder: string;
    /** Identifies this window. */
    readonly writer: string;
    readonly onError: (error: unknown) => void;
  }) {
    this.#folder = deps.folder;
    this.#writer = deps.writer;
    this.#onError = deps.onError;
    this.#saver = new Saver({ save: () => this.#save(), onError: deps.onError, queue: this.#queue });
  }

  /** The text to continue with: this window's, or every one that exists if it has none. */
  read(id: string): Promise<string> {
    return this.#queue.run(async () => {
      const unsaved = () => this.#steps.get(id)?.findLast(({ saves }) => saves !== undefined)?.saves;
      const first = unsaved();
      if (first !== undefined) return first;
      try {
        const files = await this.#files(id);
        // It's newer, and doesn't include what another window has saved.
        const typedMeanwhile = unsaved();
        if (typedMeanwhile !== undefined) return typedMeanwhile;
        const before = this.#known.get(id) ?? new Map<string, string>();
        const unread = this.#steps.get(id)?.flatMap((step) => step.unread?.() ?? []) ?? [];
        const sent = [...before].filter(([name]) => unread.includes(name));
        // If a file can't be read at the moment, this window's text from it still counts, unless it was sent.
        const texts = [...files].map(([name, text]) => [name, text ?? before.get(name)] as const);
        const readable = texts
          .filter((file): file is [string, string] => file[1] !== undefined)
          .filter(([name, text]) => !sent.some((one) => one[0] === name && one[1] === text));
        const held = readable.filter(([name, text]) => name === this.#own(id) || text === before.get(name));
        const shown = new Map(held.length > 0 ? held : readable);
        this.#known.set(id, new Map([...sent, ...shown]));
        return [...shown.values()].join('\n\n');
      } catch (error) {
        this.#onError(error);
        return '';
      }
    });
  }

  /** Written in order. An empty draft deletes its file. @returns false if it couldn't be written yet */
  save(id: string, text: string): Promise<boolean> {
    const run = () => this.#alone(id, (lock) => this.#replace(id, text, lock));
    // It replaces what wasn't saved before.
    const before = this.#steps.get(id)?.filter((step) => step.saves === undefined && !isCovered(step)) ?? [];
    return this.#take(id, [...before, { saves: text, run }]);
  }

  /** Deletes a draft that has become a message, unless something else has been typed since. */
  async forget(id: string, text: string): Promise<void> {
    const unsaved = this.#steps.get(id) ?? [];
    const before = unsaved.filter(({ saves }) => saves !== text);
    // This window's file then has an earlier text, which has become part of the message too.
    const known = this.#known.get(id);
    const earlier = before.length < unsaved.length ? known : undefined;
    let unread: readonly string[] = [];
    const run = () =>
      this.#alone(id, async (lock) => {
        const files = await this.#files(id);
        await lock.confirm();
        // The second time, only what couldn't be read: the user might have typed the same text again.
        for (const [name, kept] of files) {
          if (unread.length > 0 && !unread.includes(name)) continue;
          const isSent = kept === text || (kept !== undefined && kept === earlier?.get(name));
          if (isSent && !this.#isForeign(id, name, files)) await this.#remove(name);
        }
        unread = [...files.keys()].filter(
          (name) => files.get(name) === undefined && (earlier?.has(name) === true || known?.get(name) === text),
        );
        if (unread.length > 0)
          throw new Error(`${unread[0]} can't be read, so a text that was sent can't be deleted yet`);
      });
    await this.#take(id, [...before, { unread: () => unread, run }]);
  }

  /**
   * Deletes all drafts of a conversation, from any window, including temporary files of killed windows.
   * @returns false if some of it couldn't be deleted yet
   */
  purge(id: string): Promise<boolean> {
    const run = async () => {
      for (const name of await this.#names())
        if (name.startsWith(`${id}.`) && isOfDraft(name)) await this.#remove(name);
    };
    return this.#take(id, [{ run }]);
  }

  /** The drafts of the given conversations, which this window doesn't have to show. */
  async list(isWanted: (id: string) => boolean): Promise<readonly DraftText[]> {
    await this.#queue.settled();
    const names = (await this.#names()).filter((name) => name.endsWith(ENDING));
    const byId = Map.groupBy(names, (name) => name.slice(0, name.indexOf('.')));
    const wanted = [...byId].filter(([id]) => isWanted(id));
    return (await Promise.all(wanted.map(([id, files]) => this.#listed(id, files)))).flat();
  }

  /** Settles when everything saved so far is on disk, or the failures were reported. */
  async settled(): Promise<void> {
    if (this.#steps.size > 0) await this.#saver.save();
    await this.#queue.settled();
  }

  /**
   * Otherwise, two windows in which the user types at the same moment could each find no draft of the other's, and one
   * would replace the other.
   */
  #alone(id: string, work: (lock: HeldLock) => Promise<void>): Promise<void> {
    return withFileLock(join(this.#folder, `${id}${ENDING}${LOCK}`), work);
  }

  async #replace(id: string, text: string, lock: HeldLock): Promise<void> {
    const files = await this.#files(id);
    const target = this.#isForeign(id, shared(id), files) ? this.#own(id) : shared(id);
    await lock.confirm();
    if (text === '') await this.#remove(target);
    else await replaceFile(join(this.#folder, target), text, { beforeRename: () => lock.confirm() });
    // From here on it's this window's, even if another file can't be deleted.
    const known = this.#known.get(id) ?? new Map<string, string>();
    this.#known.set(id, new Map([...known, ...(text === '' ? [] : [[target, text] as const])]));
    for (const name of files.keys()) {
      if (name !== target && !this.#isForeign(id, name, files)) await this.#remove(name);
    }
    const unread = [...known.keys()].find(
      (name) => name !== target && files.has(name) && files.get(name) === undefined,
    );
    // It has this window's earlier text, or another window's by now. That shows once it can be read, so it's retried
    // until then.
    if (unread !== undefined) throw new Error(`${unread} can't be read, so its text can't be replaced yet`);
    this.#known.set(id, new Map(text === '' ? [] : [[target, text]]));
  }

  async #listed(id: string, names: readonly string[]): Promise<readonly DraftText[]> {
    const files = await this.#files(id, names);
    const text = [...files.values()].filter((each) => each !== undefined).join('\n\n');
    const times = await Promise.all([...files.keys()].map((name) => modifiedAt(join(this.#folder, name))));
    return text.trim() === '' ? [] : [{ id, text, changedAt: Math.max(...times.map((time) => time ?? 0)) }];
  }

  /** Another window has written it, and this one's text doesn't include it. */
  #isForeign(id: string, name: string, files: ReadonlyMap<string, string | undefined>): boolean {
    if (name === this.#own(id) || !files.has(name)) return false;
    const text = files.get(name);
    return text === undefined || text !== this.#known.get(id)?.get(name);
  }

  /** The files of a conversation, shared one first. Undefined for the text of one that can't be read. */
  async #files(id: string, among?: readonly string[]): Promise<ReadonlyMap<string, string | undefined>> {
    const names = (among ?? (await this.#names())).filter((name) => name.startsWith(`${id}.`) && name.endsWith(ENDING));
    const files = new Map<string, string | undefined>();
    for (const name of names.toSorted((a, b) => a.length - b.length || (a < b ? -1 : 1))) {
      try {
        files.set(name, (await readWhole(join(this.#folder, name))).toString('utf8'));
      } catch (error) {
        if (isMissing(error)) continue;
        this.#onError(error);
        files.set(name, undefined);
      }
    }
    return files;
  }

  #names(): Promise<readonly string[]> {
    return namesIn(this.#folder);
  }

  async #remove(name: string): Promise<void> {
    await removeFile(join(this.#folder, name));
  }

  #own(id: string): string {
    return `${id}.${this.#writer}${ENDING}`;
  }

  #take(id: string, steps: readonly Step[]): Promise<boolean> {
    this.#steps.set(id, steps);
    return this.#saver.save();
  }

  /** A failure for one conversation doesn't prevent the others from being saved. */
  async #save(): Promise<void> {
    const errors: unknown[] = [];
    for (const id of this.#steps.keys()) await this.#saveOne(id).catch((error: unknown) => errors.push(error));
    if (errors.length > 0) throw errors[0];
  }

  async #saveOne(id: string): Promise<void> {
    for (let step = this.#steps.get(id)?.[0]; step !== undefined; step = this.#steps.get(id)?.[0]) {
      const done = step;
      try {
        await done.run();
      } catch (error) {
        const isSavedLater = this.#steps.get(id)?.some(({ saves }) => saves !== undefined) === true;
        if (!isCovered(done) || !isSavedLater) throw error;
      }
      // A newer text might have replaced it in the meantime.
      this.#steps.set(id, this.#steps.get(id)?.filter((each) => each !== done) ?? []);
    }
    this.#steps.delete(id);
  }
}

/** Whether a later save would do the rest of the step's work. */
function isCovered({ unread }: Step): boolean {
  return unread !== undefined && unread().length > 0;
}

function shared(id: string): string {
  return id + ENDING;
}

function isOfDraft(name: string): boolean {
  return name.endsWith(ENDING) || name.includes(ENDING + LOCK) || temporaryMark(name) !== undefined;
}
