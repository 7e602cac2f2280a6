import { cpus } from 'node:os';
import type { FileResult } from './suiteResult.ts';

/** Milliseconds since it was created, and for how long the cores were idle. */
export interface Stopwatch {
  readonly ms: () => number;
  /** From 0 to 1, over all cores. */
  readonly idleShare: () => number;
}

export function startStopwatch(): Stopwatch {
  const started = performance.now();
  const before = coreTimes();
  return {
    ms: () => performance.now() - started,
    idleShare: () => {
      const after = coreTimes();
      const total = after.total - before.total;
      return total === 0 ? 0 : (after.idle - before.idle) / total;
    },
  };
}

function coreTimes(): { readonly idle: number; readonly total: number } {
  const times = cpus().map((core) => core.times);
  const idle = times.reduce((sum, each) => sum + each.idle, 0);
  const total = times.reduce((sum, each) => sum + each.user + each.nice + each.sys + each.idle + each.irq, 0);
  return { idle, total };
}

export interface RunTimes {
  /** Milliseconds per activity, in order; for suites, summed over the workers. */
  readonly steps: ReadonlyMap<string, number>;
  readonly files: readonly FileResult[];
  readonly totalMs: number;
  /** While tests ran. */
  readonly idleShare: number;
  readonly workers: number;
  /** Names of suites that ran beside the workers. */
  readonly beside: readonly string[];
}

const slowestShown = 10;

/** The end of a test run: its steps, the slowest files, and how long the machine waited. */
export function whereTimeWent({ steps, files, totalMs, idleShare, workers, beside }: RunTimes): string {
  const rows = [...steps].map(([name, ms]) => `${seconds(ms)}  ${name}`);
  const pace = [`${workers} files at a time`, ...beside].join(' beside ');
  const slowest = files.toSorted((one, other) => other.ms - one.ms).slice(0, slowestShown);
  return [
    'Where the time went (several files run at once, so the times of suites add up to more than the whole run)',
    ...rows,
    `${seconds(totalMs)}  in all, ${pace}; while tests ran, the cores were idle ${Math.round(idleShare * 100)}% of the time`,
    ...(slowest.length > 0 ? ['The slowest files'] : []),
    ...slowest.map(({ file, ms }) => `${seconds(ms)}  ${file}`),
  ].join('\n');
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1).padStart(7)} s`;
}
