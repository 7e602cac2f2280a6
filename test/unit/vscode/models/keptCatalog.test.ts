import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { ApiError } from '../../../../src/api/apiError.ts';
import { ModelCatalog } from '../../../../src/core/models/modelCatalog.ts';
import { groupModels, plainView } from '../../../../src/core/models/modelGroups.ts';
import { abilitiesOf } from '../../../../src/core/models/modelAbilities.ts';
import { modelFacts } from '../../../../src/core/models/modelFacts.ts';
import type { StatedModels } from '../../../../src/core/models/statedModel.ts';
import { CatalogFiles } from '../../../../src/vscode/models/catalogFiles.ts';
import { answer, json, type RawServer, startRawServer } from '../../api/rawServer.ts';
import { testClient, type TestClient } from '../../api/testClient.ts';
import { listModels } from '../../../../src/api/operations/listModels.ts';

const noMarks = { favorites: [], hidden: new Set<string>(), recent: [] };
const minute = 60_000;

// The catalog with its real parts: a responding socket, the client, files on disk.
describe('The model list', () => {
  let folder: string;
  let server: RawServer;
  let tested: TestClient;
  let errors: unknown[];
  let now: number;
  /** What the service returns; nothing if it should stay silent. */
  let reply: Buffer | undefined;
  let service: string | undefined;
  let stated: StatedModels;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parlance-catalog-'));
    errors = [];
    now = Date.UTC(2030, 0, 1);
    reply = json(200, [{ id: 'a/one' }]);
    service = 'https://one.test/v1';
    stated = {};
    server = await startRawServer((socket) => {
      if (reply !== undefined) socket.write(reply);
    });
    tested = testClient(server.origin);
  });
  afterEach(async () => {
    tested.dispose();
    await server.close();
    // A list might still be on its way to disk.
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 10 });
  });

  const open = () =>
    new ModelCatalog({
      id: 'service',
      list: (options) => tested.client.ask(listModels, options),
      store: new CatalogFiles(folder, (error) => errors.push(error)),
      service: () => service,
      stated: () => stated,
      now: () => now,
    });
  const ids = (catalog: ModelCatalog) => catalog.index.models.map(({ model }) => model.id);
  const groups = (catalog: ModelCatalog) =>
    groupModels(catalog.index, noMarks, plainView, () => undefined).groups.map(
      ({ provider, models }) => `${provider}: ${models.map(({ model }) => model.id).join(' ')}`,
    );
  const kept = async () => {
    // Written after the result was returned.
    while (!(await readdir(folder)).some((name) => name.endsWith('.json'))) await turn();
  };

  const two = [
    { id: 'b/two', context_length: '8192', pricing: { prompt: '0.000001', completion: '0.000002' }, shade: null },
    { id: 'a/one', context_window: 4096, pricing: { input: 1, output: 2 } },
  ];
  const shapes: readonly (readonly [string, unknown, readonly string[]])[] = [
    ['{data: […]}', { object: 'list', data: two }, ['a: a/one', 'b: b/two']],
    ['a bare array', two, ['a: a/one', 'b: b/two']],
    ['{models: […]}', { models: two }, ['a: a/one', 'b: b/two']],
    ['{data: {models: […]}}', { data: { models: two } }, ['a: a/one', 'b: b/two']],
    ['bare ids', ['b/two', 'a/one'], ['a: a/one', 'b: b/two']],
    ['no models', { data: [] }, []],
    ['rows that occur twice', [...two, ...two], ['a: a/one', 'b: b/two']],
    ['ids with several slashes and none', ['x/y/z', 'x/y', 'plain', '/lead'], [': /lead plain', 'x: x/y x/y/z']],
    [
      'rows with nothing but a name',
      [{ name: 'n/one' }, { model: 'm/one' }, { id: ' ' }, {}, null, 7],
      ['m: m/one', 'n: n/one'],
    ],
  ];
  for (const [name, body, expected] of shapes) {
    it(`of ${name} is grouped, stored, and read again`, async () => {
      reply = json(200, body);
      const catalog = open();
      await catalog.ensure(minute);
      assert.deepEqual(groups(catalog), expected);
      await kept();
      const later = open();
      await later.load();
      assert.deepEqual(groups(later), expected);
      assert.equal(later.fetchedAt, now);
      assert.deepEqual(
        later.index.models.map(({ model }) => model),
        catalog.index.models.map(({ model }) => model),
      );
    });
  }

  it("uses what the user set for a model instead of the service's facts, and drops it again", async () => {
    reply = json(200, [{ id: 'a/bare' }, ...two]);
    stated = {
      'a/bare': { contextWindow: 32_768, inputPrice: 0.5, outputPrice: 1.5, supports: ['chat', 'imageInput'] },
      'b/two': { contextWindow: 16_384 },
      'not/listed': { supports: ['audio'] },
    };
    const catalog = open();
    await catalog.refresh();
    const factsOf = (id: string) => {
      const { model } = catalog.index.findOrName(id);
      return [modelFacts(model), [...abilitiesOf(model)].join(' ')];
    };
    assert.deepEqual(factsOf('a/bare'), ['0.50/1.50 · 32k context', 'chat multimodal']);
    assert.deepEqual(factsOf('b/two'), ['1.00/2.00 · 16k context', 'chat']);
    assert.deepEqual(factsOf('not/listed'), ['audio', 'audio']);
    assert.equal(catalog.index.find('not/listed')?.isListed, false);
    assert.equal(catalog.contextWindowOf('a/bare'), 32_768);

    stated = {};
    catalog.statedChanged();
    assert.deepEqual(factsOf('a/bare'), ['', 'chat']);
    assert.deepEqual(factsOf('b/two'), ['1.00/2.00 · 8k context', 'chat']);
    assert.equal(catalog.index.find('not/listed'), undefined);
    await kept();
    const later = open();
    await later.load();
    assert.equal(later.contextWindowOf('b/two'), 8192, 'only what the service said is kept on disk');
  });

  it('returns prices and context windows, whether strings or numbers', async () => {
    reply = json(200, two);
    const catalog = open();
    await catalog.refresh();
    for (const id of ['a/one', 'b/two']) {
      const { inputPricePerMillion, outputPricePerMillion } = catalog.index.find(id)?.model ?? {};
      assert.deepEqual([inputPricePerMillion, outputPricePerMillion], [1, 2]);
    }
    assert.deepEqual([catalog.contextWindowOf('a/one'), catalog.contextWindowOf('b/two')], [4096, 8192]);
    assert.equal(catalog.contextWindowOf('c/none'), undefined);
  });

  it('returns the models of a kind', async () => {
    reply = json(200, [{ id: 'a/cam', type: 'video' }, { id: 'a/large-2' }]);
    const catalog = open();
    await catalog.refresh();
    assert.deepEqual(
      catalog.index.withAbility('video').map(({ id }) => id),
      ['a/cam'],
    );
  });

  it('fetches what is missing or old, and nothing else', async () => {
    await open().ensure(minute);
    assert.equal(server.requests.length, 1);
    await kept();
    now += minute - 1;
    const second = open();
    await second.ensure(minute);
    assert.deepEqual(ids(second), ['a/one']);
    assert.equal(server.requests.length, 1);
    now += 1;
    await second.ensure(minute);
    assert.equal(server.requests.length, 2);
    now -= 10 * minute;
    await second.ensure(minute);
    assert.equal(server.requests.length, 3, 'a clock that was set back keeps an old list');
    await open().ensure(Infinity);
    assert.equal(server.requests.length, 3, 'by hand alone');
  });

  it('shows what is on disk at once, and the new list when it arrives', async () => {
    await open().ensure(minute);
    await kept();
    now += 2 * minute;
    reply = json(200, [{ id: 'b/new' }]);
    const catalog = open();
    const seen: string[] = [];
    catalog.onDidChange(() => seen.push(`${ids(catalog).join(' ')}${catalog.isRefreshing ? ' …' : ''}`));
    await catalog.ensure(minute);
    assert.deepEqual(seen, ['a/one', 'a/one …', 'b/new']);
  });

  it('is the same index if the service returns the same again, and another one if not', async () => {
    reply = json(200, two);
    const catalog = open();
    await catalog.refresh();
    const { index } = catalog;
    now += minute;
    reply = json(200, two.toReversed());
    await catalog.refresh();
    assert.equal(catalog.index, index);
    assert.equal(catalog.fetchedAt, now);
    reply = json(200, [two[0], { ...two[1], pricing: { input: 1, output: 3 } }]);
    await catalog.refresh();
    assert.notEqual(catalog.index, index);
    assert.equal(catalog.index.find('a/one')?.model.outputPricePerMillion, 3);
  });

  it('keeps the old list if the service fails, and reports the failure', async () => {
    const catalog = open();
    await catalog.ensure(minute);
    const before = catalog.fetchedAt;
    now += 2 * minute;
    reply = json(403, { error: { message: 'No.' } });
    await catalog.ensure(minute);
    assert.deepEqual(ids(catalog), ['a/one']);
    assert.equal(catalog.fetchedAt, before);
    assert.ok(catalog.error?.cause instanceof ApiError);
    assert.equal(catalog.error.cause.failure.kind, 'forbidden');
    assert.equal(catalog.isRefreshing, false);
    reply = json(200, []);
    await catalog.refresh();
    assert.equal(catalog.error, undefined);
    assert.deepEqual(ids(catalog), []);
  });

  it('is fetched once, however many callers wait', async () => {
    const catalog = open();
    // Otherwise the response might arrive before the stored list has been read.
    await catalog.load();
    const [one, other] = await Promise.all([catalog.refresh(), catalog.refresh(), catalog.ensure(0)]);
    assert.equal(one, other);
    assert.equal(server.requests.length, 1);
  });

  it('stops fetching when all waiting callers have left, and not before', async () => {
    reply = undefined;
    const catalog = open();
    const [first, second] = [new AbortController(), new AbortController()];
    const waits = [first, second].map(({ signal }) => catalog.refresh({ signal }));
    while (server.requests.length === 0) await turn();
    first.abort();
    await assert.rejects(waits[0] as Promise<unknown>, { name: 'AbortError' });
    assert.equal(catalog.isRefreshing, true);
    second.abort();
    await assert.rejects(waits[1] as Promise<unknown>, { name: 'AbortError' });
    assert.equal(catalog.isRefreshing, false);
    assert.equal(catalog.error, undefined, 'a cancel is no failure');
  });

  it('is separate for each URL, each with its own file', async () => {
    const catalog = open();
    await catalog.ensure(minute);
    await kept();
    service = 'https://two.test/v1';
    reply = json(200, [{ id: 'b/two' }]);
    catalog.connectionChanged();
    assert.deepEqual(ids(catalog), []);
    await catalog.ensure(minute);
    assert.deepEqual(ids(catalog), ['b/two']);
    service = 'https://one.test/v1';
    catalog.connectionChanged();
    await catalog.load();
    assert.deepEqual(ids(catalog), ['a/one']);
  });

  it('is fetched again with another key, while the old list stays visible', async () => {
    const catalog = open();
    await catalog.ensure(minute);
    catalog.connectionChanged();
    assert.deepEqual(ids(catalog), ['a/one']);
    await catalog.ensure(minute);
    assert.equal(server.requests.length, 2);
  });

  it('ignores the response of a URL that was replaced', async () => {
    reply = undefined;
    const catalog = open();
    const asked = assert.rejects(catalog.refresh());
    service = 'https://two.test/v1';
    catalog.connectionChanged();
    await asked;
    assert.deepEqual(ids(catalog), []);
    assert.equal(catalog.error, undefined);
  });

  it("starts again from a damaged file, and names no URL in the file's name", async () => {
    await open().ensure(minute);
    await kept();
    const [name = ''] = await readdir(folder);
    assert.doesNotMatch(name, /one|test/);
    const text = await readFile(join(folder, name), 'utf8');
    for (const damaged of [
      text.slice(0, -9),
      '',
      'null',
      '{"fetchedAt":"x","models":[]}',
      '{"fetchedAt":1,"models":7}',
    ]) {
      await writeFile(join(folder, name), damaged);
      const catalog = open();
      await catalog.load();
      assert.equal(catalog.fetchedAt, undefined, damaged);
    }
  });

  it('reports that nothing is set up, and sends nothing', async () => {
    service = undefined;
    reply = answer(200, '');
    const catalog = open();
    await catalog.load();
    assert.equal(catalog.fetchedAt, undefined);
    assert.equal(server.requests.length, 0);
  });
});
