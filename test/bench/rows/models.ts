import { registerHooks } from 'node:module';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { InferenceClient } from '../../../src/api/inferenceClient.ts';
import { createTransport } from '../../../src/api/transport/createTransport.ts';
import { closestModels } from '../../../src/core/models/closestModels.ts';
import { figuresOf } from '../../../src/core/models/measuredModel.ts';
import { groupModels, type ModelListView, plainView } from '../../../src/core/models/modelGroups.ts';
import { ModelIndex } from '../../../src/core/models/modelIndex.ts';
import type { RequestDigest } from '../../../src/core/requests/requestDigest.ts';
import { CatalogFiles } from '../../../src/vscode/models/catalogFiles.ts';
import { startInferenceService } from '../../service/inferenceService.ts';
import { figure, type RowSet, takeTurns } from '../figure.ts';
import { listModels } from '../../../src/api/operations/listModels.ts';

const count = 5000;
const measured = 200;
const days = 30;
/** A delay that nobody notices. The key press and VS Code's own drawing need part of the 100 ms too. */
const unfeltMs = 50;

export const modelRows: RowSet = {
  name: 'models',
  title: `The Models view: ${count} of them`,
  method:
    `What each step of a user costs the extension host with a catalog of ${count} models, ${measured} of them ` +
    `measured on each of ${days} days. The catalog is the local service's, over a real socket; the rest is ` +
    "the extension's own code. By the clock, in Node, without VS Code's own drawing of rows.",
  async run({ rounds, say }) {
    await using cleanup = new AsyncDisposableStack();
    const service = await startInferenceService({ catalogSize: count });
    cleanup.defer(() => service.close());
    const folder = await mkdtemp(join(tmpdir(), 'parlance-models-'));
    cleanup.defer(() => rm(folder, { recursive: true, force: true }));
    const client = new InferenceClient({
      endpoint: async () => ({
        baseUrl: new URL(service.baseUrl),
        nativeUrl: new URL('/api', service.origin),
        apiKey: service.apiKey,
      }),
      transport: createTransport({
        settings: () => ({ proxySupport: 'off', proxy: '', noProxy: [], systemCertificates: false, env: {} }),
      }),
    });
    cleanup.defer(() => client.dispose());

    const models = await client.ask(listModels);
    if (models.length !== count) throw new Error(`The service lists ${models.length} models`);
    const store = new CatalogFiles(folder, (error) => {
      throw error;
    });
    const kept = { models, fetchedAt: 1 };
    await store.write(service.baseUrl, kept);
    const index = new ModelIndex(models);
    const marks = { favorites: [], hidden: new Set<string>(), recent: [] };
    const digest = digestOf(models.slice(0, measured).map(({ id }) => id));
    const figures = figuresOf(digest);
    const tree = await treeParts();
    const group = (view: Partial<ModelListView>) =>
      groupModels(index, marks, { ...plainView, ...view }, (id) => tree.speedOf(figures(id)));
    /** Everything that VS Code asks of the tree to draw one list of all models. */
    const items = () => {
      const view = { ...plainView, isGrouped: false };
      const shown = {
        groups: group(view),
        view,
        isFavorite: () => false,
        isHidden: () => false,
        defaultModel: undefined,
        figures,
        votes: () => undefined,
        services: [],
      };
      const rows = new tree.ModelTree(() => shown);
      const made = rows.getChildren().flatMap((node) => rows.getChildren(node).map((row) => rows.getTreeItem(row)));
      if (made.length !== count) throw new Error(`${made.length} rows were made`);
    };

    const work = {
      'fetch and decode the catalog': () => client.ask(listModels),
      'write it to disk': () => store.write(service.baseUrl, kept),
      'read it from disk': () => store.read(service.baseUrl),
      'index and sort it by name': () => new ModelIndex(models),
      "figures of all models from the log's sums, once after each change": () => {
        const anew = figuresOf(digest);
        for (const { id } of models) anew(id);
      },
      'group by provider': () => group({}),
      'filter by one letter': () => group({ text: 'a' }),
      'filter by two words and an ability': () => group({ text: 'model 12', abilities: ['chat'] }),
      'sort by price, as one list': () => group({ sort: 'price', isGrouped: false }),
      'sort by tokens per second': () => group({ sort: 'speed' }),
      'all rows of one list': items,
      'find the closest three ids': () => closestModels(index, 'harbor/quil-vison', 3),
    } satisfies Record<string, () => unknown>;
    const names = Object.keys(work) as (keyof typeof work)[];
    say(`${rounds * 3} rounds`);
    const times = await takeTurns(names, rounds * 3, async (name) => {
      const started = performance.now();
      await work[name]();
      return performance.now() - started;
    });
    const felt = new Set<string>(names.filter((name) => /^(group|filter|sort)/.test(name)));
    return names.map((name) => figure(name, times[name], 'ms', felt.has(name) ? unfeltMs : undefined));
  },
};

/** Five replies of each model on each day. */
function digestOf(ids: readonly string[]): RequestDigest {
  const digest: RequestDigest = {};
  for (let day = 0; day < days; day += 1) {
    const sums = ids.map((id, at) => {
      const speeds = Array.from({ length: 5 }, (_, number): [number, number, number] => [number, at % 97, at % 89]);
      const sum = {
        requests: 5,
        failed: 0,
        promptTokens: 9,
        completionTokens: 9,
        cost: 0,
        unpriced: 5,
        replies: 5,
        replyTokens: 9,
      };
      return [id, { ...sum, speeds }] as const;
    });
    digest[`2030-01-${String(day + 1).padStart(2, '0')}`] = Object.fromEntries(sums);
  }
  return digest;
}

/** The real tree, with a stand-in for the few VS Code classes that it fills. */
async function treeParts() {
  const stub = `
    export class TreeItem { constructor(label, collapsibleState) { Object.assign(this, { label, collapsibleState }); } }
    export class ThemeIcon { constructor(id) { this.id = id; } }
    export class EventEmitter { event = () => undefined; fire() {} dispose() {} }
    export class MarkdownString {}
    export const TreeItemCollapsibleState = { None: 0, Collapsed: 1, Expanded: 2 };
    export const l10n = { t: (text, ...values) => text.replace(/\\{(\\d+)\\}/g, (_, at) => String(values[at])) };`;
  const hooks = registerHooks({
    resolve: (name, context, next) =>
      name === 'vscode'
        ? { url: `data:text/javascript,${encodeURIComponent(stub)}`, shortCircuit: true }
        : next(name, context),
  });
  const [{ ModelTree }, { speedOf }] = await Promise.all([
    import('../../../src/vscode/models/modelTree.ts'),
    import('../../../src/core/models/measuredModel.ts'),
  ]);
  hooks.deregister();
  return { ModelTree, speedOf };
}
