import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import type { ModelInfo } from '../../../../src/api/wire/decodeModels.ts';
import { ModelCatalog } from '../../../../src/core/models/modelCatalog.ts';
import { ModelCatalogs } from '../../../../src/core/models/modelCatalogs.ts';

const models: readonly ModelInfo[] = [{ id: 'a/one', raw: {} }];

/** A service whose list is on disk or not, and which returns it when the test says so. */
class Listing {
  readonly catalog: ModelCatalog;
  answer = Promise.withResolvers<readonly ModelInfo[]>();
  asked = 0;

  constructor(id: string, isKept = false) {
    const kept = isKept ? { models, fetchedAt: 1 } : undefined;
    this.catalog = new ModelCatalog({
      id,
      list: ({ signal }) => {
        this.asked += 1;
        signal.addEventListener('abort', () => this.answer.reject(signal.reason));
        return this.answer.promise;
      },
      store: { read: () => Promise.resolve(kept), write: () => Promise.resolve() },
      stated: () => ({}),
      service: () => `https://${id}.test/v1`,
      now: () => 2,
    });
  }
}

describe('The lists of several services', () => {
  let catalogs: ModelCatalogs;
  const open = (...kept: readonly boolean[]): readonly [Listing, Listing] => {
    const [one, two] = [new Listing('one', kept[0]), new Listing('two', kept[1])];
    catalogs = new ModelCatalogs();
    catalogs.set(new Map(Object.entries({ one: one.catalog, two: two.catalog })));
    return [one, two];
  };
  afterEach(() => catalogs.dispose());
  const ids = () => catalogs.index.models.map(({ model }) => model.id);

  it('are fetched where one is missing, even if another service has one', async () => {
    const [one, two] = open(true, false);
    two.answer.resolve(models);
    await catalogs.fetchMissing();
    assert.deepEqual(ids(), ['one::a/one', 'two::a/one']);
    assert.deepEqual([one.asked, two.asked], [0, 1]);
    await catalogs.fetchMissing();
    assert.deepEqual([one.asked, two.asked], [0, 1]);
  });

  it('name what is closest to a missing model, in its own list only', async () => {
    open(true, true);
    await catalogs.load();
    assert.deepEqual(catalogs.closestTo('two::a/ones'), ['two::a/one']);
    assert.deepEqual(catalogs.closestTo('two::a/one'), []);
    assert.deepEqual(catalogs.closestTo('three::a/ones'), []);
  });

  it('are used without the one of a silent service, which appears when it arrives', async () => {
    const [one, two] = open();
    one.answer.resolve(models);
    await catalogs.fetchMissing({ restMs: 5 });
    assert.deepEqual(ids(), ['one::a/one']);
    two.answer.resolve(models);
    await turn();
    assert.deepEqual(ids(), ['one::a/one', 'two::a/one']);
  });

  it('wait for the one that is still on its way, unless it takes too long', async () => {
    const [one, two] = open();
    one.answer.resolve(models);
    const fetched = catalogs.fetchMissing({ restMs: 60_000 });
    setTimeout(() => two.answer.resolve(models), 5);
    await fetched;
    assert.deepEqual(ids(), ['one::a/one', 'two::a/one']);
  });

  it("are never awaited from a service that failed last time, or isn't needed", async () => {
    const [one, two] = open(true, false);
    two.answer.reject(new Error('two is down'));
    await catalogs.fetchMissing();
    assert.equal(two.asked, 1);
    // It's asked again, and this time it stays silent.
    two.answer = Promise.withResolvers();
    await catalogs.fetchMissing({ restMs: 60_000 });
    assert.deepEqual([one.asked, two.asked], [0, 2]);

    const [, other] = open(false, false);
    other.answer.resolve(models);
    await catalogs.fetchMissing({ only: new Set(['two']), restMs: 60_000 });
    assert.deepEqual(ids(), ['two::a/one']);
  });

  it('fail only if no service returns one, and are canceled together', async () => {
    const [one, two] = open();
    const failed = catalogs.fetchMissing({ restMs: 5 });
    one.answer.reject(new Error('one is down'));
    two.answer.reject(new Error('two is down'));
    await assert.rejects(failed, /one is down/);
    open();
    const abort = new AbortController();
    const stopped = catalogs.fetchMissing({ signal: abort.signal });
    await turn();
    abort.abort(new Error('stopped'));
    await assert.rejects(stopped, /stopped/);
    assert.equal(catalogs.isRefreshing, false);
  });
});
