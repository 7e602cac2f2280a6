import { basename, dirname } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import { jsonIn } from '../../core/recordLine.ts';
import { isMissing } from './diskError.ts';
import { withFileLock, type HeldLock } from './fileLock.ts';
import { Queue } from './queue.ts';
import { namesIn } from './namesIn.ts';
import { moveFile, removeFile } from './removeFile.ts';
import { replaceFile } from './replaceFile.ts';
import { readWhole } from './readWhole.ts';
import { Saver } from './saver.ts';

/** A problem with a file that the user is told about. No data is lost in any of these cases. */
export type FileTrouble =
  /** It exists but can't be read right now. It isn't changed, and its content isn't shown. */
  | { readonly kind: 'unreadable'; readonly path: string; readonly error: unknown }
  /** Its content isn't valid. It was renamed to `keptAs`, and a new file starts out empty. */
  | { readonly kind: 'damaged'; readonly path: string; readonly keptAs: string }
  /** A newer version of Parlance wrote it. It stays as it is until this window saves something, then becomes `keptAs`. */
  | { readonly kind: 'newer'; readonly path: string; readonly keptAs?: string }
  /** A change exists in this window only and is saved as soon as possible. */
  | { readonly kind: 'unsaved'; readonly path: string; readonly error: unknown };

type Change<T> = (value: T) => T;

type Content<T> = { readonly kind: 'value'; readonly value: T } | { readonly kind: 'missing' | 'damaged' | 'newer' };

interface JsonFileDeps<T> {
  readonly path: string;
  /** The schema's version. A file with a higher version was written by a newer Parlance. */
  readonly version: number;
  readonly schema: v.GenericSchema<unknown, T>;
  readonly empty: T;
  readonly onTrouble: (trouble: FileTrouble) => void;
}

/**
 * A value in a JSON file that all windows share. Only a missing file counts as empty: a file that can't be read is never
 * written to, and one that can't be parsed is renamed, not replaced. A change is a function applied to what is on disk
 * at that moment, so windows that change different things don't undo each other's changes. An empty value needs no file.
 */
export class JsonFile<T> {
  readonly path: string;
  readonly #deps: JsonFileDeps<T>;
  readonly #queue = new Queue();
  readonly #saver: Saver;
  /** What was on disk when it was last read or written. */
  #known: T;
  /** Changes that aren't on disk yet, in order. */
  #unsaved: readonly Change<T>[] = [];
  /** Problems already reported, so that they aren't reported again on each read. */
  #told = new Set<FileTrouble['kind']>();

  constructor(deps: JsonFileDeps<T>) {
    this.path = deps.path;
    this.#deps = deps;
    this.#known = deps.empty;
    this.#saver = new Saver({
      save: () => this.#save(),
      onError: (error) => this.#deps.onTrouble({ kind: 'unsaved', path: this.path, error }),
      queue: this.#queue,
    });
  }

  /** What is on disk plus this window's changes. Never rejects: if the file can't be read, its last known content. */
  read(): Promise<T> {
    return this.#queue.run(async () => {
      try {
        let content = await this.#content();
        if (content.kind === 'damaged') content = await withFileLock(this.#lock, (lock) => this.#intact(lock));
        if (content.kind === 'newer') this.#tell({ kind: 'newer', path: this.path });
        else this.#told.clear();
        this.#known = content.kind === 'value' ? content.value : this.#deps.empty;
      } catch (error) {
        this.#tell({ kind: 'unreadable', path: this.path, error });
      }
      return this.value;
    });
  }

  /** What was on disk when it was last read or written, plus this window's changes. */
  get value(): T {
    return this.#unsaved.reduce((value, change) => change(value), this.#known);
  }

  /** Applies in this window at once and is saved as soon as possible. @returns the value with the change */
  async update(change: Change<T>): Promise<T> {
    this.#unsaved = [...this.#unsaved, change];
    await this.#saver.save();
    return this.value;
  }

  /** Whether a file was set aside or can't be read right now. If so, an entry that isn't found might still exist. */
  async mayHoldMore(): Promise<boolean> {
    if (this.#told.size > 0) return true;
    const names = await namesIn(dirname(this.path));
    return names.some((name) => name.startsWith(`${basename(this.path)}.`) && /\.(damaged|newer)$/.test(name));
  }

  /** Settles once everything so far is on disk or the failure was reported. */
  async settled(): Promise<void> {
    if (this.#unsaved.length > 0) await this.#saver.save();
    await this.#queue.settled();
  }

  get #lock(): string {
    return `${this.path}.lock`;
  }

  async #save(): Promise<void> {
    const changes = this.#unsaved;
    if (changes.length === 0) return;
    this.#known = await withFileLock(this.#lock, (lock) => this.#write(changes, lock));
    this.#unsaved = this.#unsaved.slice(changes.length);
    this.#told.clear();
  }

  async #write(changes: readonly Change<T>[], lock: HeldLock): Promise<T> {
    let content = await this.#intact(lock);
    if (content.kind === 'newer') {
      const keptAs = await this.#setAside('newer', lock);
      this.#deps.onTrouble({ kind: 'newer', path: this.path, keptAs });
      content = { kind: 'missing' };
    }
    const before = content.kind === 'value' ? content.value : this.#deps.empty;
    const after = changes.reduce((value, change) => change(value), before);
    if (isDeepStrictEqual(after, this.#deps.empty)) {
      await lock.confirm();
      await removeFile(this.path);
      return after;
    }
    const text = JSON.stringify({ version: this.#deps.version, value: after });
    await replaceFile(this.path, text, { beforeRename: () => lock.confirm() });
    return after;
  }

  /** The file's content, after a damaged file was renamed. */
  async #intact(lock: HeldLock): Promise<Content<T>> {
    const content = await this.#content();
    if (content.kind !== 'damaged') return content;
    const keptAs = await this.#setAside('damaged', lock);
    this.#deps.onTrouble({ kind: 'damaged', path: this.path, keptAs });
    return { kind: 'missing' };
  }

  async #setAside(ending: string, lock: HeldLock): Promise<string> {
    const keptAs = `${this.path}.${crypto.randomUUID().slice(0, 8)}.${ending}`;
    await lock.confirm();
    await moveFile(this.path, keptAs);
    return keptAs;
  }

  async #content(): Promise<Content<T>> {
    let text: string;
    try {
      text = (await readWhole(this.path)).toString('utf8');
    } catch (error) {
      if (isMissing(error)) return { kind: 'missing' };
      throw error;
    }
    const json = jsonIn(text);
    const file = v.safeParse(fileSchema, json);
    if (!file.success) return this.#unversioned(json);
    if (file.output.version > this.#deps.version) return { kind: 'newer' };
    const value = v.safeParse(this.#deps.schema, file.output.value);
    const isOurs = value.success && file.output.version === this.#deps.version;
    return isOurs ? { kind: 'value', value: value.output } : { kind: 'damaged' };
  }

  /** Version 0.1.0 wrote the bare value, without a version number. A file that contains anything else is damaged. */
  #unversioned(json: unknown): Content<T> {
    const value = v.safeParse(this.#deps.schema, json);
    const isWhole = this.#deps.version === 1 && value.success && isDeepStrictEqual(value.output, json);
    return isWhole ? { kind: 'value', value: value.output } : { kind: 'damaged' };
  }

  #tell(trouble: FileTrouble): void {
    if (this.#told.has(trouble.kind)) return;
    this.#told.add(trouble.kind);
    this.#deps.onTrouble(trouble);
  }
}

const fileSchema = v.object({ version: v.number(), value: v.unknown() });

/** One such file for each key. */
export class JsonFiles<T> {
  readonly #deps: Omit<JsonFileDeps<T>, 'path'> & { readonly pathOf: (key: string) => string };
  readonly #files = new Map<string, JsonFile<T>>();

  constructor(deps: Omit<JsonFileDeps<T>, 'path'> & { readonly pathOf: (key: string) => string }) {
    this.#deps = deps;
  }

  of(key: string): JsonFile<T> {
    const file = this.#files.get(key) ?? new JsonFile({ ...this.#deps, path: this.#deps.pathOf(key) });
    this.#files.set(key, file);
    return file;
  }

  /** The file is deleted by whoever calls this. */
  forget(key: string): void {
    this.#files.delete(key);
  }

  /** Settles once everything so far is on disk or the failure was reported. */
  async settled(): Promise<void> {
    await Promise.all([...this.#files.values()].map((file) => file.settled()));
  }
}
