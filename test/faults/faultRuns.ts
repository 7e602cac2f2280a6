import { build } from 'esbuild';
import { mkdir, mkdtemp, realpath, rm, stat } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectFolder } from '../workbench/folders.ts';
import { Lane } from './runSchedule.ts';
import { scheduleOf } from './schedule.ts';
import type { StoreUnderTest } from './storeUnderTest.ts';
import { WindowProcesses } from './windowProcesses.ts';

export interface FaultRunOptions {
  readonly stores: readonly StoreUnderTest[];
  readonly seeds: Iterable<number>;
  /** Number of failures after which no new schedule starts. */
  readonly enough: number;
  /** Called at once for each failure. */
  readonly onFailure?: (words: string) => Promise<void>;
  /** Whether a failure counts; by default, all do. */
  readonly isFailure?: (words: string) => boolean;
}

/**
 * Runs schedules, several at a time, each with two windows in their own processes and a third that checks the result.
 * The processes are kept from one run to the next: starting them would take as long as the schedules.
 */
export class FaultRuns {
  readonly #root: string;
  readonly #processes: readonly WindowProcesses[];
  readonly #lanes: readonly Lane[];

  private constructor(root: string, program: string, folders: string) {
    const epoch = Date.now();
    this.#root = root;
    this.#processes = Array.from(
      { length: availableParallelism() * 3 },
      () => new WindowProcesses(program, folders, epoch),
    );
    this.#lanes = this.#processes.map((processes) => new Lane(folders, processes));
  }

  static async start(): Promise<FaultRuns> {
    const root = await scratchFolder();
    const folders = join(root, 'schedules');
    await mkdir(folders);
    return new FaultRuns(root, await bundled(join(root, 'program')), folders);
  }

  /** @returns descriptions of the failures, by seed. */
  async run(options: FaultRunOptions): Promise<ReadonlyMap<number, string>> {
    const { stores, seeds, enough, onFailure, isFailure = () => true } = options;
    const failures = new Map<number, string>();
    const waiting = seeds[Symbol.iterator]();
    await Promise.all(
      this.#lanes.map(async (lane) => {
        for (let next = waiting.next(); next.done !== true && failures.size < enough; next = waiting.next()) {
          const wrong = await lane.run(scheduleOf(next.value, stores));
          if (wrong === undefined || !isFailure(wrong)) continue;
          failures.set(next.value, wrong);
          await onFailure?.(wrong);
        }
      }),
    );
    return failures;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#processes.map((each) => each.end()));
    await rm(this.#root, { recursive: true, force: true });
  }
}

/** In memory if the system has a folder for that: the calls are tested, not the disk. */
async function scratchFolder(): Promise<string> {
  const inMemory = '/dev/shm';
  const isThere = await stat(inMemory).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
  return realpath(await mkdtemp(join(isThere ? inMemory : tmpdir(), 'parlance-faults-')));
}

/** A bundled process starts in a fifth of the time. */
async function bundled(folder: string): Promise<string> {
  await build({
    entryPoints: [join(projectFolder, 'test/faults/windowProcess.ts')],
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    splitting: true,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    minify: true,
    keepNames: true,
    logLevel: 'error',
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
  });
  return join(folder, 'windowProcess.mjs');
}
