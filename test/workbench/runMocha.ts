import { format } from 'node:util';
import Mocha from 'mocha';
import type { SuiteResult } from './suiteResult.ts';

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
      resolve({ passed: passes, failed, skipped: pending });
    });
  });
}
