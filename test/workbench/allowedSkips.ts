import { spawnSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder, projectFolder } from './folders.ts';
import type { FileResult } from './suiteResult.ts';

/** The suite for Node for Windows, which finds none of this system's programs. */
const inWine = 'wine';
const platformOf = (suite: string): string => (suite === inWine ? 'win32' : process.platform);

/** What a machine or a suite can lack, by the name of the suite. */
const lacks = {
  Windows: (suite) => platformOf(suite) !== 'win32',
  'a system other than Windows': (suite) => platformOf(suite) === 'win32',
  Linux: (suite) => platformOf(suite) !== 'linux',
  curl: () => isMissing('curl'),
  git: (suite) => suite === inWine || isMissing('git'),
  sh: () => isMissing('sh'),
  bash: () => isMissing('bash'),
  dash: () => isMissing('dash'),
  zsh: () => isMissing('zsh'),
  fish: () => isMissing('fish'),
  python3: () => isMissing('python3'),
  "Python's openai package": () => globSync('python-openai-*', { cwd: cacheFolder }).length === 0,
  'a clone of the repository': () => !existsSync(join(projectFolder, '.git')),
  'the right to mount a disk': () => spawnSync('unshare', ['--mount', 'true']).status !== 0,
  'a newer VS Code than the lowest': (suite) => suite === 'oldest',
  'llama-server': (suite) => suite === 'llama',
  'a browser around VS Code': () => false,
  'schedules of every store': () => process.env['PARLANCE_SEED'] !== undefined,
} as const satisfies Readonly<Record<string, (suite: string) => boolean>>;

export type Need = keyof typeof lacks;

export interface AllowedSkip {
  /** Relative to the project folder, with forward slashes. */
  readonly file: string;
  /** The beginning of the full titles of the tests. */
  readonly tests: string;
  /** Without any one of these, the tests can't run. */
  readonly need: readonly Need[];
  readonly reason: string;
}

const copied = 'test/unit/core/requests/code/copiedCode.test.ts';
const shellReason = 'not every system has every shell, and the code for a shell runs in it with the real curl';
const linkReason = 'Windows lets only some users create links to files';

/** The only tests that may be skipped, and where. The suite `wine` has a list of its own, `leftOut`. */
export const allowedSkips: readonly AllowedSkip[] = [
  ...(['sh', 'bash', 'dash', 'zsh', 'fish'] as const).map((shell) => ({
    file: copied,
    tests: `A request copied as code runs as written in ${shell}:`,
    need: [shell, 'curl'] as const,
    reason: shellReason,
  })),
  {
    file: copied,
    tests: 'A request copied as code is the same for curl in PowerShell as elsewhere:',
    need: ['curl'],
    reason: 'it runs the real curl',
  },
  {
    file: copied,
    tests: 'A request copied as code runs as written in Python, if the package is available: all of them',
    need: ['python3', "Python's openai package"],
    reason: 'the package is downloaded at the first run',
  },
  {
    file: copied,
    tests: 'A request copied as code is Python with the arguments of the request: all of them',
    need: ['python3'],
    reason: 'Python itself parses it',
  },
  {
    file: 'test/unit/core/requests/code/wrongShell.test.ts',
    tests: 'Code for PowerShell that is pasted into cmd.exe runs nothing that is written in the request',
    need: ['Windows'],
    reason: 'only Windows has cmd.exe',
  },
  {
    file: 'test/unit/core/prompts/gitDiff.test.ts',
    tests: 'A Git diff without possible secrets ',
    need: ['git'],
    reason: "it compares with git's own diffs",
  },
  {
    file: 'test/unit/gitAttributes.test.ts',
    tests: 'A clone with core.autocrlf, as in Git for Windows has the line feeds',
    need: ['git', 'a clone of the repository'],
    reason: 'the sources might come from an archive',
  },
  {
    file: 'test/unit/api/cancel.test.ts',
    tests: 'A cancel while the connection is being opened stops the attempt',
    need: ['Linux'],
    reason: 'elsewhere the system accepts connections that nobody takes',
  },
  {
    file: 'test/unit/api/transport/socketConnector.test.ts',
    tests: 'A socket to the service that is ',
    need: ['Linux'],
    reason: 'only Linux shows the timers of its sockets',
  },
  {
    file: 'test/unit/api/freshProcess.test.ts',
    tests: "In a separate process a chat trusts the system's authorities",
    need: ['Linux'],
    reason: "elsewhere the system's authorities aren't in a file that a test could name",
  },
  {
    file: 'test/unit/service/commandLine.test.ts',
    tests: "The command line of the service prints the service's URL, and exits cleanly on SIG",
    need: ['a system other than Windows'],
    reason: 'there, a signal from another process can only kill',
  },
  {
    file: 'test/unit/workbench/consoleSignals.test.ts',
    tests: 'Ctrl+C ',
    need: ['a system other than Windows'],
    reason: 'there, only a console can send it',
  },
  {
    file: 'test/host/checkTests.test.ts',
    tests: "Prompt checks in the Testing view aren't added to a file to which the folder only links",
    need: ['a system other than Windows'],
    reason: linkReason,
  },
  {
    file: 'test/host/prompts/promptFiles.test.ts',
    tests: 'Prompt files are only those in the folder itself',
    need: ['a system other than Windows'],
    reason: linkReason,
  },
  {
    file: 'test/host/transport.test.ts',
    tests: 'The route of a request in VS Code through a tunnel ',
    need: ['Linux'],
    reason: "elsewhere the system's authorities aren't in a file that a test could name",
  },
  {
    file: 'test/host/pageFaults.test.ts',
    tests: 'A page is watched:',
    need: ['a browser around VS Code'],
    reason: 'desktop VS Code reports no errors of a page',
  },
  {
    file: 'test/host/context.test.ts',
    tests: 'A context of the editor is found by name ',
    need: ['a newer VS Code than the lowest'],
    reason: "its server can't search by name",
  },
  {
    file: 'test/host/languageModels.test.ts',
    tests: "Models for VS Code's own chat stop on cancel, and the service notices",
    need: ['a newer VS Code than the lowest'],
    reason: "a cancel doesn't reach a model that has begun",
  },
  {
    file: 'test/host/participant.test.ts',
    tests: "@parlance in VS Code's own chat uses the service whose model was selected",
    need: ['a newer VS Code than the lowest'],
    reason: "there's no list of added services",
  },
  {
    file: 'test/faults/faults.test.ts',
    tests: 'Stores on a disk with faults, in two windows ',
    need: ['schedules of every store'],
    reason: 'a seed is of one store',
  },
  {
    file: 'test/ui/hostile.test.ts',
    tests: "In the real workbench a conversation shows that it isn't saved as long as the disk is full",
    need: ['the right to mount a disk'],
    reason: 'it fills a small disk',
  },
  {
    file: 'test/hostile/workbenchDisk.test.ts',
    tests: "A disk that Parlance can't write to ",
    need: ['the right to mount a disk'],
    reason: 'it fills a small disk',
  },
  {
    file: 'test/realServer/llamaCpp.test.ts',
    tests: "llama.cpp's own server ",
    need: ['llama-server'],
    reason: 'the server is installed by hand',
  },
];

/** @returns a line for each test that was skipped although nothing that it needs is missing */
export function refusedSkips(
  suite: string,
  results: readonly FileResult[],
  isLacking = (need: Need): boolean => lacks[need](suite),
): readonly string[] {
  const isAllowed = (file: string, title: string): boolean =>
    allowedSkips.some((row) => row.file === file && title.startsWith(row.tests) && row.need.some(isLacking));
  return results.flatMap(({ file, skips = [] }) =>
    skips.filter((title) => !isAllowed(file, title)).map((title) => `${file}: ${title}`),
  );
}

function isMissing(program: string): boolean {
  return spawnSync(program, ['--version']).error !== undefined;
}
