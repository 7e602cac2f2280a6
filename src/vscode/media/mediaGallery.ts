import type { ModelRef } from '../../shared/modelRef.ts';
import * as vscode from 'vscode';
import type { InferenceCalls } from '../../core/requests/inferenceCalls.ts';
import type { MediaDownloads } from '../../api/download/mediaDownload.ts';
import { type DownloadProgress, MediaJobs } from '../../core/media/mediaJobs.ts';
import { type MediaRun, unfetched } from '../../core/media/mediaLibrary.ts';
import type { ApiFailure } from '../../shared/apiFailure.ts';
import type { MediaParameters, MediaState } from '../../shared/media.ts';
import { mayStillRun } from '../disk/processMark.ts';
import { MediaFolder } from './mediaFolder.ts';
import { MediaStore } from './mediaStore.ts';
import { tidyMedia } from './tidyMedia.ts';

// Longer than a response can take, including the waits before it, and longer than a download before it's restarted.
// After that, the process ID of a killed window might belong to another program.
const ALIVE_MS = 25 * 60 * 1000;
// A host that hasn't returned a file by then has probably deleted it.
const AGAIN_MS = 7 * 24 * 60 * 60 * 1000;
const PROGRESS_MS = 100;
const OTHERS_MS = 2000;

export interface MediaGalleryDeps {
  /** Parlance's own storage folder. */
  readonly folder: string;
  readonly clientFor: (model: ModelRef) => Pick<InferenceCalls, 'ask'>;
  readonly downloadsFor: (model: ModelRef) => MediaDownloads;
  readonly estimate: (parameters: MediaParameters) => number | undefined;
  /** IDs of files in forms and presets; undefined while unknown. */
  readonly inputsInForms: () => Promise<readonly string[] | undefined>;
  readonly redact: (failure: ApiFailure) => ApiFailure;
  readonly onUnwritten: (error: unknown) => void;
  readonly onUnexpected: (error: unknown) => void;
}

/** All runs, including those of other windows, and this window's running ones. */
export class MediaGallery implements vscode.Disposable {
  readonly folder: MediaFolder;
  readonly #writer = crypto.randomUUID();
  readonly #store: MediaStore;
  readonly #jobs: MediaJobs;
  readonly #changed = new vscode.EventEmitter<MediaRun>();
  readonly #progress = new Map<string, DownloadProgress>();
  /** When the next attempt of each waiting run starts. */
  readonly #waiting = new Map<string, number>();
  readonly #late = new Map<string, NodeJS.Timeout>();
  readonly #inputsInForms: MediaGalleryDeps['inputsInForms'];
  readonly #onUnexpected: (error: unknown) => void;
  readonly #focus: vscode.Disposable;
  /** Checks on other windows' runs while there are some. */
  #others: NodeJS.Timeout | undefined;
  /** Runs that pages show as running elsewhere. */
  #elsewhere: readonly string[] = [];
  #isTidied = false;
  /** False until the gallery was used: then nothing is written at the end. */
  #isInUse = false;

  /** Fires for each change of a run, including its progress and its deletion. */
  readonly onDidChange = this.#changed.event;

  constructor(deps: MediaGalleryDeps) {
    this.folder = new MediaFolder(deps.folder, this.#writer);
    this.#inputsInForms = deps.inputsInForms;
    this.#onUnexpected = deps.onUnexpected;
    this.#store = new MediaStore({
      path: `${deps.folder}/runs.jsonl`,
      writer: this.#writer,
      onError: deps.onUnwritten,
      onChange: (run) => this.#changed.fire(run),
    });
    this.#jobs = new MediaJobs({
      clientFor: deps.clientFor,
      downloadsFor: (run) => deps.downloadsFor(this.get(run)?.parameters.model ?? ''),
      files: this.folder,
      record: (fact) => this.#store.append(fact),
      redact: deps.redact,
      pid: process.pid,
      estimate: deps.estimate,
      newId: () => crypto.randomUUID(),
      onProgress: (run, output, progress) => this.#setProgress(run, output, progress),
      onWaiting: (run, until) => this.#setWaiting(run, until),
      now: Date.now,
      onUnexpected: deps.onUnexpected,
    });
    this.#focus = vscode.window.onDidChangeWindowState(({ focused }) => {
      if (focused && this.#isInUse) void this.#lookAtOthers(true);
    });
  }

  /** What is on disk now. */
  async load(): Promise<void> {
    this.#isInUse = true;
    await this.#store.refresh();
    this.#watchOthers();
    this.#bringRest(true);
    if (this.#isTidied) return;
    this.#isTidied = true;
    void tidyMedia({
      store: this.#store,
      folder: this.folder,
      inputsInForms: this.#inputsInForms,
      onUnexpected: this.#onUnexpected,
    });
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
    return run.writer !== this.#writer && mayStillRun(run.pid, run.startedAt, ALIVE_MS) ? 'elsewhere' : 'unknown';
  }

  isLoading(id: string, output: number): boolean {
    return this.#jobs.isLoading(id, output);
  }

  /** When a run's next attempt starts, as Unix time in milliseconds; undefined while it isn't waiting. */
  waitingUntil(id: string): number | undefined {
    return this.#waiting.get(id);
  }

  progressOf(id: string, output: number): DownloadProgress | undefined {
    return this.#progress.get(`${id} ${output}`);
  }

  /** Records running ones as unknown. */
  async close(): Promise<void> {
    if (!this.#isInUse) return;
    await this.#jobs.dispose();
    await this.#store.flush();
  }

  dispose(): void {
    this.#store.dispose();
    this.#focus.dispose();
    clearInterval(this.#others);
    for (const timer of this.#late.values()) clearTimeout(timer);
    this.#changed.dispose();
  }

  #setWaiting(id: string, until: number | undefined): void {
    if (this.#waiting.get(id) === until) return;
    if (until === undefined) this.#waiting.delete(id);
    else this.#waiting.set(id, until);
    const run = this.get(id);
    if (run !== undefined) this.#changed.fire(run);
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

  /** Other windows record the ends of their runs and downloads, but not if they're killed. */
  #watchOthers(): void {
    this.#elsewhere = this.runs()
      .filter((run) => this.stateOf(run) === 'elsewhere')
      .map(({ id }) => id);
    const areLoading = this.runs().some((run) => this.#isOfOpenWindow(run) && unfetched(run).some(isUntried(run)));
    if (this.#elsewhere.length === 0 && !areLoading) {
      clearInterval(this.#others);
      this.#others = undefined;
    } else this.#others ??= setInterval(() => void this.#lookAtOthers(false), OTHERS_MS).unref();
  }

  /** @param isBack the user has come back to this window. */
  async #lookAtOthers(isBack: boolean): Promise<void> {
    try {
      const before = this.#elsewhere;
      await this.#store.refresh();
      for (const id of before) {
        const run = this.get(id);
        if (run !== undefined && this.stateOf(run) !== 'elsewhere') this.#changed.fire(run);
      }
      this.#watchOthers();
      this.#bringRest(isBack);
    } catch (error) {
      this.#onUnexpected(error);
    }
  }

  /**
   * Downloads what a closed window didn't, before the link expires.
   * @param isAgain whether to repeat downloads that failed, for example offline. The timer would repeat them forever.
   */
  #bringRest(isAgain: boolean): void {
    for (const run of this.runs()) {
      if (this.#jobs.isRunning(run.id) || this.#isOfOpenWindow(run)) continue;
      const isLate = Date.now() - seenAt(run) > AGAIN_MS;
      const outputs = isAgain && !isLate ? unfetched(run) : unfetched(run).filter(isUntried(run));
      for (const output of outputs) this.download(run.id, output).catch(this.#onUnexpected);
    }
  }

  /** Whether another open window started it, and takes care of it. */
  #isOfOpenWindow(run: MediaRun): boolean {
    return run.writer !== this.#writer && mayStillRun(run.pid, seenAt(run), ALIVE_MS);
  }
}

function seenAt({ endedAt, startedAt }: MediaRun): number {
  return endedAt ?? startedAt;
}

/** Whether no attempt to download an output has failed so far. */
function isUntried({ outputs }: MediaRun): (output: number) => boolean {
  return (output) => outputs[output]?.failure === undefined;
}
