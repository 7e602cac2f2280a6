import { runInServerHost } from './workbench/serverHost.ts';
import type { SuiteResult } from './workbench/suiteResult.ts';
import { runUnderWine } from './workbench/wineSuite.ts';

interface SuiteBase {
  readonly name: string;
  readonly what: string;
  /** Tests the built VS Code extension or a built page, so it needs a build. */
  readonly needsBuild: boolean;
  /** Approximate time on two cores, for suites that run only by name and in `npm run test:release`. */
  readonly onDemand?: string;
  /** For a suite that always runs but does more in `npm run test:release`: what, and the approximate time. */
  readonly inRelease?: { readonly what: string; readonly takes: string };
  /** Waits a lot: runs beside the workers. One that then helps becomes another worker when it has ended. */
  readonly inBackground?: 'only' | 'then helps';
  /** Its tests mostly wait, for sockets and processes: run alone, two of its files share each core. */
  readonly sharesCores?: boolean;
  /** Keeps all cores busy with processes of its own: the other suites start when it has ended. */
  readonly usesAllCores?: boolean;
}

/** Runs file by file, distributed over the workers. */
export interface FileSuite extends SuiteBase {
  readonly files: string;
  readonly exclude?: readonly string[];
  /** For each test and hook without its own. */
  readonly timeoutMs: number;
  /** Parts of the names of the slowest files: they start first, so that no worker ends long after the others. */
  readonly slowest?: readonly string[];
}

/** The whole suite by default. */
export interface SuitePart {
  /** Only tests whose full title contains this. */
  readonly grep?: string | undefined;
  /** Only these test files, by their paths in the project. */
  readonly files?: readonly string[] | undefined;
}

/** Runs in one piece on one of the workers. */
export interface WholeSuite extends SuiteBase {
  /** Location of its test files, if the suite can run just some of them. */
  readonly folder?: string;
  run(part: SuitePart, report: (line: string) => void): Promise<SuiteResult>;
}

export type Suite = FileSuite | WholeSuite;

const packagedTests = 'test/ui/packaged/**/*.test.ts';

/** In starting order: long single pieces first, so that no worker is busy long after the others. */
export const suites: readonly Suite[] = [
  {
    name: 'host',
    what: "inside VS Code's extension host",
    needsBuild: true,
    inBackground: 'then helps',
    folder: 'test/host/',
    run: (part, report) => runInServerHost({ ...part, report }),
  },
  {
    name: 'faults',
    what: 'two windows on a disk that fails, each call of it on purpose',
    needsBuild: false,
    inRelease: { what: '20,000 schedules of two windows on a disk that fails', takes: '22 min' },
    usesAllCores: true,
    files: 'test/faults/**/*.test.ts',
    timeoutMs: 3_600_000,
  },
  {
    name: 'unit',
    what: 'each layer on its own, over real sockets and files',
    needsBuild: false,
    sharesCores: true,
    files: 'test/unit/**/*.test.ts',
    // Only a test that hangs takes this long. A minute wasn't enough for those that start a process on a busy machine.
    timeoutMs: 180_000,
    slowest: ['code/copiedCode.test', 'service/faults.test', 'api/memory.test'],
  },
  {
    name: 'ui',
    what: 'a browser on the pages and on the real workbench',
    needsBuild: true,
    files: 'test/ui/**/*.test.ts',
    exclude: [packagedTests],
    // Only a test that hangs takes this long. A minute wasn't enough for a reload of the window on a busy machine.
    timeoutMs: 180_000,
    slowest: [
      ...['ui/media.', 'ui/everyChoice.', 'ui/compareModels.', 'ui/conversations.', 'ui/promptChanges.'],
      ...['ui/manyChats.', 'ui/prompts.', 'ui/attachments.', 'ui/measure.', 'ui/errors.', 'ui/models.'],
      ...['ui/survival.', 'ui/requests.', 'ui/commands.'],
    ],
  },
  {
    name: 'package',
    what: 'the .vsix as users install it',
    needsBuild: true,
    files: packagedTests,
    timeoutMs: 180_000,
  },
  {
    name: 'patience',
    what: 'five minutes of silence in real time; `unit` lets them pass at once',
    needsBuild: false,
    onDemand: '6 min',
    inBackground: 'only',
    files: 'test/patience/**/*.test.ts',
    timeoutMs: 400_000,
  },
  {
    name: 'soak',
    what: 'replies that are streamed in the real workbench, and the memory that they leave behind',
    needsBuild: true,
    onDemand: '32 min',
    inBackground: 'only',
    files: 'test/soak/**/*.test.ts',
    // A day, for a run that's longer than usual.
    timeoutMs: 86_400_000,
  },
  {
    name: 'hostile',
    what: 'attacks on the Markdown of a reply and on the real workbench, input that slows parsers down, real documents',
    needsBuild: true,
    onDemand: '20 min',
    files: 'test/hostile/**/*.test.ts',
    timeoutMs: 600_000,
  },
  {
    name: 'oldest',
    what: 'the host suite inside the lowest VS Code we support',
    needsBuild: true,
    onDemand: '5 min',
    run: (part, report) => runInServerHost({ ...part, inOldest: true, report }),
  },
  {
    name: 'llama',
    what: "llama.cpp's own server with a tiny model, where it's installed",
    needsBuild: false,
    onDemand: '1 min',
    files: 'test/realServer/**/*.test.ts',
    timeoutMs: 60_000,
  },
  {
    name: 'oracle',
    what: "the verdicts of checks beside promptfoo's own, and exports",
    needsBuild: false,
    onDemand: '1 min',
    files: 'test/oracle/*.test.ts',
    timeoutMs: 300_000,
  },
  {
    name: 'wine',
    what: 'the unit tests in Node for Windows',
    needsBuild: false,
    onDemand: '15 min',
    run: runUnderWine,
  },
];
