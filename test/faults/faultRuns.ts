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
  /** Whether a failure counts; by default, all do. */
  readonly isFailure?: (words: string) => boolean;
}

/**
 * Runs schedules, several at a time, each with two windows in their own processes and a third that checks the result.
 * @returns descriptions of the failures, by seed.
 */
export async function runSchedules({
  stores,
  seeds,
  enough,
  isFailure = () => true,
}: FaultRunOptions): Promise<ReadonlyMap<number, string>> {
  const root = await scratchFolder();
  const failures = new Map<number, string>();
  const started: WindowProcesses[] = [];
  try {
    const program = await bundled(join(root, 'program'));
    const folders = join(root, 'schedules');
    await mkdir(folders);
    const epoch = Date.now();
    const waiting = seeds[Symbol.iterator]();
    const lanes = Array.from({ length: availableParallelism() * 2 }, async () => {
      const processes = new WindowProcesses(program, folders, epoch);
      started.push(processes);
      const folder = new Lane(folders, processes);
      for (let next = waiting.next(); next.done !== true && failures.size < enough; next = waiting.next()) {
        const wrong = await folder.run(scheduleOf(next.value, stores));
        if (wrong !== undefined && isFailure(wrong)) failures.set(next.value, wrong);
      }
    });
    await Promise.all(lanes);
  } finally {
    for (const processes of started) processes.end();
    await rm(root, { recursive: true, force: true });
  }
  return failures;
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
