import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ModelCatalog } from '../../../../src/core/models/modelCatalog.ts';
import { ModelCatalogs } from '../../../../src/core/models/modelCatalogs.ts';
import { learnWindowFrom } from '../../../../src/core/requests/windowLesson.ts';
import type { StatedModels } from '../../../../src/core/models/statedModel.ts';
import type { ApiFailure } from '../../../../src/shared/apiFailure.ts';
import { LearnedWindows } from '../../../../src/vscode/attachments/learnedWindows.ts';

describe('Context windows learned from refusals', () => {
  let folder: string;
  const open: LearnedWindows[] = [];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parlance-windows-'));
  });
  afterEach(async () => {
    await Promise.all(open.splice(0).map((windows) => windows.settled()));
    await rm(folder, { recursive: true, force: true });
  });

  /** The models of a service whose list has one with a window, in a window of VS Code. */
  async function opened(stated: StatedModels = {}) {
    const windows = new LearnedWindows(join(folder, 'windows.json'), (error) => assert.fail(String(error)));
    open.push(windows);
    const catalog = new ModelCatalogs(windows);
    const only = new ModelCatalog({
      id: 'service',
      list: () => Promise.resolve([{ id: 'm', contextWindow: 1000, raw: {} }]),
      store: { read: () => Promise.resolve(undefined), write: () => Promise.resolve() },
      service: () => 'a service',
      stated: () => stated,
      now: () => 0,
    });
    catalog.set(new Map([['service', only]]));
    await catalog.refresh();
    let changes = 0;
    catalog.onDidChange(() => (changes += 1));
    return { windows, catalog, changes: () => changes };
  }

  it('are stored, unless the model list has one and the service stated none', async () => {
    const { windows, catalog, changes } = await opened();
    catalog.learnWindow('unlisted', { tokens: 4096, isStated: false });
    catalog.learnWindow('m', { tokens: 4096, isStated: false });
    assert.deepEqual([catalog.contextWindowOf('unlisted'), catalog.contextWindowOf('m'), changes()], [4096, 1000, 1]);
    await windows.settled();
    const { catalog: later } = await opened();
    assert.equal(later.contextWindowOf('unlisted'), undefined);
    await later.load();
    assert.equal(later.contextWindowOf('unlisted'), 4096);
  });

  it('stay the smallest that any window of VS Code learned, even one that never read the file', async () => {
    const { windows, catalog } = await opened();
    catalog.learnWindow('unlisted', { tokens: 4096, isStated: false });
    catalog.learnWindow('unlisted', { tokens: 9000, isStated: false });
    assert.equal(catalog.contextWindowOf('unlisted'), 4096);
    await windows.settled();
    const { windows: others, catalog: other } = await opened();
    other.learnWindow('unlisted', { tokens: 7000, isStated: false });
    assert.equal(other.contextWindowOf('unlisted'), 7000);
    await other.load();
    assert.equal(other.contextWindowOf('unlisted'), 4096);
    await others.settled();
    const { catalog: later } = await opened();
    await later.load();
    assert.equal(later.contextWindowOf('unlisted'), 4096);
    later.learnWindow('unlisted', { tokens: 3000, isStated: false });
    assert.equal(later.contextWindowOf('unlisted'), 3000);
  });

  it("count instead of the list's if the service stated them, but not instead of the user's own", async () => {
    const { windows, catalog, changes } = await opened();
    catalog.learnWindow('m', { tokens: 512, isStated: true });
    catalog.learnWindow('m', { tokens: 512, isStated: true });
    catalog.learnWindow('m', { tokens: 300, isStated: false });
    assert.deepEqual([catalog.contextWindowOf('m'), changes()], [512, 1]);
    assert.equal(catalog.withWindow({ id: 'm', contextWindow: 1000, raw: {} }).contextWindow, 512);
    await windows.settled();

    const { catalog: later } = await opened();
    await later.load();
    assert.equal(later.contextWindowOf('m'), 512);
    const { catalog: own } = await opened({ m: { contextWindow: 2000 } });
    await own.load();
    assert.equal(own.contextWindowOf('m'), 2000);
    assert.equal(own.withWindow({ id: 'm', contextWindow: 2000, raw: {} }).contextWindow, 2000);

    later.accepted('m', 600);
    assert.equal(later.contextWindowOf('m'), 1000);
  });

  it('are forgotten when the model accepts more', async () => {
    const { windows, catalog, changes } = await opened();
    catalog.learnWindow('unlisted', { tokens: 4096, isStated: false });
    catalog.accepted('unlisted', 4096);
    assert.deepEqual([catalog.contextWindowOf('unlisted'), changes()], [4096, 1]);
    catalog.accepted('unlisted', 4097);
    catalog.accepted('unlisted', 4097);
    assert.deepEqual([catalog.contextWindowOf('unlisted'), changes()], [undefined, 2]);
    await windows.settled();
    assert.deepEqual(await readdir(folder), []);
  });

  it('are forgotten when the model accepts more, even before the file was read', async () => {
    const { windows, catalog } = await opened();
    catalog.learnWindow('unlisted', { tokens: 4096, isStated: false });
    catalog.learnWindow('other', { tokens: 4096, isStated: false });
    await windows.settled();
    const { windows: others, catalog: later } = await opened();
    later.accepted('unlisted', 5000);
    later.accepted('other', 4000);
    await later.load();
    assert.deepEqual([later.contextWindowOf('unlisted'), later.contextWindowOf('other')], [undefined, 4096]);
    await others.settled();
    const { catalog: last } = await opened();
    await last.load();
    assert.deepEqual([last.contextWindowOf('unlisted'), last.contextWindowOf('other')], [undefined, 4096]);
  });

  it('are what the service says, or what it refused before any text arrived', async () => {
    const { catalog } = await opened();
    let sent = 300;
    const learn = (message: string, hasBegun: boolean, kind: 'contextTooLong' | 'server' = 'contextTooLong') => {
      const failure = { kind, message, host: 'a.test', status: 400 } as ApiFailure;
      learnWindowFrom({ failure, metrics: {}, hasBegun, sentTokens: () => sent }, 'unlisted', catalog);
      return catalog.contextWindowOf('unlisted');
    };
    assert.equal(learn('Too long', true), undefined);
    assert.equal(learn('It broke', false, 'server'), undefined);
    assert.equal(learn('Too long', false), 300);
    assert.equal(learn("This model's maximum context length is 512 tokens", true), 512);
    // Longer requests are refused too.
    sent = 9000;
    assert.equal(learn('Too long', false), 512);
    assert.equal(learn('The maximum context length is 8192 tokens', false), 8192);
    assert.equal(learn("This model's maximum context length is 512 tokens", false), 512);
    const answered = (value: number, from: 'service' | 'estimate') => {
      const metrics = { promptTokens: { value, from } } as const;
      learnWindowFrom({ metrics, hasBegun: true, sentTokens: () => 0 }, 'unlisted', catalog);
      return catalog.contextWindowOf('unlisted');
    };
    assert.equal(answered(600, 'estimate'), 512);
    assert.equal(answered(512, 'service'), 512);
    assert.equal(answered(600, 'service'), undefined);
  });

  it('are the length of a request of which the service dropped some, until it reads more', async () => {
    const { catalog } = await opened();
    const ended = (counted: number, sent: { readonly tokens: number; readonly atLeast?: number }) => {
      const metrics = { promptTokens: { value: counted, from: 'service' } } as const;
      const dropped = sent.atLeast !== undefined && { sentAtLeast: sent.atLeast };
      learnWindowFrom({ metrics, hasBegun: true, sentTokens: () => sent.tokens, ...dropped }, 'unlisted', catalog);
      return catalog.contextWindowOf('unlisted');
    };
    assert.equal(ended(2050, { tokens: 6000, atLeast: 4000 }), 6000);
    assert.equal(ended(2050, { tokens: 4000, atLeast: 5000 }), 5000);
    assert.equal(ended(4900, { tokens: 5000 }), 5000);
    assert.equal(ended(5100, { tokens: 5000 }), undefined);
  });
});
