import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ModelCatalog } from '../../../../src/core/models/modelCatalog.ts';
import { LearnedWindows } from '../../../../src/vscode/attachments/learnedWindows.ts';
import { ComposerModels } from '../../../../src/vscode/attachments/composerModels.ts';

describe('The facts about models for a message', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parlance-windows-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  /** No catalog is kept on disk. */
  function facts() {
    let asked = 0;
    let read = 0;
    const catalog = new ModelCatalog({
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
    return {
      facts: new ComposerModels(
        catalog,
        new LearnedWindows(join(folder, 'windows.json'), (error) => assert.fail(String(error))),
      ),
      catalog,
      asked: () => asked,
      read: () => read,
    };
  }

  it('are only read from disk when attachments become visible', async () => {
    const { facts: seen, catalog, asked, read } = facts();
    seen.load();
    // The catalog loads once for all: after this, what showing them started has finished.
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

  it('include a context window learned from a refusal, which is stored, unless the model list has one', async () => {
    const { facts: learning, catalog } = facts();
    await catalog.refresh();
    let changes = 0;
    learning.onDidChange(() => (changes += 1));
    learning.learn('unlisted', 4096);
    learning.learn('m', 4096);
    assert.deepEqual([learning.contextWindowOf('unlisted'), learning.contextWindowOf('m'), changes], [4096, 1000, 1]);
    await learning.settled();
    const { facts: later } = facts();
    const known = new Promise<void>((resolve) => later.onDidChange(resolve));
    later.load();
    await known;
    assert.equal(later.contextWindowOf('unlisted'), 4096);
  });

  it('forget a learned context window when the model accepts more', async () => {
    const { facts: learning } = facts();
    learning.learn('unlisted', 4096);
    learning.accepted('unlisted', 4096);
    assert.equal(learning.contextWindowOf('unlisted'), 4096);
    let changes = 0;
    learning.onDidChange(() => (changes += 1));
    learning.accepted('unlisted', 4097);
    learning.accepted('unlisted', 4097);
    assert.deepEqual([learning.contextWindowOf('unlisted'), changes], [undefined, 1]);
    await learning.settled();
    assert.deepEqual(await readdir(folder), []);
  });
});
