import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { MediaFiles } from '../../core/mediaJobs.ts';
import type { MediaInput } from '../../shared/media.ts';
import { endingOf } from './mediaEndings.ts';
import { endPartFile, movePartFile, openPartFile, type PartFile } from './partFile.ts';

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
    await mkdir(this.results, { recursive: true });
    await this.#takeOver(run, output);
    return openPartFile(this.#part(run, output));
  }

  async keepPart(run: string, output: number, mediaType: string): Promise<string> {
    const name = `${run}-${output}.${endingOf(mediaType)}`;
    await endPartFile(this.#part(run, output), this.path(name));
    return name;
  }

  async write(run: string, output: number, mediaType: string, bytes: Uint8Array): Promise<string> {
    await mkdir(this.results, { recursive: true });
    await writeFile(this.#part(run, output), bytes);
    return this.keepPart(run, output, mediaType);
  }

  async addressOf(input: MediaInput): Promise<string> {
    if (input.kind === 'address') return input.url;
    const bytes = await readFile(join(this.#inputs, input.id));
    return `data:${input.mediaType};base64,${bytes.toString('base64')}`;
  }

  /** Keeps a copy: a run can then be made again, whatever becomes of the file. */
  async keepInput(id: string, bytes: Uint8Array): Promise<void> {
    await mkdir(this.#inputs, { recursive: true });
    const temporary = join(this.#inputs, `${id}.${this.#writer}.tmp`);
    try {
      await writeFile(temporary, bytes);
      await rename(temporary, join(this.#inputs, id));
    } catch (error) {
      await rm(temporary, { force: true }).catch(() => undefined);
      throw error;
    }
  }

  /** Whether a run's file is still there. */
  async has(file: string): Promise<boolean> {
    try {
      return (await stat(this.path(file))).isFile();
    } catch {
      return false;
    }
  }

  /** Takes away all files of runs that were deleted for good. */
  async remove(runs: readonly string[]): Promise<void> {
    if (runs.length === 0) return;
    const gone = new Set(runs);
    for (const name of await namesIn(this.results)) {
      if (gone.has(name.slice(0, name.lastIndexOf('-')))) await rm(this.path(name), { force: true });
    }
  }

  /** Takes away copies that have been of no use for a day. @param used ids that are to stay */
  async sweepInputs(used: ReadonlySet<string>): Promise<void> {
    for (const name of await namesIn(this.#inputs)) {
      if (used.has(name)) continue;
      const path = join(this.#inputs, name);
      if (await isOlder(path, KEEP_INPUTS_MS)) await rm(path, { force: true });
    }
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

  #part(run: string, output: number): string {
    return this.path(`${run}-${output}.${this.#writer}.part`);
  }
}

async function namesIn(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch(() => []);
}

async function isOlder(path: string, milliseconds: number): Promise<boolean> {
  try {
    return Date.now() - (await stat(path)).mtimeMs > milliseconds;
  } catch {
    return false;
  }
}
