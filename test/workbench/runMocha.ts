import { format } from 'node:util';
import Mocha from 'mocha';
import type { FileResult, SuiteResult } from './suiteResult.ts';

export interface MochaRun {
  /** Absolute paths. */
  readonly files: readonly string[];
  /** Only tests whose full title contains this. */
  readonly grep?: string | undefined;
  /** For each test and hook, unless it sets its own. */
  readonly timeoutMs: number;
  /** Where the report goes, piece by piece; the console unless given. */
  readonly write?: (text: string) => void;
}

/** Runs test files with mocha in this process. Prints as they go; hooks that fail count as failures. */
export async function runMocha({ files, grep, timeoutMs, write }: MochaRun): Promise<SuiteResult> {
  const mocha = new Mocha({ ui: 'bdd', reporter: 'spec', timeout: timeoutMs, forbidOnly: true });
  if (write) Mocha.reporters.Base.consoleLog = (...values: unknown[]) => write(format(...values));
  if (grep !== undefined) mocha.fgrep(grep);
  for (const file of files) mocha.addFile(file);
  await mocha.loadFilesAsync();
  return new Promise((resolve) => {
    const runner = mocha.run((failed) => {
      const { passes = 0, pending = 0 } = runner.stats ?? {};
      const failedFiles = [...counts.values()].filter((file) => file.failed > 0);
      resolve({ passed: passes, failed, skipped: pending, failedFiles });
    });
    const counts = countByFile(runner);
  });
}

function countByFile(runner: Mocha.Runner): ReadonlyMap<string, FileResult> {
  const counts = new Map<string, FileResult>();
  const count = (what: 'passed' | 'failed' | 'skipped', { file, parent }: Mocha.Runnable): void => {
    const name = file ?? parent?.file ?? '';
    const known = counts.get(name) ?? { file: name, passed: 0, failed: 0, skipped: 0 };
    counts.set(name, { ...known, [what]: known[what] + 1 });
  };
  runner.on('pass', (test) => count('passed', test));
  runner.on('fail', (test) => count('failed', test));
  runner.on('pending', (test) => count('skipped', test));
  return counts;
}
