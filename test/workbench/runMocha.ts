import { format } from 'node:util';
import Mocha from 'mocha';
import { failTest } from './failOnFaults.ts';
import { projectPath } from './folders.ts';
import { type Counts, type FileResult, isEmpty, type SuiteResult } from './suiteResult.ts';

export interface MochaRun {
  /** Absolute paths. */
  readonly files: readonly string[];
  /** Only tests whose full title contains this. */
  readonly grep?: string | undefined;
  /** For each test and hook without its own. */
  readonly timeoutMs: number;
  /** The factor by which all wait times are longer here, including those that tests set themselves. */
  readonly slowness?: number;
  /** Called with each test's full title. */
  readonly skip?: (title: string) => boolean;
  /** Looks after each test for what went wrong beside it, which then fails that test and no other. */
  readonly afterTest?: () => Promise<readonly string[]>;
  /** Runs after each outermost suite. */
  readonly afterSuite?: () => Promise<void>;
  /** Where the report is written, piece by piece; the console by default. */
  readonly write?: (text: string) => void;
}

/**
 * Runs test files with mocha in this process. Prints as they run. Failing hooks count as failures, and so does a file
 * without a test, which might have lost all it had.
 */
export async function runMocha({
  files,
  grep,
  timeoutMs,
  slowness = 1,
  skip,
  afterTest,
  afterSuite,
  write,
}: MochaRun): Promise<SuiteResult> {
  const mocha = new Mocha({ ui: 'bdd', reporter: 'spec', timeout: timeoutMs * slowness, forbidOnly: true });
  if (write) Mocha.reporters.Base.consoleLog = (...values: unknown[]) => write(format(...values));
  if (grep !== undefined) mocha.fgrep(grep);
  mocha.rootHooks({
    async afterEach(this: Mocha.Context) {
      failTest(this, (await afterTest?.()) ?? []);
    },
    beforeEach(this: Mocha.Context) {
      const test = this.currentTest;
      if (test === undefined) return;
      if (skip?.(test.fullTitle()) === true) this.skip();
      if (test.timeout() !== timeoutMs * slowness) test.timeout(test.timeout() * slowness);
    },
  });
  for (const file of files) mocha.addFile(file);
  await mocha.loadFilesAsync();
  if (afterSuite) for (const suite of mocha.suite.suites) suite.afterAll(afterSuite);
  return new Promise((resolve) => {
    const runner = mocha.run(() => {
      const all = [...results.values()];
      const empty = all.filter((result) => grep === undefined && isEmpty(result));
      for (const { file } of empty) (write ?? console.log)(`${file} has no test.`);
      resolve(all.map((result) => (empty.includes(result) ? { ...result, failed: 1 } : result)));
      // It would still listen for errors that nobody handles, and end the process at the next one.
      runner.dispose();
    });
    const results = resultsByFile(runner, files);
  });
}

/** @param files get a result even if they have no test */
function resultsByFile(runner: Mocha.Runner, files: readonly string[]): ReadonlyMap<string, FileResult> {
  const results = new Map<string, FileResult>();
  const add = (path: string | undefined, more: (known: FileResult) => Partial<FileResult>): void => {
    const file = path === undefined ? '' : projectPath(path);
    const known = results.get(file) ?? { file, passed: 0, failed: 0, skipped: 0, ms: 0 };
    results.set(file, { ...known, ...more(known) });
  };
  for (const file of files) add(file, () => ({}));
  const outcomes = new Map<Mocha.Runnable, keyof Counts>();
  const count = (what: keyof Counts, test: Mocha.Runnable): void => {
    // A test can fail after it has passed, and more than once.
    const before = outcomes.get(test);
    if (before === what) return;
    outcomes.set(test, what);
    const file = test.file ?? test.parent?.file;
    if (before !== undefined) add(file, (known) => ({ [before]: known[before] - 1 }));
    add(file, (known) => ({ [what]: known[what] + 1 }));
  };
  runner.on('pass', (test) => count('passed', test));
  runner.on('fail', (test) => count('failed', test));
  runner.on('pending', (test) => {
    count('skipped', test);
    add(test.file ?? test.parent?.file, ({ skips = [] }) => ({ skips: [...skips, test.fullTitle()] }));
  });

  const starts = new Map<Mocha.Suite, number>();
  const isOutermost = ({ root, parent }: Mocha.Suite): boolean => !root && parent?.root === true;
  runner.on('suite', (suite) => {
    if (isOutermost(suite)) starts.set(suite, performance.now());
  });
  runner.on('suite end', (suite) => {
    const started = starts.get(suite);
    if (started !== undefined) add(suite.file, ({ ms }) => ({ ms: ms + performance.now() - started }));
  });
  return results;
}
