import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { findBrowser, launchBrowser } from '../../workbench/browser.ts';
import { cacheFolder, projectFolder } from '../../workbench/folders.ts';
import { writeSampleWorkspace } from '../../workbench/sampleWorkspace.ts';
import { installServer } from '../../workbench/serverInstall.ts';
import { startVsCodeServer } from '../../workbench/vscodeServer.ts';
import { buildForUsers } from '../buildForUsers.ts';
import { figure, type RowSet } from '../figure.ts';

/** Written by the meter, a separate extension in the same host. */
interface Metered {
  /** Until the extension is active. */
  readonly cpuMs: number;
  /** Until one second later. */
  readonly laterCpuMs: number;
  readonly heapBytes: number;
}

const candidates = { empty: 'bench.empty', parlance: 'parlance.parlance' } as const;
const limitMs = 120_000;

export const activationRows: RowSet = {
  name: 'activation',
  title: 'Activation in the real extension host',
  method:
    "VS Code's own extension host, once it's idle. Another extension in it activates Parlance and an " +
    'extension that imports `vscode` and does nothing, taking turns at going first. It reads the CPU time of ' +
    'the process until the extension is active, and until a second later, when VS Code has asked for what it ' +
    'lists. The heap is read before and after, each time after a garbage collection. Each round has a new ' +
    'window.',
  async run({ rounds, say }) {
    buildForUsers();
    await using cleanup = new AsyncDisposableStack();
    const serverFolder = await installServer(cacheFolder, say);
    const found = await findBrowser(cacheFolder, say);
    const scratch = await mkdtemp(join(tmpdir(), 'parlance-activation-'));
    cleanup.defer(() => rm(scratch, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));
    const workspace = join(scratch, 'workspace');
    await writeSampleWorkspace(workspace);
    const server = await startVsCodeServer({
      serverFolder,
      extension: { kind: 'linked', folder: projectFolder, addTo: writeProbes },
      env: { BENCH_ACTIVATION_FOLDER: scratch },
    });
    cleanup.defer(() => server.close());
    const browser = await launchBrowser(found);
    cleanup.defer(() => browser.close());

    const cpu: number[] = [];
    const above: number[] = [];
    const later: number[] = [];
    const heap: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      say(`window ${round + 1} of ${rounds}`);
      const order = round % 2 === 0 ? ['empty', 'parlance'] : ['parlance', 'empty'];
      await writeFile(join(scratch, 'order.json'), JSON.stringify(order));
      const result = join(scratch, 'result.json');
      await rm(result, { force: true });
      const page = await browser.newPage();
      await page.goto(server.address({ workspace }));
      const metered = await resultIn(result);
      await page.close();
      cpu.push(metered.parlance.cpuMs);
      above.push(metered.parlance.cpuMs - metered.empty.cpuMs);
      later.push(metered.parlance.laterCpuMs - metered.empty.laterCpuMs);
      heap.push((metered.parlance.heapBytes - metered.empty.heapBytes) / 1024);
    }
    return [
      figure('activation in the host: CPU', cpu, 'ms'),
      figure('activation in the host: CPU above an empty extension', above, 'ms', 5),
      figure('activation in the host: CPU until a second later, above an empty extension', later, 'ms'),
      figure('activation in the host: heap at rest above an empty extension', heap, 'KB'),
    ];
  },
};

async function resultIn(file: string): Promise<Record<keyof typeof candidates, Metered>> {
  const until = Date.now() + limitMs;
  while (Date.now() < until) {
    const text = await readFile(file, 'utf8').catch(() => '');
    if (text.endsWith('\n')) return JSON.parse(text) as Record<keyof typeof candidates, Metered>;
    await pause(100);
  }
  throw new Error('The extension host did not tell what activation takes');
}

async function writeProbes(extensions: string): Promise<void> {
  // Like any extension: VS Code creates a `vscode` object for each, which takes longer than the rest of an empty one.
  const empty = `import * as vscode from 'vscode';\nexport function activate() {\n  return vscode.version;\n}`;
  await writeExtension(extensions, 'empty', ['onCommand:bench.empty'], empty);
  await writeExtension(
    extensions,
    'meter',
    ['onStartupFinished'],
    `
import { readFile, writeFile } from 'node:fs/promises';
import { Session } from 'node:inspector/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import * as vscode from 'vscode';

const ids = ${JSON.stringify(candidates)};
const folder = process.env.BENCH_ACTIVATION_FOLDER;

function cpuMs() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

async function quiet() {
  for (let calm = 0; calm < 4; ) {
    const before = cpuMs();
    await pause(250);
    calm = cpuMs() - before < 5 ? calm + 1 : 0;
  }
}

async function heapBytes() {
  const session = new Session();
  session.connect();
  await session.post('HeapProfiler.collectGarbage');
  session.disconnect();
  return process.memoryUsage().heapUsed;
}

export async function activate() {
  const order = JSON.parse(await readFile(join(folder, 'order.json'), 'utf8'));
  const result = {};
  // What the measuring itself loads is there before it counts.
  await heapBytes();
  for (const name of order) {
    const extension = vscode.extensions.getExtension(ids[name]);
    await quiet();
    const heapBefore = await heapBytes();
    await pause(500);
    const before = cpuMs();
    await extension.activate();
    const atOnce = cpuMs() - before;
    await pause(1000);
    const after = cpuMs();
    await pause(500);
    result[name] = { cpuMs: atOnce, laterCpuMs: after - before, heapBytes: (await heapBytes()) - heapBefore };
  }
  await writeFile(join(folder, 'result.json'), JSON.stringify(result) + '\\n');
}
`,
  );
}

async function writeExtension(extensions: string, name: string, activationEvents: string[], main: string) {
  const folder = join(extensions, `bench.${name}-1.0.0`);
  await mkdir(folder, { recursive: true });
  const manifest = {
    name,
    publisher: 'bench',
    version: '1.0.0',
    engines: { vscode: '^1.106.0' },
    type: 'module',
    main: './main.js',
    activationEvents,
  };
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
  await writeFile(join(folder, 'main.js'), main);
}
