/**
 * `npm test`: builds, then runs every suite. The last line is the sum over all of them.
 * `npm test -- --only unit,host --grep <text>` runs some suites, or the tests whose title has the text.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { projectFolder, resultsFolder } from './workbench/folders.ts';
import { runScript } from './workbench/runScript.ts';
import { runInServerHost } from './workbench/serverHost.ts';
import { isSuiteResult, type SuiteResult, withSecondAttempt } from './workbench/suiteResult.ts';

interface Suite {
  readonly name: string;
  readonly what: string;
  /** Reads the sources, and so needs no build. */
  readonly ofSources?: boolean;
  /** Waits more than it works: it runs next to the others, and is reported after them. */
  readonly inBackground?: boolean;
  /** Runs only where it is named. */
  readonly onDemand?: boolean;
  /** @param write takes the report, in place of this terminal. */
  run(grep: string | undefined, write?: (text: string) => void): Promise<SuiteResult>;
}

const secondAttemptLimit = 5;
/** Files that passed only the second time. */
const unsteady: string[] = [];
const packagedTests = 'test/ui/packaged/**/*.test.ts';

const suites: readonly Suite[] = [
  {
    name: 'unit',
    what: 'the floors by themselves',
    ofSources: true,
    run: (grep) => runInProcess(['--files', 'test/unit/**/*.test.ts'], grep),
  },
  {
    name: 'host',
    what: "inside VS Code's extension host",
    run: (grep) => runInServerHost({ grep, report: (line) => console.log(line) }),
  },
  {
    name: 'oldest',
    what: 'the same inside the lowest VS Code we support',
    onDemand: true,
    run: (grep) => runInServerHost({ grep, inOldest: true, report: (line) => console.log(line) }),
  },
  {
    name: 'ui',
    what: 'a browser on the real workbench',
    run: (grep) =>
      runTwice(['--files', 'test/ui/**/*.test.ts', '--exclude', packagedTests], ['--timeout', '60000'], grep),
  },
  {
    name: 'package',
    what: 'the .vsix as users install it',
    run: (grep) => runTwice(['--files', packagedTests], ['--timeout', '120000'], grep),
  },
  {
    name: 'patience',
    what: 'five minutes of silence',
    ofSources: true,
    inBackground: true,
    run: (grep, write) => runInProcess(['--files', 'test/patience/**/*.test.ts', '--timeout', '400000'], grep, write),
  },
];

async function runInProcess(
  args: readonly string[],
  grep: string | undefined,
  write?: (text: string) => void,
): Promise<SuiteResult> {
  const scratch = await mkdtemp(join(tmpdir(), 'parlance-suite-'));
  try {
    const resultFile = join(scratch, 'result.json');
    const search = grep === undefined ? [] : ['--grep', grep];
    const code = await runScript('test/workbench/mochaSuite.ts', [...args, ...search, '--result', resultFile], write);
    const result: unknown = await readFile(resultFile, 'utf8').then(JSON.parse, () => undefined);
    if (!isSuiteResult(result)) throw new Error(`It ended with code ${code} before it had a result.`);
    if (code !== 0 && result.failed === 0) throw new Error(`Its tests passed, and yet it ended with code ${code}.`);
    return result;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/**
 * For suites that drive the whole of VS Code, which now and then loses a click or redraws a list under it:
 * what fails is run again, its whole file in a fresh workbench. Only what fails twice has failed; what
 * passed the second time is named. More files than `secondAttemptLimit` are
 * no accident, and are not run again.
 */
async function runTwice(
  files: readonly string[],
  options: readonly string[],
  grep: string | undefined,
): Promise<SuiteResult> {
  const first = await runInProcess([...files, ...options], grep);
  const failed = (first.failedFiles ?? []).map(({ file }) => file);
  if (failed.length === 0 || failed.length > secondAttemptLimit) return first;
  console.log(`── once more: ${failed.map((file) => relative(projectFolder, file)).join(', ')}`);
  const second = await runInProcess([...failed.flatMap((file) => ['--files', file]), ...options], grep);
  const failedTwice = (second.failedFiles ?? []).map(({ file }) => file);
  unsteady.push(...failed.filter((file) => !failedTwice.includes(file)).map((file) => relative(projectFolder, file)));
  return withSecondAttempt(first, second);
}

/** A suite that breaks off, or that has not one test to run, is a failure too. */
async function outcomeOf(suite: Suite, grep: string | undefined, write?: (text: string) => void): Promise<SuiteResult> {
  try {
    const result = await suite.run(grep, write);
    if (result.passed + result.failed > 0 || grep !== undefined) return result;
    console.error(`The suite ${suite.name} ran no test.`);
    return { ...result, failed: 1 };
  } catch (error) {
    console.error(`The suite ${suite.name} broke off:`, error);
    return { passed: 0, failed: 1, skipped: 0 };
  }
}

function readOptions(): { readonly chosen: readonly Suite[]; readonly grep: string | undefined } {
  const { values } = parseArgs({ options: { only: { type: 'string' }, grep: { type: 'string' } } });
  const names = values.only?.split(',');
  const unknown = names?.find((name) => !suites.some((suite) => suite.name === name));
  if (unknown !== undefined) {
    throw new Error(`--only knows ${suites.map(({ name }) => name).join(', ')}; not ${unknown}`);
  }
  return {
    chosen: suites.filter(({ name, onDemand }) => names?.includes(name) ?? onDemand !== true),
    grep: values.grep,
  };
}

async function build(): Promise<boolean> {
  console.log('── build');
  return (await runScript('esbuild.config.mjs')) === 0;
}

interface Finished extends SuiteResult {
  readonly seconds: number;
}

async function timed(run: Promise<SuiteResult>): Promise<Finished> {
  const started = performance.now();
  const result = await run;
  return { ...result, seconds: Math.round((performance.now() - started) / 1000) };
}

/** @returns a function that waits for its end and shows what it said until then. */
function startHeld(suite: Suite): () => Promise<Finished> {
  let said = '';
  const running = timed(outcomeOf(suite, grep, (text) => (said += text)));
  return async () => {
    const finished = await running;
    console.log(said);
    return finished;
  };
}

const { chosen, grep } = readOptions();
await rm(resultsFolder, { recursive: true, force: true });
const sum = { passed: 0, failed: 0, skipped: 0 };
const background = new Map(
  chosen.filter(({ inBackground }) => inBackground === true).map((suite) => [suite, startHeld(suite)]),
);
const built = chosen.every(({ ofSources }) => ofSources === true) || (await build());
if (!built) sum.failed += 1;

const lines: string[] = [];
for (const suite of built ? chosen : chosen.filter(({ ofSources }) => ofSources === true)) {
  console.log(`── ${suite.name}: ${suite.what}`);
  const { passed, failed, skipped, seconds } = await (background.get(suite)?.() ?? timed(outcomeOf(suite, grep)));
  sum.passed += passed;
  sum.failed += failed;
  sum.skipped += skipped;
  lines.push(`${suite.name.padEnd(8)} ${passed} passed, ${failed} failed, ${skipped} skipped, ${seconds} s`);
}
if (sum.passed + sum.failed === 0) {
  lines.push('No test was run.');
  sum.failed = 1;
}

console.log(`\n${lines.join('\n')}`);
if (!built) console.log('build    failed');
if (unsteady.length > 0) console.log(`Passed only the second time: ${unsteady.join(', ')}`);
const skipped = sum.skipped > 0 ? `, ${sum.skipped} skipped` : '';
console.log(`${sum.passed} passed, ${sum.failed} failed${skipped}`);
process.exitCode = sum.failed > 0 ? 1 : 0;
