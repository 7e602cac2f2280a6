/**
 * `npm test`: builds, then runs every suite. The last line is the sum over all of them.
 * `npm test -- --only unit,host --grep <text>` runs some suites, or the tests whose title has the text.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { resultsFolder } from './workbench/folders.ts';
import { runScript } from './workbench/runScript.ts';
import { runInServerHost } from './workbench/serverHost.ts';
import { isSuiteResult, type SuiteResult } from './workbench/suiteResult.ts';

interface Suite {
  readonly name: string;
  readonly what: string;
  run(grep: string | undefined): Promise<SuiteResult>;
}

const packagedTests = 'test/ui/packaged/**/*.test.ts';

const suites: readonly Suite[] = [
  {
    name: 'unit',
    what: 'the floors by themselves',
    run: (grep) => runInProcess(['--files', 'test/unit/**/*.test.ts'], grep),
  },
  {
    name: 'host',
    what: "inside VS Code's extension host",
    run: (grep) => runInServerHost({ grep, report: (line) => console.log(line) }),
  },
  {
    name: 'ui',
    what: 'a browser on the real workbench',
    run: (grep) =>
      runInProcess(['--files', 'test/ui/**/*.test.ts', '--exclude', packagedTests, '--timeout', '60000'], grep),
  },
  {
    name: 'package',
    what: 'the .vsix as users install it',
    run: (grep) => runInProcess(['--files', packagedTests, '--timeout', '120000'], grep),
  },
];

async function runInProcess(args: readonly string[], grep: string | undefined): Promise<SuiteResult> {
  const scratch = await mkdtemp(join(tmpdir(), 'parlance-suite-'));
  try {
    const resultFile = join(scratch, 'result.json');
    const search = grep === undefined ? [] : ['--grep', grep];
    const code = await runScript('test/workbench/mochaSuite.ts', [...args, ...search, '--result', resultFile]);
    const result: unknown = await readFile(resultFile, 'utf8').then(JSON.parse, () => undefined);
    if (!isSuiteResult(result)) throw new Error(`It ended with code ${code} before it had a result.`);
    if (code !== 0 && result.failed === 0) throw new Error(`Its tests passed, and yet it ended with code ${code}.`);
    return result;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** A suite that breaks off, or that has not one test to run, is a failure too. */
async function outcomeOf(suite: Suite, grep: string | undefined): Promise<SuiteResult> {
  try {
    const result = await suite.run(grep);
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
  return { chosen: suites.filter(({ name }) => names?.includes(name) ?? true), grep: values.grep };
}

async function build(): Promise<boolean> {
  console.log('── build');
  return (await runScript('esbuild.config.mjs')) === 0;
}

const { chosen, grep } = readOptions();
await rm(resultsFolder, { recursive: true, force: true });
const sum = { passed: 0, failed: 0, skipped: 0 };
// Unit tests read the sources; the others are about what was built.
const built = chosen.every(({ name }) => name === 'unit') || (await build());
if (!built) sum.failed += 1;

const lines: string[] = [];
for (const suite of built ? chosen : chosen.filter(({ name }) => name === 'unit')) {
  console.log(`── ${suite.name}: ${suite.what}`);
  const started = performance.now();
  const { passed, failed, skipped } = await outcomeOf(suite, grep);
  sum.passed += passed;
  sum.failed += failed;
  sum.skipped += skipped;
  const seconds = Math.round((performance.now() - started) / 1000);
  lines.push(`${suite.name.padEnd(8)} ${passed} passed, ${failed} failed, ${skipped} skipped, ${seconds} s`);
}
if (sum.passed + sum.failed === 0) {
  lines.push('No test was run.');
  sum.failed = 1;
}

console.log(`\n${lines.join('\n')}`);
if (!built) console.log('build    failed');
const skipped = sum.skipped > 0 ? `, ${sum.skipped} skipped` : '';
console.log(`${sum.passed} passed, ${sum.failed} failed${skipped}`);
process.exitCode = sum.failed > 0 ? 1 : 0;
