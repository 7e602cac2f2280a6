import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { build, type BuildOptions } from 'esbuild';
import type { Browser } from 'playwright-core';
import { pieceHeading, surroundingText } from '../../../src/core/prompts/surroundings/surroundingPieces.ts';
import { estimatedTokens } from '../../../src/words/tokens.ts';
import { findBrowser, launchBrowser } from '../../workbench/browser.ts';
import { cacheFolder, projectFolder } from '../../workbench/folders.ts';
import { installServer } from '../../workbench/serverInstall.ts';
import { startVsCodeServer, type VsCodeServer } from '../../workbench/vscodeServer.ts';
import { type BenchRun, figure, type Figure, type RowSet } from '../figure.ts';
import type { Gathered, GatherJob, ServerStart } from '../surroundings/gatherJob.ts';
import { repositories, type Repository, type Selection } from '../surroundings/selections.ts';

const limitMs = 300_000;

export const surroundingRows: RowSet = {
  name: 'surroundings',
  title: 'What surrounds the code of a prompt, in real projects',
  method:
    "Gathered in VS Code's own extension host, right after the file is opened and again once the extension for its " +
    'language knows the project: with the TypeScript server of VS Code, with pyright, with gopls, and for Go and Rust ' +
    "from the text alone. Our own CPU time is the share of the thread's in which our code was on the stack, including " +
    "VS Code's API below it; the clients of the language servers run in the same thread. What's missed is counted " +
    'against a list of what a colleague would look up, written beforehand. cobra and serde_json are those of Debian 12 ' +
    '(golang-github-spf13-cobra-dev, librust-serde-json-dev), gopls is the one on PATH (Debian 12 has 0.5.0), and each is ' +
    'left out where it is missing.',
  async run(bench) {
    await using cleanup = new AsyncDisposableStack();
    const serverFolder = await installServer(cacheFolder, bench.say);
    const found = await findBrowser(cacheFolder, bench.say);
    const scratch = await mkdtemp(join(tmpdir(), 'parlance-surroundings-'));
    cleanup.defer(() => rm(scratch, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));
    const server = await startVsCodeServer({
      serverFolder,
      extension: { kind: 'linked', folder: projectFolder, addTo: writeGatherer },
      env: { BENCH_SURROUNDINGS_FOLDER: scratch },
    });
    cleanup.defer(() => server.close());
    const browser = await launchBrowser(found);
    cleanup.defer(() => browser.close());
    const figures: Figure[] = [];
    for (const repository of repositories) {
      const isThere = Object.values(repository.folders).every((folder) => existsSync(folder));
      if (!isThere || (repository.server === 'gopls' && !isOnPath('gopls'))) {
        bench.say(`${repository.name} isn't on this machine`);
        continue;
      }
      figures.push(...(await inRepository(repository, { server, browser, scratch, bench })));
    }
    return figures;
  },
};

interface Stand {
  readonly server: VsCodeServer;
  readonly browser: Browser;
  readonly scratch: string;
  readonly bench: BenchRun;
}

async function inRepository(repository: Repository, { server, browser, scratch, bench }: Stand): Promise<Figure[]> {
  bench.say(repository.name);
  const { name, folders, selections } = repository;
  // go accepts no spaces in the path of a package.
  const workspace = join(scratch, name.replaceAll(/\W+/g, '-'));
  for (const [folder, from] of Object.entries(folders)) await cp(from, join(workspace, folder), { recursive: true });
  const start = serverStart(repository.server);
  const job: GatherJob = {
    selections,
    rounds: bench.rounds,
    server: repository.server,
    ...(start !== undefined && { start }),
  };
  await writeFile(join(scratch, 'job.json'), JSON.stringify(job));
  const result = join(scratch, 'result.json');
  await rm(result, { force: true });
  const page = await browser.newPage();
  await page.goto(server.address({ workspace }));
  const all = await resultIn(result);
  await page.close();
  return selections.flatMap((selection, index) => {
    const gathered = all[index];
    return gathered === undefined ? [] : figuresOf(`${name}, ${selection.name}`, selection, gathered, bench);
  });
}

function serverStart(server: Repository['server']): ServerStart | undefined {
  if (server === 'pyright') {
    const module = join(import.meta.dirname, '..', 'node_modules', 'pyright', 'dist', 'pyright-langserver.js');
    return { language: 'python', module };
  }
  if (server !== 'gopls') return undefined;
  // Packages of Debian are in a GOPATH, and need no network.
  return { language: 'go', command: 'gopls', env: { GO111MODULE: 'off', GOPATH: '/usr/share/gocode' } };
}

function isOnPath(program: string): boolean {
  return (process.env['PATH'] ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)));
}

function figuresOf(name: string, { needed }: Selection, { first, warm }: Gathered, { say }: BenchRun): Figure[] {
  const pieces = warm.at(-1)?.pieces ?? [];
  const text = surroundingText(pieces);
  const missed = needed.filter((each) => !text.includes(each));
  say(`${name}: ${pieces.map(pieceHeading).join('; ')}`);
  if (missed.length > 0) say(`missed: ${missed.join('; ')}`);
  const of = (pick: (each: (typeof warm)[number]) => number): number[] => warm.map(pick);
  return [
    figure(
      `${name}: our own CPU`,
      of(({ ownMs }) => ownMs),
      'ms',
      300,
    ),
    figure(
      `${name}: CPU of the extension for the language`,
      of(({ languageMs }) => languageMs),
      'ms',
    ),
    figure(
      `${name}: CPU of VS Code's own code, not below ours`,
      of(({ hostMs }) => hostMs),
      'ms',
    ),
    figure(
      `${name}: until it's gathered`,
      of(({ totalMs }) => totalMs),
      'ms',
      1000,
    ),
    figure(`${name}: right after opening, our own CPU`, [first.ownMs], 'ms', 300),
    figure(`${name}: right after opening, until it's gathered`, [first.totalMs], 'ms', 1000),
    figure(`${name}: size`, [estimatedTokens(text.length)], 'tokens'),
    figure(`${name}: pieces`, [pieces.length], ''),
    figure(`${name}: missed of ${needed.length} that a colleague would look up`, [missed.length], ''),
  ];
}

async function resultIn(file: string): Promise<readonly Gathered[]> {
  const until = Date.now() + limitMs;
  while (Date.now() < until) {
    const text = await readFile(file, 'utf8').catch(() => '');
    if (text.endsWith('\n')) {
      const result = JSON.parse(text) as readonly Gathered[] | { readonly error: string };
      if ('error' in result) throw new Error(result.error);
      return result;
    }
    await pause(100);
  }
  throw new Error('The extension host did not gather anything');
}

/** An extension that gathers, with each part in a file of its own. */
async function writeGatherer(extensions: string): Promise<void> {
  const folder = join(extensions, 'bench.gatherer-1.0.0');
  await mkdir(folder, { recursive: true });
  const manifest = {
    name: 'gatherer',
    publisher: 'bench',
    version: '1.0.0',
    engines: { vscode: '^1.106.0' },
    type: 'module',
    main: './main.js',
    activationEvents: ['onStartupFinished'],
  };
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
  const options = {
    absWorkingDir: projectFolder,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    external: ['vscode'],
    logLevel: 'error',
    banner: { js: "import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);" },
  } satisfies BuildOptions;
  await build({
    ...options,
    entryPoints: {
      main: 'test/bench/surroundings/gatheredExtension.ts',
      gather: 'test/bench/surroundings/gatherEntry.ts',
      client: 'test/bench/peers/languageClient.mjs',
    },
    outdir: folder,
  });
}
