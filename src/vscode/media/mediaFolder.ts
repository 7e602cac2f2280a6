import { join } from 'node:path';
import type { MediaFiles } from '../../core/media/mediaJobs.ts';
import type { MediaInput } from '../../shared/media.ts';
import { modifiedAt } from '../disk/statFile.ts';
import { namesIn } from '../disk/namesIn.ts';
import { endPartFile, movePartFile, openPartFile, type PartFile } from '../disk/partFile.ts';
import { readWhole } from '../disk/readWhole.ts';
import { removeFiles, removeLeftover } from '../disk/removeFile.ts';
import { replaceFile } from '../disk/replaceFile.ts';
import { endingOf } from './mediaEndings.ts';

/** A download that has not grown for so long has nobody: silence ends one sooner. */
const ABANDONED_MS = 90_000;
const KEEP_INPUTS_MS = 24 * 60 * 60 * 1000;

/**
 * The files of the gallery. Every name in it is ours: a run's id, a number, and an ending from a
 * small table; nothing of a prompt or of an address gets near a path.
 */
export class MediaFolder implements MediaFiles {
  /** What pages may load. */
  readonly results: string;
  readonly #inputs: string;
  readonly #writer: string;

  /** @param writer names this window, for files that are not complete. */
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
    // The result is there. What can't be deleted now goes with the run.
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

  /** Keeps a copy: a run can then be made again, whatever becomes of the file. */
  async keepInput(id: string, bytes: Uint8Array): Promise<void> {
    await replaceFile(join(this.#inputs, id), bytes);
  }

  /** Whether a run's file is still there. */
  async has(file: string): Promise<boolean> {
    return (await modifiedAt(this.path(file))) !== undefined;
  }

  /** Deletes all files of runs that were deleted for good. Rejects at the end where some couldn't be deleted. */
  async remove(runs: readonly string[]): Promise<void> {
    if (runs.length === 0) return;
    const gone = new Set(runs);
    const names = (await namesIn(this.results)).filter((name) => gone.has(runOf(name)));
    await removeFiles(names.map((name) => this.path(name)));
  }

  /** Takes away copies that have been of no use for a day. @param used ids that are to stay */
  async sweepInputs(used: ReadonlySet<string>): Promise<void> {
    const old: string[] = [];
    for (const name of await namesIn(this.#inputs)) {
      const path = join(this.#inputs, name);
      if (!used.has(name) && (await isOlder(path, KEEP_INPUTS_MS))) old.push(path);
    }
    await removeFiles(old);
  }

  /** What another window left of this download goes on here. */
  async #takeOver(run: string, output: number): Promise<void> {
    const own = `${run}-${output}.${this.#writer}.part`;
    const parts = (await namesIn(this.results)).filter(
      (name) => name.startsWith(`${run}-${output}.`) && name.endsWith('.part'),
    );
    if (parts.includes(own)) return;
    for (const name of parts) {
      if (!(await isOlder(this.path(name), ABANDONED_MS))) continue;
      // Another window may have been quicker: then this one begins anew.
      await movePartFile(this.path(name), this.path(own)).catch(() => undefined);
      return;
    }
  }

  /** What killed windows left of a download that is complete now. */
  async #removeParts(run: string, output: number): Promise<void> {
    const isPart = (name: string): boolean => name.startsWith(`${run}-${output}.`) && /\.part(\.tag)?$/.test(name);
    for (const name of (await namesIn(this.results)).filter(isPart)) {
      if (await isOlder(this.path(name), ABANDONED_MS)) await removeLeftover(this.path(name));
    }
  }

  /** One that no file has: another window may be showing a result of the same name, which Windows doesn't let go. */
  async #freeName(run: string, output: number, mediaType: string): Promise<string> {
    const [stem, ending] = [`${run}-${output}`, endingOf(mediaType)];
    const name = `${stem}.${ending}`;
    return (await this.has(name)) ? `${stem}.${crypto.randomUUID().slice(0, 8)}.${ending}` : name;
  }

  #part(run: string, output: number): string {
    return this.path(`${run}-${output}.${this.#writer}.part`);
  }
}

/** The run that a file belongs to, parts of downloads included. */
function runOf(name: string): string {
  return /^(.*?)-\d+\./.exec(name)?.[1] ?? '';
}

async function isOlder(path: string, milliseconds: number): Promise<boolean> {
  const at = await modifiedAt(path);
  return at !== undefined && Date.now() - at > milliseconds;
}
