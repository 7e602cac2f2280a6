import { join } from 'node:path';
import type { MediaFiles } from '../../core/media/mediaJobs.ts';
import { resultName } from '../../core/media/resultName.ts';
import type { MediaInput } from '../../shared/media.ts';
import { ownerOf, processMark } from '../disk/processMark.ts';
import { markWritten, modifiedAt } from '../disk/statFile.ts';
import { namesIn } from '../disk/namesIn.ts';
import { endPartFile, movePartFile, openPartFile, type PartFile } from '../disk/partFile.ts';
import { readWhole } from '../disk/readWhole.ts';
import { removeFiles, removeLeftover } from '../disk/removeFile.ts';
import { replaceFile } from '../disk/replaceFile.ts';
import { endingOf } from './mediaEndings.ts';

/**
 * In milliseconds. A download that hasn't grown for this long is abandoned, even if a process with its owner's ID is
 * alive: a silent connection is closed sooner.
 */
const ABANDONED_MS = 90_000;
const KEEP_INPUTS_MS = 24 * 60 * 60 * 1000;

/**
 * The files of the gallery. Every name in it is ours: a run's ID, a number, and an extension from a small table. No
 * text from a prompt or a URL gets into a path.
 */
export class MediaFolder implements MediaFiles {
  /** The folder that pages can load files from. */
  readonly results: string;
  readonly #inputs: string;
  readonly #writer: string;

  /** @param writer identifies this window, for incomplete files. */
  constructor(folder: string, writer: string) {
    this.results = join(folder, 'results');
    this.#inputs = join(folder, 'inputs');
    this.#writer = writer;
  }

  path(file: string): string {
    return join(this.results, file);
  }

  async openPart(run: string, output: number): Promise<PartFile> {
    await this.#takeOver(run, output);
    return openPartFile(this.#part(run, output));
  }

  async keepPart(run: string, output: number, mediaType: string): Promise<string> {
    const name = await this.#freeName(run, output, mediaType);
    await endPartFile(this.#part(run, output), this.path(name));
    // The result exists. A file that can't be deleted now is deleted with the run.
    await this.#removeParts(run, output).catch(() => undefined);
    return name;
  }

  async write(run: string, output: number, mediaType: string, bytes: Uint8Array): Promise<string> {
    const name = await this.#freeName(run, output, mediaType);
    await replaceFile(this.path(name), bytes);
    return name;
  }

  async addressOf(input: MediaInput): Promise<string> {
    if (input.kind === 'address') return input.url;
    const bytes = await readWhole(join(this.#inputs, input.id));
    return `data:${input.mediaType};base64,${bytes.toString('base64')}`;
  }

  /** Stores a copy, so that a run can be repeated no matter what happens to the file. */
  async keepInput(id: string, bytes: Uint8Array): Promise<void> {
    await replaceFile(join(this.#inputs, id), bytes);
  }

  /** These copies are in use now. Never rejects: one that can't be marked is as old as before. */
  async useInputs(ids: readonly string[]): Promise<void> {
    await Promise.all(ids.map((id) => markWritten(join(this.#inputs, id)).catch(() => undefined)));
  }

  /** Whether a run's file still exists. */
  async has(file: string): Promise<boolean> {
    return (await modifiedAt(this.path(file))) !== undefined;
  }

  /** Deletes all files of permanently deleted runs. Rejects at the end if some couldn't be deleted. */
  async remove(runs: readonly string[]): Promise<void> {
    if (runs.length === 0) return;
    const gone = new Set(runs);
    const names = (await namesIn(this.results)).filter((name) => gone.has(runOf(name)));
    await removeFiles(names.map((name) => this.path(name)));
  }

  /** Deletes copies that have been unused for a day. @param used IDs to keep */
  async sweepInputs(used: ReadonlySet<string>): Promise<void> {
    const old: string[] = [];
    for (const name of await namesIn(this.#inputs)) {
      const path = join(this.#inputs, name);
      if (!used.has(name) && (await isOlder(path, KEEP_INPUTS_MS))) old.push(path);
    }
    await removeFiles(old);
  }

  /** Continues another window's abandoned download. */
  async #takeOver(run: string, output: number): Promise<void> {
    const own = this.#part(run, output);
    const parts = (await namesIn(this.results)).filter(
      (name) => name.startsWith(`${run}-${output}.`) && name.endsWith('.part'),
    );
    if (parts.some((name) => this.path(name) === own)) return;
    for (const name of parts) {
      if (!(await this.#isAbandoned(name))) continue;
      // Another window might have been faster: then this one starts over.
      await movePartFile(this.path(name), own).catch(() => undefined);
      return;
    }
  }

  /** Deletes what killed windows left of a download that is complete now. */
  async #removeParts(run: string, output: number): Promise<void> {
    const isPart = (name: string): boolean => name.startsWith(`${run}-${output}.`) && /\.part(\.tag)?$/.test(name);
    for (const name of (await namesIn(this.results)).filter(isPart)) {
      if (await this.#isAbandoned(name)) await removeLeftover(this.path(name));
    }
  }

  async #isAbandoned(part: string): Promise<boolean> {
    return ownerOf(part.split('.')[1] ?? '') === 'dead' || isOlder(this.path(part), ABANDONED_MS);
  }

  /** An unused name: another window might be showing a result with the same name, which Windows doesn't release. */
  async #freeName(run: string, output: number, mediaType: string): Promise<string> {
    const ending = endingOf(mediaType);
    const name = resultName(run, output, ending);
    return (await this.has(name)) ? resultName(run, output, ending, crypto.randomUUID().slice(0, 8)) : name;
  }

  #part(run: string, output: number): string {
    return this.path(`${run}-${output}.${processMark()}.${this.#writer}.part`);
  }
}

/** The run that a file belongs to, including parts of downloads. */
function runOf(name: string): string {
  return /^(.*?)-\d+\./.exec(name)?.[1] ?? '';
}

async function isOlder(path: string, milliseconds: number): Promise<boolean> {
  const at = await modifiedAt(path);
  return at !== undefined && Date.now() - at > milliseconds;
}
