import assert from 'node:assert/strict';
import { ModelCatalog } from '../../../../src/core/models/modelCatalog.ts';
import { ModelCatalogs } from '../../../../src/core/models/modelCatalogs.ts';
import { ComposerModels } from '../../../../src/vscode/attachments/composerModels.ts';

describe('The facts about models for a message', () => {
  /** No catalog is kept on disk. */
  function facts() {
    let asked = 0;
    let read = 0;
    const catalog = new ModelCatalogs();
    const only = new ModelCatalog({
      id: 'service',
      list: () => {
        asked += 1;
        return Promise.resolve([{ id: 'm', contextWindow: 1000, raw: {} }]);
      },
      store: {
        read: () => {
          read += 1;
          return Promise.resolve(undefined);
        },
        write: () => Promise.resolve(),
      },
      service: () => 'a service',
      stated: () => ({}),
      now: () => 0,
    });
    catalog.set(new Map([['service', only]]));
    return {
      facts: new ComposerModels(catalog),
      catalog,
      asked: () => asked,
      read: () => read,
    };
  }

  it('are only read from disk when attachments become visible', async () => {
    const { facts: seen, catalog, asked, read } = facts();
    seen.load();
    // The catalog loads once for all: after this, everything that showing them started has finished.
    await catalog.load();
    assert.deepEqual([read(), asked()], [1, 0]);
    assert.equal(seen.contextWindowOf('m'), undefined);
  });

  it('are fetched once when something is added', async () => {
    const { facts: wanted, catalog, asked } = facts();
    const came = new Promise<void>((resolve) => catalog.onDidChange(() => catalog.isRefreshing || resolve()));
    wanted.wanted();
    wanted.wanted();
    await came;
    assert.equal(asked(), 1);
    assert.equal(wanted.contextWindowOf('m'), 1000);
  });
});
