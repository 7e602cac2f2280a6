import { join } from 'node:path';
import type { Experiment } from '../../core/experiments/experiment.ts';
import { experimentId } from '../../core/experiments/experimentId.ts';
import type { ExperimentRunFacts, PlannedState } from '../../core/experiments/experimentLog.ts';
import { ExperimentRun, type ExperimentRunDeps } from '../../core/experiments/experimentRun.ts';
import { withFileLock } from '../disk/fileLock.ts';
import { namesIn } from '../disk/namesIn.ts';
import { ownerOf } from '../disk/processMark.ts';
import { removeFile } from '../disk/removeFile.ts';
import { watchFiles } from '../disk/watchFiles.ts';
import type { FolderWatch } from '../disk/watchFolder.ts';
import { ExperimentFile } from './experimentFile.ts';

const ENDING = '.jsonl';
const LOCK = '.lock';
/**
 * Longer than a run can be silent, because of a rate limit or a long reply. After that, the process ID of a window that
 * was killed might belong to another program. For a window on another machine that shares the folder, only its lines
 * show whether it still exists.
 */
const LONGEST_SILENCE_MS = 60 * 60_000;

export interface StoredExperiment {
  readonly experiment: Experiment;
  /** Unix time in milliseconds. */
  readonly createdAt: number;
  /** Number of its planned requests. */
  readonly counts: Readonly<Record<PlannedState, number>>;
  readonly runs: readonly ExperimentRunFacts[];
  readonly damagedLines: number;
}

interface ListedExperiments {
  /** Newest first. */
  readonly found: readonly StoredExperiment[];
  /**
   * Numbers of files that were left out, so that what isn't found might still be in one of them. `unreadable` ones can't
   * be read right now, `damaged` ones don't say what they are, or a newer version of Parlance wrote them.
   */
  readonly leftOut: { readonly unreadable: number; readonly damaged: number };
}

type RunDeps = Omit<ExperimentRunDeps, 'write' | 'append'>;

/** The folder of experiments, with a file each. All windows share it. */
export class ExperimentStore {
  readonly #folder: string;
  readonly #onError: (error: unknown) => void;
  readonly #onUnsaved: (error: unknown) => void;
  readonly #running = new Map<string, { readonly run: ExperimentRun; readonly done: Promise<unknown> }>();

  constructor(deps: {
    readonly folder: string;
    /** Called when a file can't be read, or a run ends because nothing can be recorded before it's sent. */
    readonly onError: (error: unknown) => void;
    /** Called when a run's results couldn't be written; they're kept and retried. */
    readonly onUnsaved: (error: unknown) => void;
  }) {
    this.#folder = deps.folder;
    this.#onError = deps.onError;
    this.#onUnsaved = deps.onUnsaved;
  }

  async create(experiment: Experiment): Promise<void> {
    const file = this.#file(experiment.id, true);
    await file.write([{ type: 'created', version: 1, experiment }]);
  }

  /**
   * Newest first. Leaves out files that can't be read, and reports them.
   * @param kind all kinds by default; otherwise only IDs from `experimentId` are found
   */
  async list(kind?: Experiment['kind']): Promise<readonly StoredExperiment[]> {
    return (await this.listAll(kind)).found;
  }

  /** The same, with what was left out. */
  async listAll(kind?: Experiment['kind']): Promise<ListedExperiments> {
    const start = kind === undefined ? '' : experimentId(kind, '');
    const all = await namesIn(this.#folder);
    const names = all.filter((name) => name.startsWith(start) && name.endsWith(ENDING));
    const found: StoredExperiment[] = [];
    const leftOut = { unreadable: 0, damaged: 0 };
    for (const name of names) {
      try {
        const file = await this.open(name.slice(0, -ENDING.length));
        const stored = this.#stored(file);
        if (stored !== undefined) found.push(stored);
        else if (file.damagedLines > 0) leftOut.damaged += 1;
      } catch (error) {
        leftOut.unreadable += 1;
        this.#onError(error);
      }
    }
    return { found: found.toSorted((a, b) => b.createdAt - a.createdAt), leftOut };
  }

  async find(id: string): Promise<StoredExperiment | undefined> {
    return this.#stored(await this.open(id));
  }

  /** Everything that its file says. */
  async open(id: string): Promise<ExperimentFile> {
    const file = this.#file(id);
    await file.read();
    return file;
  }

  /** Calls back when a window might have written something. */
  watch(onChange: () => void): FolderWatch {
    return watchFiles(this.#folder, (name) => name.endsWith(ENDING), onChange, this.#onError);
  }

  /** The state of each planned request, by its key. */
  states(file: ExperimentFile): ReadonlyMap<string, PlannedState> {
    return file.log.states(({ run, writer, at }) => this.#isAlive(run, writer, at));
  }

  /** Whether a run of it is under way, in this window or another. */
  isRunning({ log }: ExperimentFile): boolean {
    return log.openRuns().some(({ id, writer, lastAt }) => this.#isAlive(id, writer, lastAt));
  }

  /**
   * Starts sending what hasn't been sent yet.
   * @returns undefined if a run is under way, in this window or another, or there's no such experiment. Rejects if the
   * run's first line can't be written
   */
  async start(
    id: string,
    deps: RunDeps,
  ): Promise<{ readonly run: ExperimentRun; readonly file: ExperimentFile } | undefined> {
    return withFileLock(this.#path(id) + LOCK, async (lock) => {
      const file = await this.open(id);
      const { log } = file;
      const { experiment } = log;
      if (experiment === undefined || this.isRunning(file)) return undefined;
      const runId = deps.newId();
      await lock.confirm();
      await file.write([{ type: 'runStarted', run: runId }]);
      // A window that hangs loses its lock, and could continue here just after another one has started.
      await file.read();
      if (this.#isSecond(runId, file)) {
        file.append([{ type: 'runEnded', run: runId, end: { reason: 'stopped' } }]);
        await file.flush();
        return undefined;
      }
      const run = new ExperimentRun(
        runId,
        { experiment, states: this.states(file), log },
        {
          ...deps,
          write: async (facts) => {
            try {
              await file.write(facts);
            } catch (error) {
              this.#onError(error);
              throw error;
            }
          },
          append: file.append.bind(file),
        },
      );
      const done = run
        .run()
        .then(() => file.flush())
        .finally(() => this.#running.delete(run.id));
      this.#running.set(run.id, { run, done });
      return { run, file };
    });
  }

  /** Settles once the run of this window has ended, if it's still under way. */
  async ended(runId: string): Promise<void> {
    await this.#running.get(runId)?.done;
  }

  /** @returns false if it's running: it must be stopped first */
  async remove(id: string): Promise<boolean> {
    return withFileLock(this.#path(id) + LOCK, async (lock) => {
      if (this.isRunning(await this.open(id))) return false;
      await lock.confirm();
      await removeFile(this.#path(id));
      return true;
    });
  }

  /** @returns false if one of them is running: then none is removed */
  async removeAll(ids: readonly string[]): Promise<boolean> {
    const files = await Promise.all(ids.map((id) => this.open(id)));
    if (files.some((file) => this.isRunning(file))) return false;
    const removed = await Promise.all(ids.map((id) => this.remove(id)));
    return removed.every(Boolean);
  }

  /** Stops all runs of this window, at once. Settles when they have ended. */
  async stop(): Promise<void> {
    const all = [...this.#running.values()];
    for (const { run } of all) run.stop();
    await Promise.all(all.map(({ done }) => done));
  }

  /** Whether another run that's under way wrote its first line before this one. */
  #isSecond(runId: string, { log, runsAsWritten }: ExperimentFile): boolean {
    const before = runsAsWritten.slice(0, runsAsWritten.indexOf(runId));
    return log.openRuns().some(({ id, writer, lastAt }) => before.includes(id) && this.#isAlive(id, writer, lastAt));
  }

  #isAlive(run: string, writer: string, at: number): boolean {
    switch (ownerOf(writer)) {
      case 'self':
        return this.#running.has(run);
      case 'alive':
      case 'unknown':
        return Date.now() - at < LONGEST_SILENCE_MS;
      case 'dead':
      case undefined:
        return false;
    }
  }

  #stored(file: ExperimentFile): StoredExperiment | undefined {
    const { log, damagedLines } = file;
    const { experiment, createdAt = 0 } = log;
    if (experiment === undefined) return undefined;
    const counts = { notSent: 0, running: 0, mayBeCharged: 0, finished: 0 };
    for (const state of this.states(file).values()) counts[state] += 1;
    return { experiment, createdAt, counts, runs: log.runs(), damagedLines };
  }

  #file(id: string, isNew = false): ExperimentFile {
    return new ExperimentFile(this.#path(id), this.#onUnsaved, isNew);
  }

  #path(id: string): string {
    if (!/^[\w-]{1,64}$/.test(id)) throw new Error(`Not the ID of an experiment: ${JSON.stringify(id)}`);
    return join(this.#folder, id + ENDING);
  }
}
