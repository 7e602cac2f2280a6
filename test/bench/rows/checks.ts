import { mkdtemp, rm } from 'node:fs/promises';
import { registerHooks } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type * as vscode from 'vscode';
import { caseMessages } from '../../../src/core/checks/caseMessages.ts';
import type { CheckCell } from '../../../src/core/checks/checkResult.ts';
import { tableColumns } from '../../../src/core/checks/checksTable.ts';
import { readChecksFile } from '../../../src/core/checks/readChecksFile.ts';
import { modelKey } from '../../../src/core/experiments/experiment.ts';
import { ModelIndex } from '../../../src/core/models/modelIndex.ts';
import { Paced } from '../../../src/shared/paced.ts';
import { CheckResultFiles } from '../../../src/vscode/checks/checkResultFiles.ts';
import type { LoadedCase } from '../../../src/vscode/checks/checksFiles.ts';
import { figure, type RowSet } from '../figure.ts';

const cases = 1000;
const models = ['a', 'b', 'c', 'd', 'e'].map((name) => ({ id: `harbor/${name}` }));
const runMs = 10_000;

export const checkRows: RowSet = {
  name: 'checks',
  title: `Prompt checks: ${cases} cases with ${models.length} models`,
  method:
    `A file of ${cases} cases is read and becomes ${cases * (models.length + 1)} rows of the Testing view, in ` +
    "CPU time without VS Code's own drawing. Then a result arrives every 2 ms for 10 s, is written to disk, " +
    "and is added to the table at the extension's own pace. CPU of the process, minus that of receiving the " +
    'results alone.',
  async run({ rounds, say }) {
    await using cleanup = new AsyncDisposableStack();
    const folder = await mkdtemp(join(tmpdir(), 'parlance-checks-'));
    cleanup.defer(() => rm(folder, { recursive: true, force: true }));
    const text = fileOfCases();
    const { CheckTree, uri, controller } = await treeParts();
    const read: number[] = [];
    const shown: number[] = [];
    const whole: number[] = [];
    const again: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const startedAt = cpuMs();
      const file = await readChecksFile(text, { promptFile: 'a.prompt.md', readFile: async () => ({ fault: 'none' }) });
      const loaded = file.cases.map((check): LoadedCase => {
        const messages = caseMessages(check, { template: 'Explain ${selection}' });
        if ('fault' in messages) throw new Error(messages.fault);
        return { check, messages, options: {}, hasSystemPrompt: true, fingerprint: check.id, sources: [] };
      });
      const readAt = cpuMs();
      const tree = new CheckTree(controller(), {
        models: () => ({ index: new ModelIndex([]), favorites: [] }),
        defaultModel: () => undefined,
        modelsWithResults: () => [],
      });
      const checks = { uri, text, lineOf: () => 0, file, cases: loaded, uses: new Set<string>() };
      tree.show(checks);
      const shownAt = cpuMs();
      tree.show(checks);
      again.push(cpuMs() - shownAt);
      read.push(readAt - startedAt);
      shown.push(shownAt - readAt);
      whole.push(shownAt - startedAt);
    }
    const shares: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      say(`run ${round + 1} of ${rounds}`);
      const [without, with_] = [await cpuOfRun(folder, uri, false), await cpuOfRun(folder, uri, true)];
      shares.push(((with_ - without) / runMs) * 100);
    }
    return [
      figure('read the file: CPU', read, 'ms'),
      figure('build its rows: CPU', shown, 'ms'),
      figure('open the view, both: CPU', whole, 'ms', 200),
      figure('show it again, unchanged: CPU', again, 'ms'),
      figure('updates during a run: CPU', shares, '%', 5),
    ];
  },
};

/** CPU milliseconds while results arrive. */
async function cpuOfRun(folder: string, uri: vscode.Uri, isShown: boolean): Promise<number> {
  const results = new CheckResultFiles(folder, (trouble) => {
    throw new Error(`${trouble.path}: ${trouble.kind}`);
  });
  await results.read(uri);
  const unsaved = new Map<string, { readonly caseId: string; readonly modelKey: string; readonly cell: CheckCell }>();
  const pace = { leastMs: 300, share: 0.01 };
  const saving = new Paced(
    async () => {
      const cells = [...unsaved.values()];
      unsaved.clear();
      await results.write(uri, cells, () => true);
    },
    pace,
    globalThis,
  );
  const all = Array.from({ length: cases }, (_, at) => ({ id: `Case ${at}`, name: `Case ${at}` }));
  const columns = models.map((model) => ({ key: modelKey(model), model: model.id }));
  let bytes = 0;
  const drawing = new Paced(
    () => {
      const cellOf = (caseId: string, key: string) => results.cell(uri, caseId, key);
      const view = tableColumns(all, columns, cellOf);
      const rows = all.map(({ id }) => columns.map(({ key }) => cellOf(id, key)?.attempts.length ?? 0));
      // As a message to the page.
      bytes += JSON.stringify({ view, rows }).length;
    },
    pace,
    globalThis,
  );
  const before = cpuMs();
  const endsAt = performance.now() + runMs;
  for (let at = 0; performance.now() < endsAt; at += 1) {
    const { id: caseId = '' } = all[at % cases] ?? {};
    const key = columns[Math.floor(at / cases) % columns.length]?.key ?? '';
    const cell = resultOf(at);
    if (isShown) {
      unsaved.set(`${caseId} ${key}`, { caseId, modelKey: key, cell });
      saving.soon();
      drawing.soon();
    }
    await pause(2);
  }
  const spent = cpuMs() - before;
  saving.stop();
  drawing.stop();
  await results.settled();
  if (isShown && bytes === 0) throw new Error('Nothing was shown');
  return spent;
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function resultOf(at: number): CheckCell {
  const attempt = { attempt: `a${at}`, state: 'failed', score: 0, totalMs: 900, tokens: 400, cost: 0.001 } as const;
  const faults = [{ expectation: 0, reason: 'contains "removeDone"' }];
  return { fingerprint: 'f'.repeat(32), experiment: 'e', at, repeats: 1, attempts: [{ ...attempt, faults }] };
}

function fileOfCases(): string {
  const all = Array.from(
    { length: cases },
    (_, at) => `  - name: Case ${at}
    selection: |
      const value${at} = compute(${at});
      return value${at};
    vars: { language: French, count: ${at} }
    assert:
      - type: contains
        value: value${at}
      - type: word-count
        value: { max: ${100 + at} }
`,
  );
  return `models: [${models.map(({ id }) => id).join(', ')}]\n\ncases:\n${all.join('\n')}`;
}

/** The real tree, with a stand-in for the few VS Code classes that it uses. */
async function treeParts() {
  const stub = `
    export class Range { constructor(...at) { this.at = at; } }
    export const workspace = { asRelativePath: (uri) => uri.path };
    export const l10n = { t: (text, ...values) => text.replace(/\\{(\\d+)\\}/g, (_, at) => String(values[at])) };`;
  const hooks = registerHooks({
    resolve: (name, context, next) =>
      name === 'vscode'
        ? { url: `data:text/javascript,${encodeURIComponent(stub)}`, shortCircuit: true }
        : next(name, context),
  });
  const { CheckTree } = await import('../../../src/vscode/checks/checkTree.ts');
  hooks.deregister();
  class Items extends Map<string, unknown> {
    add(item: { readonly id: string }): void {
      this.set(item.id, item);
    }
    replace(items: readonly { readonly id: string }[]): void {
      this.clear();
      for (const item of items) this.add(item);
    }
  }
  const controller = () => {
    const stand = {
      items: new Items(),
      createTestItem: (id: string, label: string, at: unknown) => ({ id, label, uri: at, children: new Items() }),
    };
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- all that the tree uses
    return stand as unknown as vscode.TestController;
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- all that is used of it
  const uri = { path: '/w/a.checks.yaml', toString: () => 'file:///w/a.checks.yaml' } as unknown as vscode.Uri;
  return { CheckTree, uri, controller };
}
