import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DownloadSink } from '../../api/mediaDownload.ts';
import type { MediaFiles } from '../../core/mediaJobs.ts';
import type { MediaInput } from '../../shared/media.ts';
import { endingOf } from './mediaEndings.ts';

/**
 * The files of the gallery. Every name in it is ours: a run's id, a number, and an ending from a
 * small table; nothing of a prompt or of an address gets near a path.
 */
export class MediaFolder implements MediaFiles {
  /** What pages may load. */
  readonly results: string;
  readonly #inputs: string;

  constructor(folder: string) {
    this.results = join(folder, 'results');
    this.#inputs = join(folder, 'inputs');
  }

  path(file: string): string {
    return join(this.results, file);
  }

  async openPart(run: string, output: number): Promise<DownloadSink & { close(): Promise<void> }> {
    await mkdir(this.results, { recursive: true });
    // What an earlier try left has no ETag with it: nothing says that it belongs to what comes now.
    const file = await open(this.#part(run, output), 'w+');
    let size = 0;
    return {
      get size() {
        return size;
      },
      head: async () => {
        const { buffer, bytesRead } = await file.read(new Uint8Array(16), 0, 16, 0);
        return buffer.subarray(0, bytesRead);
      },
      append: async (chunk) => {
        for (let at = 0; at < chunk.length;) {
          const { bytesWritten } = await file.write(chunk, at, chunk.length - at, size);
          at += bytesWritten;
          size += bytesWritten;
        }
      },
      restart: async () => {
        await file.truncate(0);
        size = 0;
      },
      close: () => file.close(),
    };
  }

  async keepPart(run: string, output: number, mediaType: string): Promise<string> {
    const name = this.#name(run, output, mediaType);
    await rename(this.#part(run, output), this.path(name));
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
    await writeFile(join(this.#inputs, id), bytes);
  }

  /** Whether a run's file is still there. */
  async has(file: string): Promise<boolean> {
    try {
      return (await stat(this.path(file))).isFile();
    } catch {
      return false;
    }
  }

  /** Takes away all files of a run that was deleted for good. */
  async remove(run: string): Promise<void> {
    const names = await readdir(this.results).catch(() => []);
    await Promise.all(
      names.filter((name) => name.startsWith(`${run}-`)).map((name) => rm(this.path(name), { force: true })),
    );
  }

  #part(run: string, output: number): string {
    return join(this.results, `${run}-${output}.part`);
  }

  #name(run: string, output: number, mediaType: string): string {
    return `${run}-${output}.${endingOf(mediaType)}`;
  }
}
