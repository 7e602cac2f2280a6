import assert from 'node:assert/strict';
import { ModelCatalogue } from '../../../../src/core/models/modelCatalogue.ts';
import { ComposerModels } from '../../../../src/vscode/attachments/composerModels.ts';

describe('The facts about models beside a message', () => {
  /** Nothing is kept on disk. */
  function facts() {
    let asked = 0;
    let read = 0;
    const catalogue = new ModelCatalogue({
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
    return { facts: new ComposerModels(catalogue), catalogue, asked: () => asked, read: () => read };
  }

  it('are only read from the disk when they are seen', async () => {
    const { facts: seen, catalogue, asked, read } = facts();
    seen.load();
    // The catalogue loads once for all: after this, what seeing them had begun has come to its end.
    await catalogue.load();
    assert.deepEqual([read(), asked()], [1, 0]);
    assert.equal(seen.contextWindowOf('m'), undefined);
  });

  it('are asked for when something is added, once', async () => {
    const { facts: wanted, catalogue, asked } = facts();
    const came = new Promise<void>((resolve) => catalogue.onDidChange(() => catalogue.isRefreshing || resolve()));
    wanted.wanted();
    wanted.wanted();
    await came;
    assert.equal(asked(), 1);
    assert.equal(wanted.contextWindowOf('m'), 1000);
  });
});
