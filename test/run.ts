/**
 * `npm test`: builds, then runs every suite of `suites.ts`. The last line has the totals. `npm test -- --only unit,host
 * --grep <text>` runs some suites, or the tests whose titles contain the text; `--changed` the tests that uncommitted
 * and unpushed changes affect; `--release` every suite.
 */
import { mkdir, rm } from 'node:fs/promises';
import { format } from 'node:util';
import { type FileSuite, type Suite, suites, type WholeSuite } from './suites.ts';
import { affectedTests, changedFiles } from './workbench/affectedTests.ts';
import { refusedSkips } from './workbench/allowedSkips.ts';
import { reportBoundaries } from './workbench/boundaryReport.ts';
import { findBrowser } from './workbench/browser.ts';
import { findFiles } from './workbench/findFiles.ts';
import { cacheFolder, projectPath, resultsFolder } from './workbench/folders.ts';
import { type Job, runJobs, workerCount, type WorkerKind } from './workbench/runJobs.ts';
import { runScript } from './workbench/runScript.ts';
import { installServer } from './workbench/serverInstall.ts';
import { countsText, type FileResult, isEmpty, type SuiteResult, sumOf } from './workbench/suiteResult.ts';
import { readTestOptions, type TestOptions, testUsage, UsageError } from './workbench/testOptions.ts';
import { TestWorker } from './workbench/testWorkers.ts';
import { startStopwatch, whereTimeWent } from './workbench/whereTimeWent.ts';

/** Of what failed in a file, once more at the end. */
const reportLines = 40;

/** Before this script could start. */
const setupMs = Number(process.env['PARLANCE_SETUP_MS'] ?? 0);
const total = startStopwatch();
/** What failed in each file. */
const reports: string[] = [];
const { grep, ...options } = readOptions();
const steps = new Map<string, number>();
const onlyFiles = options.isChangedOnly ? await timed('choosing the tests', filesOfChanges) : undefined;
const chosen = options.chosen.filter((suite) => onlyFiles === undefined || partOf(suite).length > 0);
const results = new Map<Suite, FileResult[]>(chosen.map((suite) => [suite, []]));
let isBuilt = true;
const workers = chosen.every(({ sharesCores }) => sharesCores === true) ? 2 * workerCount : workerCount;

await rm(resultsFolder, { recursive: true, force: true });
await mkdir(resultsFolder, { recursive: true });
noteSetup();
if (chosen.some(({ needsBuild }) => needsBuild)) {
  await timed('setup: VS Code and a browser', async () => {
    await installServer(cacheFolder, console.log);
    await findBrowser(cacheFolder, console.log);
  });
  isBuilt = (await timed('build', () => runScript('esbuild.config.mjs'))) === 0;
}

const tests = startStopwatch();
const runnable = chosen.filter(({ needsBuild }) => isBuilt || !needsBuild);
await runAll();

for (const suite of runnable) {
  const files = results.get(suite) ?? [];
  if (!hasTests(files) && grep === undefined && onlyFiles === undefined) {
    console.error(`The suite ${suite.name} ran no test${sumOf(files).skipped > 0 ? ': it skipped all of them' : ''}.`);
    files.push({ file: suite.name, passed: 0, failed: 1, skipped: 0, ms: 0 });
  }
  steps.set(
    `${suite.name}: ${countsText(sumOf(files))}`,
    files.reduce((ms, file) => ms + file.ms, 0),
  );
}

// Only a whole run can show what no test exercises.
const isCovered = !options.isWhole || !isBuilt || (await reportBoundaries(resultsFolder));

const all = [...results.values()].flat();
const sum = sumOf(all);
const nothingRan = isEmpty(sum) && (onlyFiles === undefined || onlyFiles.length > 0);
const refused = [...results].flatMap(([{ name }, files]) => refusedSkips(name, files));
const failed = sum.failed + refused.length + (isBuilt ? 0 : 1) + (nothingRan ? 1 : 0) + (isCovered ? 0 : 1);
const beside = runnable.filter(({ inBackground }) => inBackground !== undefined).map(({ name }) => name);
const times = {
  steps,
  files: all.filter((result) => !isEmpty(result)),
  totalMs: setupMs + total.ms(),
  idleShare: tests.idleShare(),
  workers,
  beside,
};
console.log(`\n${whereTimeWent(times)}\n`);
const skips = all.flatMap(({ file, skips: titles = [] }) => titles.map((title) => `  ${file}: ${title}`));
if (skips.length > 0) console.log(`Skipped:\n${skips.join('\n')}`);
for (const skip of refused) console.log(`✘ Skipped, and allowedSkips.ts doesn't allow that here: ${skip}`);
// Once more: in the log of a long run, it's hundreds of lines above.
for (const report of reports) console.log(report);
if (!isBuilt) console.log('The build failed; see above.');
if (nothingRan) {
  const isTitleMeant = grep !== undefined && isBuilt;
  console.log(
    isTitleMeant
      ? `No test was run: no test's title contains "${grep}". The name of its file doesn't count.`
      : 'No test was run.',
  );
}
if (!isCovered) console.log('What no test exercises is not what unexercised.json lists; see above.');
for (const { file, ...counts } of all.filter((result) => result.failed > 0)) {
  console.log(`✘ ${file}: ${countsText(counts)}`);
}
console.log(countsText({ ...sum, failed }));
process.exitCode = failed > 0 ? 1 : 0;

/** Whether anything was tried. */
function hasTests(files: SuiteResult): boolean {
  const { passed, failed: bad } = sumOf(files);
  return passed + bad > 0;
}

interface Options {
  readonly chosen: readonly Suite[];
  readonly grep: string | undefined;
  readonly isChangedOnly: boolean;
  /** Every suite that CI runs, with every test in it. */
  readonly isWhole: boolean;
}

function readOptions(): Options {
  const values = asked();
  // Inherited by the processes that run them.
  if (values.release) process.env['PARLANCE_SCHEDULES'] ??= '20000';
  else if (values.changed) process.env['PARLANCE_SCHEDULES'] ??= '200';
  return {
    chosen: suites.filter(
      ({ name, onDemand }) => values.only?.includes(name) ?? (values.release || onDemand === undefined),
    ),
    grep: values.grep,
    isChangedOnly: values.changed,
    isWhole: values.only === undefined && values.grep === undefined && !values.changed,
  };
}

function asked(): TestOptions {
  const names = suites.map(({ name }) => name);
  try {
    return readTestOptions(process.argv.slice(2), process.env, names);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    console.error(`${error.message}\n\n${testUsage}`);
    process.exit(2);
  }
}

/** The test files for `--changed`, and a note on what a whole run would add. */
async function filesOfChanges(): Promise<readonly string[]> {
  const changed = await changedFiles();
  const { files, leftOut } = await affectedTests(changed);
  console.log(`Changed files: ${changed.length}. Test files that they affect: ${files.length}.`);
  if (leftOut.length > 0) {
    console.log(`They reach ${leftOut.length} features: npm test runs the tests of all of them in VS Code.`);
  }
  if (files.length > 0)
    console.log('npm test also runs what all features have in common: keyboard, commands, security.');
  for (const suite of suites) {
    if (suite.onDemand !== undefined && changed.some((file) => file.startsWith(folderOf(suite))))
      console.log(`Files of the suite ${suite.name} changed: npm test -- --only ${suite.name}`);
  }
  return files;
}

/** Where its test files are; of a suite without its own, a folder that doesn't exist. */
function folderOf(suite: Suite): string {
  return 'files' in suite ? suite.files.slice(0, suite.files.indexOf('*')) : (suite.folder ?? 'none/');
}

/** Those of the affected files that the suite runs. */
function partOf(suite: Suite): readonly string[] {
  const folder = folderOf(suite);
  const packaged = 'test/ui/packaged/';
  return (onlyFiles ?? []).filter(
    (file) => file.startsWith(folder) && file.startsWith(packaged) === (folder === packaged),
  );
}

/** What `setup.mjs` did before this script could start. */
function noteSetup(): void {
  if (setupMs > 1000) steps.set('setup: packages', setupMs);
}

async function timed<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  const watch = startStopwatch();
  const result = await work();
  steps.set(name, watch.ms());
  return result;
}

async function jobsOf(suite: Suite): Promise<readonly Job<TestWorker>[]> {
  if (!('files' in suite)) return [{ kind: suite.name, run: () => runWhole(suite) }];
  const found = await findFiles(suite.files, suite.exclude);
  const files = onlyFiles === undefined ? found : found.filter((file) => onlyFiles.includes(projectPath(file)));
  const slowest = suite.slowest ?? [];
  const place = (file: string): number => {
    const rank = slowest.findIndex((part) => projectPath(file).includes(part));
    return rank === -1 ? slowest.length : rank;
  };
  return files
    .toSorted((one, other) => place(one) - place(other))
    .map((file) => ({
      kind: suite.name,
      run: async (worker) => {
        const { text, ...result } = await worker.run(file);
        results.get(suite)?.push(result);
        print(suite, result, text);
      },
    }));
}

/**
 * Those in the background beside the workers; those that use all cores before the rest, which goes from one queue to
 * whichever worker is free.
 */
async function runAll(): Promise<void> {
  const background = runnable.filter(({ inBackground }) => inBackground !== undefined);
  const spread = runnable.filter((suite) => !background.includes(suite));
  const jobsOfAll = async (some: readonly Suite[]) => (await Promise.all(some.map(jobsOf))).flat();
  const wide = await jobsOfAll(spread.filter(({ usesAllCores }) => usesAllCores === true));
  const queue = (await jobsOfAll(spread.filter(({ usesAllCores }) => usesAllCores !== true))).values();
  await Promise.all([
    ...background.map(async (suite) => {
      await runJobs(await jobsOf(suite), workersOf, 1);
      if (suite.inBackground === 'then helps') await runJobs(queue, workersOf, 1);
    }),
    runJobs(wide, workersOf, 1).then(() => runJobs(queue, workersOf, workers)),
  ]);
}

async function runWhole(suite: WholeSuite): Promise<void> {
  const watch = startStopwatch();
  let text = '';
  const run = async (): Promise<SuiteResult> => {
    try {
      return await suite.run({ grep, files: onlyFiles && partOf(suite) }, (line) => (text += `${line}\n`));
    } catch (error) {
      text += `The suite broke off: ${format(error)}\n`;
      return [{ file: suite.name, passed: 0, failed: 1, skipped: 0, ms: watch.ms() }];
    }
  };
  const files = await run();
  results.get(suite)?.push(...files);
  print(suite, { ...sumOf(files), file: suite.what, ms: watch.ms() }, text);
}

function workersOf(name: string): WorkerKind<TestWorker> {
  const suite = suites.find((one): one is FileSuite => one.name === name && 'files' in one);
  return {
    open: () => new TestWorker({ grep, timeoutMs: suite?.timeoutMs ?? 0 }),
    close: async (worker) => {
      const trouble = await worker.end();
      if (trouble === undefined || !suite) return;
      const result = { file: `${name}, at its end`, passed: 0, failed: 1, skipped: 0, ms: 0 };
      results.get(suite)?.push(result);
      print(suite, result, trouble);
    },
  };
}

/** A line for a file that passed, the whole report for one that failed or whose tests were asked for by name. */
function print(suite: Suite, result: FileResult, text: string): void {
  const { passed, failed: bad, file, ms } = result;
  if (isEmpty(result)) return;
  // If all of it was skipped, that might yet fail the run.
  const verdict = passed > 0 ? '✔' : '–';
  console.log(
    `${bad > 0 ? '✘' : verdict} ${suite.name.padEnd(8)} ${file}  ${countsText(result)}  ${(ms / 1000).toFixed(1)} s`,
  );
  if (bad > 0 || grep !== undefined) console.log(text);
  if (bad > 0) reports.push(`\n✘ ${suite.name} ${file}\n${failuresIn(text)}`);
}

/** The end of a report: mocha's list of what failed, or the last lines if it has none. */
function failuresIn(text: string): string {
  const [, list] = text.match(/\n(\s*\d+ failing\s*\n[^]*)/) ?? [];
  const lines = (list ?? text).trim().split('\n');
  return (list === undefined ? lines.slice(-reportLines) : lines.slice(0, reportLines)).join('\n');
}
