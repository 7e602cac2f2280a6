/**
 * The view of models with a long catalogue: what each thing a person does costs the extension host.
 *
 *   node test/bench/models.ts [models]
 *
 * The catalogue is the local service's, over a real socket; the rest is the extension's own code.
 * Medians of 15 runs, in milliseconds. What VS Code takes to draw rows is not in it.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { InferenceClient } from '../../src/api/inferenceClient.ts';
import { createTransport } from '../../src/api/transport.ts';
import { closestModels } from '../../src/core/closestModels.ts';
import { groupModels, type ModelListView, plainView } from '../../src/core/modelGroups.ts';
import { ModelIndex } from '../../src/core/modelIndex.ts';
import { CatalogueFiles } from '../../src/vscode/models/catalogueStore.ts';
import { startInferenceService } from '../service/inferenceService.ts';

const runs = 15;
const count = Number(process.argv[2] ?? 5000);

async function median(work: () => unknown): Promise<string> {
  const times: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    const start = performance.now();
    await work();
    times.push(performance.now() - start);
  }
  return (times.toSorted((a, b) => a - b)[Math.floor(runs / 2)] ?? 0).toFixed(1);
}

await using cleanup = new AsyncDisposableStack();
const service = await startInferenceService({ catalogueSize: count });
cleanup.defer(() => service.close());
const folder = await mkdtemp(join(tmpdir(), 'parlance-bench-'));
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

const models = await client.listModels();
const store = new CatalogueFiles(folder, (error) => {
  throw error;
});
const index = new ModelIndex(models);
const marks = { favourites: [], hidden: new Set<string>(), recent: [] };
const speeds = new Map(models.map(({ id }, at) => [id, { firstTokenSeconds: at % 97, tokensPerSecond: at % 89 }]));
const group = (view: Partial<ModelListView>) =>
  groupModels(index, marks, { ...plainView, ...view }, (id) => speeds.get(id));

const rows: readonly (readonly [string, () => unknown])[] = [
  ['fetch and decode the catalogue', () => client.listModels()],
  ['write it to disk', () => store.write('https://service.test/v1', { models, fetchedAt: 1 })],
  ['read it from disk', () => store.read('https://service.test/v1')],
  ['index and sort it by name', () => new ModelIndex(models)],
  ['group it by provider', () => group({})],
  ['filter by one letter', () => group({ text: 'a' })],
  ['filter by two words and an ability', () => group({ text: 'model 12', abilities: ['chat'] })],
  ['sort by price, as one list', () => group({ sort: 'price', isGrouped: false })],
  ['sort by tokens per second', () => group({ sort: 'speed' })],
  ['find the closest three ids', () => closestModels(index, 'harbor/quil-vison', 3)],
];
console.log(`${models.length} models, medians of ${runs} runs`);
for (const [name, work] of rows) console.log(`${(await median(work)).padStart(8)} ms  ${name}`);
