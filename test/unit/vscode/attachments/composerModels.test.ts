import assert from 'node:assert/strict';
import { ModelCatalog } from '../../../../src/core/models/modelCatalog.ts';
import { ComposerModels } from '../../../../src/vscode/attachments/composerModels.ts';

describe('The facts about models beside a message', () => {
  /** Nothing is kept on disk. */
  function facts() {
    let asked = 0;
    let read = 0;
    const catalog = new ModelCatalog({
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
      now: () => 0,
    });
    return { facts: new ComposerModels(catalog), catalog, asked: () => asked, read: () => read };
  }

  it('are only read from the disk when they are seen', async () => {
    const { facts: seen, catalog, asked, read } = facts();
    seen.load();
    // The catalog loads once for all: after this, what seeing them had begun has come to its end.
    await catalog.load();
    assert.deepEqual([read(), asked()], [1, 0]);
    assert.equal(seen.contextWindowOf('m'), undefined);
  });

  it('are asked for when something is added, once', async () => {
    const { facts: wanted, catalog, asked } = facts();
    const came = new Promise<void>((resolve) => catalog.onDidChange(() => catalog.isRefreshing || resolve()));
    wanted.wanted();
    wanted.wanted();
    await came;
    assert.equal(asked(), 1);
    assert.equal(wanted.contextWindowOf('m'), 1000);
  });
});
