import * as vscode from 'vscode';
import type { MediaClient, MediaDownloads } from '../../api/mediaTypes.ts';
import type { ApiForm } from '../../api/types.ts';
import { type DownloadProgress, MediaJobs } from '../../core/mediaJobs.ts';
import type { MediaRun } from '../../core/mediaLibrary.ts';
import type { ApiFailure } from '../../shared/apiFailure.ts';
import type { MediaParameters, MediaState } from '../../shared/media.ts';
import { MediaFolder } from './mediaFolder.ts';
import { MediaStore } from './mediaStore.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const KEEP_DELETED_MS = 7 * DAY_MS;
// Longer than an answer may take with the waits before it.
const ALIVE_MS = 25 * 60 * 1000;
const PROGRESS_MS = 100;

export interface MediaGalleryDeps {
  /** The folder that is ours alone. */
  readonly folder: string;
  readonly client: Pick<MediaClient, 'generateVideo' | 'generateImage'>;
  readonly downloads: MediaDownloads;
  readonly imageApi: () => ApiForm;
  readonly redact: (failure: ApiFailure) => ApiFailure;
  readonly onUnwritten: (error: unknown) => void;
  readonly onUnexpected: (error: unknown) => void;
}

/** All runs, those of other windows included, and those of this window at work. */
export class MediaGallery implements vscode.Disposable {
  readonly folder: MediaFolder;
  readonly #writer = crypto.randomUUID();
  readonly #store: MediaStore;
  readonly #jobs: MediaJobs;
  readonly #changed = new vscode.EventEmitter<MediaRun>();
  readonly #progress = new Map<string, DownloadProgress>();
  readonly #late = new Map<string, NodeJS.Timeout>();
  readonly #onUnexpected: (error: unknown) => void;
  #isTidied = false;
  /** False until something of the gallery was needed: nothing is written at the end then. */
  #isInUse = false;

  /** Fires for each change of a run, its progress and its deletion included. */
  readonly onDidChange = this.#changed.event;

  constructor(deps: MediaGalleryDeps) {
    this.folder = new MediaFolder(deps.folder);
    this.#onUnexpected = deps.onUnexpected;
    this.#store = new MediaStore({
      path: `${deps.folder}/runs.jsonl`,
      writer: this.#writer,
      onError: deps.onUnwritten,
      onChange: (run) => this.#changed.fire(run),
    });
    this.#jobs = new MediaJobs({
      client: deps.client,
      downloads: deps.downloads,
      files: this.folder,
      record: (fact) => this.#store.append(fact),
      redact: deps.redact,
      pid: process.pid,
      imageApi: deps.imageApi,
      newId: () => crypto.randomUUID(),
      onProgress: (run, output, progress) => this.#setProgress(run, output, progress),
      onUnexpected: deps.onUnexpected,
    });
  }

  /** What is on disk now. */
  async load(): Promise<void> {
    this.#isInUse = true;
    await this.#store.refresh();
    if (!this.#isTidied) void this.#tidy();
  }

  runs(): readonly MediaRun[] {
    return this.#store.library.runs();
  }

  get(id: string): MediaRun | undefined {
    return this.#store.library.get(id);
  }

  usualSeconds(parameters: MediaParameters): number | undefined {
    return this.#store.library.usualSeconds(parameters);
  }

  async start(parameters: MediaParameters): Promise<{ readonly id: string; readonly over: Promise<void> }> {
    await this.load();
    return this.#jobs.start(parameters);
  }

  stop(id: string): void {
    this.#jobs.stop(id);
  }

  async download(id: string, output: number): Promise<void> {
    await this.#jobs.download(id, output, this.get(id)?.outputs[output]?.url);
  }

  async delete(id: string): Promise<void> {
    this.#jobs.stop(id);
    await this.#store.append({ type: 'deleted', id });
  }

  async restore(id: string): Promise<void> {
    await this.#store.append({ type: 'restored', id });
  }

  stateOf(run: MediaRun): MediaState {
    if (run.outcome !== undefined) return run.outcome === 'made' ? 'done' : run.outcome;
    if (this.#jobs.isRunning(run.id)) return 'running';
    return run.writer !== this.#writer && mayBeAlive(run) ? 'elsewhere' : 'unknown';
  }

  isLoading(id: string, output: number): boolean {
    return this.#jobs.isLoading(id, output);
  }

  progressOf(id: string, output: number): DownloadProgress | undefined {
    return this.#progress.get(`${id} ${output}`);
  }

  /** What runs is written down as unknown. */
  async close(): Promise<void> {
    if (this.#isInUse) await this.#jobs.dispose();
  }

  dispose(): void {
    this.#store.dispose();
    for (const timer of this.#late.values()) clearTimeout(timer);
    this.#changed.dispose();
  }

  #setProgress(id: string, output: number, progress: DownloadProgress | undefined): void {
    const key = `${id} ${output}`;
    if (progress === undefined) this.#progress.delete(key);
    else this.#progress.set(key, progress);
    if (this.#late.has(key)) return;
    this.#late.set(
      key,
      setTimeout(() => {
        this.#late.delete(key);
        const run = this.get(id);
        if (run !== undefined) this.#changed.fire(run);
      }, PROGRESS_MS),
    );
  }

  /** Takes away the files of what was deleted a while ago. */
  async #tidy(): Promise<void> {
    this.#isTidied = true;
    try {
      for (const { id, deletedAt } of this.#store.library.deleted()) {
        if (deletedAt !== undefined && Date.now() - deletedAt > KEEP_DELETED_MS) await this.folder.remove(id);
      }
    } catch (error) {
      this.#onUnexpected(error);
    }
  }
}

/** A process id alone is reused too soon to say so: the run must be young as well. */
function mayBeAlive({ pid, startedAt }: MediaRun): boolean {
  if (pid === process.pid || Date.now() - startedAt > ALIVE_MS) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
