/**
 * The rows about checks run this in a process of its own, as cold as an extension host that opens a workspace: prints
 * what a `ChecksTask` took as JSON.
 */
import { readdir, readFile } from 'node:fs/promises';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { load } from 'js-yaml';
import type * as vscode from 'vscode';
import { ModelIndex } from '../../../src/core/models/modelIndex.ts';
import type { CheckTestsDeps } from '../../../src/vscode/checks/checkTests.ts';
import { repliedExperiments } from '../../workbench/repliedExperiments.ts';
import type { ChecksReport, ChecksTask } from './checksTask.ts';

/** More than a user's services return with four requests at a time. */
const repliesPerSecond = 100;
const atOnce = 4;
const measuredMs = 10_000;
const standIn = new URL('./standIn.ts', import.meta.url).href;

const hooks = registerHooks({
  resolve: (name, context, next) =>
    name === 'vscode' ? { url: standIn, shortCircuit: true, format: 'module-typescript' } : next(name, context),
});
const { CheckTests } = await import('../../../src/vscode/checks/checkTests.ts');
const { CheckRun } = await import('../../../src/vscode/checks/checkRun.ts');
const { ChecksPanel } = await import('../../../src/vscode/checks/checksPanel.ts');
const { CheckResultFiles } = await import('../../../src/vscode/checks/results/checkResultFiles.ts');
const { registerChecksEditing } = await import('../../../src/vscode/checks/checksEditing.ts');
const { VerdictThread } = await import('../../../src/vscode/checks/verdictThread.ts');
const { ExperimentStore } = await import('../../../src/vscode/experiments/experimentStore.ts');
const { given, openFolder } = await import('./standIn.ts');
hooks.deregister();

const [asked = ''] = process.argv.slice(2);
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- from the benchmark
const task = JSON.parse(asked) as ChecksTask;
// Collects the garbage from loading now, so that it isn't collected during the measurement.
setFlagsFromString('--expose-gc');
runInNewContext('gc')();
await pause(200);
// An extension host has loaded its clock.
performance.now();
console.log(JSON.stringify(await report(task)));
process.exit();

async function report({ workspace, storage, work }: ChecksTask): Promise<ChecksReport> {
  const root = await openFolder(workspace);
  if (work === 'parse') {
    const files = (await readdir(workspace)).filter((name) => name.endsWith('.checks.yaml'));
    const texts = await Promise.all(files.map((name) => readFile(join(workspace, name), 'utf8')));
    const before = ownMs();
    let cases = 0;
    for (const text of texts) {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the benchmark wrote it
      cases += (load(text) as { cases: readonly unknown[] }).cases.length;
    }
    return { cpuMs: ownMs() - before, wallMs: 0, cases, rows: 0, results: 0 };
  }
  const { tests, results, experiments, thread, sent } = stand(storage, work === 'seed');
  const before = ownMs();
  const editing = registerChecksEditing(tests, { models, onError });
  await tests.discovered();
  const lenses = tests.tree.files.map(({ uri }) => given.codeLenses({ uri: uri as never }).length);
  const openedAt = ownMs();
  const panel = new ChecksPanel({
    chatDefaults: () => ({}),
    tests,
    experiments: async () => experiments,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a stand-in, like all of VS Code here
    extensionUri: root as unknown as vscode.Uri,
    pageLog: { error: onError, debug: () => undefined },
    onError,
    tell: onError,
    say: () => undefined,
  });
  panel.show(undefined);
  given.toHost.fire({ type: 'ready' });
  await pause(0);
  const tableCpuMs = ownMs() - openedAt;
  const { cases, rows } = counted();
  if (given.posted === 0) throw new Error('The table was not shown');
  if (lenses.some((count) => count < 2)) throw new Error('There are no lines above the cases');
  const shown = { cases, rows, results: lenses.reduce((sum, count) => sum + count, 0) };
  try {
    if (work === 'open') {
      const again = ownMs();
      for (const { uri } of tests.tree.files) await tests.refresh(uri);
      return { cpuMs: openedAt - before, tableCpuMs, againCpuMs: ownMs() - again, wallMs: 0, ...shown };
    }
    if (work === 'seed') {
      await tests.runItems(undefined);
      await results.settled();
      return { cpuMs: 0, wallMs: 0, cases, rows, results: given.ended };
    }
    const running = work === 'run' ? tests.runItems(undefined) : sendAlone();
    // An editor with one of the files asks for its lines whenever they change.
    const [first] = tests.tree.files;
    given.lensesChanged.event(() => first && given.codeLenses({ uri: first.uri as never }));
    while (sent() < atOnce) await pause(10);
    await pause(1000);
    const [cpuBefore, sentBefore, startedAt] = [cpuMs(), sent(), performance.now()];
    await pause(measuredMs);
    const measured = { cpuMs: cpuMs() - cpuBefore, wallMs: performance.now() - startedAt };
    const count = sent() - sentBefore;
    void running;
    return { ...measured, cases, rows, results: count };
  } finally {
    panel.dispose();
    editing.dispose();
    thread.dispose();
  }

  async function sendAlone(): Promise<void> {
    const run = new CheckRun(
      { experiments, thread, chatDefaults: () => ({}), explain: ({ kind }) => kind, onError },
      { started: () => undefined, waits: () => undefined, skipped: () => undefined, ended: () => undefined },
    );
    const { leaves } = tests.tree.asked({ include: undefined, exclude: undefined });
    for (const { experiment } of run.plan(leaves)) {
      await experiments.store.create(experiment);
      const started = await experiments.start(experiment);
      await experiments.store.ended(started?.run.id ?? '');
    }
  }
}

function stand(storage: string, isInstant: boolean) {
  let count = 0;
  const store = new ExperimentStore({ folder: join(storage, 'experiments'), onError, onUnsaved: onError });
  const experiments = repliedExperiments(store, async () => {
    count += 1;
    if (!isInstant) await pause((1000 * atOnce) / repliesPerSecond);
    return 'const value = compute(7); // as a reply would explain it\n'.repeat(6);
  });
  const results = new CheckResultFiles(join(storage, 'checks'), ({ kind, path }) => onError(`${path}: ${kind}`));
  const thread = new VerdictThread(new URL('../../../dist/late/verdictWorker.js', import.meta.url));
  const deps: CheckTestsDeps = {
    models,
    defaultModel: () => undefined,
    chatDefaults: () => ({}),
    results,
    experiments: async () => experiments,
    keepsReplies: () => true,
    limits: () => ({ requests: null, cost: null }),
    run: async () => ({ experiments, thread, chatDefaults: () => ({}), explain: ({ kind }) => kind, onError }),
    checkSetup: async () => undefined,
    chooseModels: async () => undefined,
    served: async (ids) => new Map(ids.map((id) => [id, id])),
    loadModels: async () => undefined,
    fetchLists: async () => undefined,
    onError,
    tell: onError,
  };
  return { tests: new CheckTests(deps), results, experiments, thread, sent: () => count };
}

function models() {
  return { index: new ModelIndex([]), favorites: [] };
}

/** In the Testing view. */
function counted(): { readonly cases: number; readonly rows: number } {
  let [cases, rows] = [0, 0];
  for (const [, file] of given.items) {
    cases += file.children.size;
    for (const [, each] of file.children) rows += each.children.size;
  }
  return { cases, rows };
}

function onError(error: unknown): void {
  throw error instanceof Error ? error : new Error(String(error));
}

/** Of the only thread that users wait for; V8 compiles and collects on others. */
function ownMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
