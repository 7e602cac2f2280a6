import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { RequestEnd, RequestStart } from '../../src/core/requestRecord.ts';
import { RequestDigests } from '../../src/vscode/requests/requestDigests.ts';
import { RequestDocuments } from '../../src/vscode/requests/requestDocuments.ts';
import { RequestHistory } from '../../src/vscode/requests/requestHistory.ts';
import { RequestStore } from '../../src/vscode/requests/requestStore.ts';
import { RequestTree, type RequestNode } from '../../src/vscode/requests/requestTree.ts';

const dayMs = 86_400_000;

describe('Recent requests', () => {
  let folder: string;
  let history: RequestHistory;
  let tree: RequestTree;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parlance-requests-'));
    const onError = (error: unknown) => assert.fail(String(error));
    const digests: RequestDigests = new RequestDigests({ store: () => store, writer: 'w1', onError });
    const limits = () => ({ maxCount: 100_000, maxBytes: 100_000_000 });
    const store = new RequestStore({ folder, writer: 'w1', limits, onError, countOf: (file) => digests.countOf(file) });
    history = new RequestHistory({ store, digests, onError });
    tree = new RequestTree(history);
  });
  afterEach(async () => {
    tree.dispose();
    history.dispose();
    await history.flush();
    await rm(folder, { recursive: true, force: true });
  });

  function start(id: string, facts: Partial<RequestStart> = {}): RequestStart {
    const record: RequestStart = {
      type: 'started',
      id,
      writer: 'w1',
      pid: process.pid,
      at: Date.now(),
      operation: 'chat',
      origin: { kind: 'chat', conversationId: 'c1' },
      model: 'acme/large',
      ...facts,
    };
    history.started(record);
    history.sent(record, {
      method: 'POST',
      url: 'https://service.test/v1/chat/completions',
      body: { model: 'acme/large' },
    });
    return record;
  }

  function end(id: string, facts: Partial<RequestEnd> = {}): void {
    history.ended(
      { type: 'ended', id, writer: 'w1', at: Date.now(), outcome: 'done', metrics: {}, ...facts },
      { choices: [{ index: 0, message: { role: 'assistant', content: 'Hello there' } }] },
    );
  }

  const rows = async (node?: RequestNode) => (await tree.getChildren(node)).map((child) => tree.getTreeItem(child));
  const rowOf = async (id: string) => {
    const days = (await tree.getChildren()).filter((node) => node.type === 'day');
    const items = (await Promise.all(days.map((day) => rows(day)))).flat();
    return items.find((item) => item.id === id) ?? assert.fail(`no row ${id}`);
  };
  const iconOf = (item: vscode.TreeItem) => (item.iconPath instanceof vscode.ThemeIcon ? item.iconPath.id : undefined);

  it('are grouped by day, the newest first', async () => {
    start('old', { at: Date.now() - 40 * dayMs });
    start('yesterday', { at: Date.now() - dayMs });
    start('first', { at: Date.now() - 2 });
    start('second', { at: Date.now() - 1 });
    const days = await tree.getChildren();
    const items = days.map((day) => tree.getTreeItem(day));
    assert.deepEqual(
      items.slice(0, 2).map((item) => [item.label, item.description]),
      [
        ['Today', '2'],
        ['Yesterday', '1'],
      ],
    );
    const label = items[2]?.label;
    assert.ok(typeof label === 'string' && /\d{4}/.test(label));
    assert.deepEqual(
      (await rows(days[0])).map((item) => item.id),
      ['second', 'first'],
    );
  });

  it('say their state by an icon and in words', async () => {
    const dead = 2 ** 22 + 1;
    for (const id of ['running', 'done', 'incomplete', 'stopped', 'failed']) start(id);
    start('unknown', { pid: dead });
    end('done');
    end('incomplete', { outcome: 'incomplete' });
    end('stopped', { outcome: 'stopped' });
    end('failed', { outcome: 'failed', status: 402 });
    const expected: Readonly<Record<string, readonly [string, RegExp]>> = {
      running: ['loading~spin', /, running, .*running/],
      done: ['pass', /, done, /],
      incomplete: ['warning', /, done, may be incomplete, /],
      stopped: ['debug-stop', /, stopped, .*stopped/],
      failed: ['error', /, failed, .*failed \(402\)/],
      unknown: ['question', /, outcome unknown, .*outcome unknown/],
    };
    for (const [id, [icon, words]] of Object.entries(expected)) {
      const item = await rowOf(id);
      assert.equal(iconOf(item), icon, id);
      assert.match(String(item.accessibilityInformation?.label), words);
      assert.equal(item.label, 'acme/large');
    }
  });

  it('offer in their menus only what can be done with them', async () => {
    start('running');
    start('chat');
    end('chat', { requestId: 'req_1' });
    start('recording', { operation: 'audio', origin: { kind: 'media' } });
    const words = async (id: string) => String((await rowOf(id)).contextValue).split(' ');
    assert.deepEqual(await words('running'), ['request', 'chat', 'inConversation', 'answer', 'repeatable']);
    assert.deepEqual(await words('chat'), [
      'request',
      'chat',
      'ended',
      'inConversation',
      'withRequestId',
      'answer',
      'repeatable',
    ]);
    assert.deepEqual(await words('recording'), ['request', 'audio']);
  });

  it('tell when they change, live', async () => {
    await tree.getChildren();
    const told = new Promise<void>((resolve) => tree.onDidChangeTreeData(() => resolve()));
    start('r1');
    await told;
    assert.equal(iconOf(await rowOf('r1')), 'loading~spin');
    const again = new Promise<void>((resolve) => tree.onDidChangeTreeData(() => resolve()));
    end('r1');
    await again;
    assert.equal(iconOf(await rowOf('r1')), 'pass');
  });

  it('open as read-only JSON, without a key, and follow a request that runs', async () => {
    // The extension itself has this scheme too; the documents of this log are asked directly.
    const documents = new RequestDocuments(history);
    const textOf = async (part: 'request' | 'response' | 'answer') => {
      const request = history.find('r1') ?? assert.fail();
      return documents.provideTextDocumentContent(documents.uri(request, part));
    };
    try {
      start('r1');
      const sent = JSON.parse(await textOf('request'));
      assert.deepEqual(sent, {
        method: 'POST',
        url: 'https://service.test/v1/chat/completions',
        headers: { authorization: 'Bearer $SERVICE_API_KEY', 'content-type': 'application/json' },
        body: { model: 'acme/large' },
      });
      assert.equal(JSON.parse(await textOf('response')).state, 'running');
      const changed = new Promise<vscode.Uri>((resolve) => documents.onDidChange(resolve));
      end('r1', { requestId: 'req_1' });
      assert.match((await changed).path, /response\.json$|request\.json$/);
      const received = JSON.parse(await textOf('response'));
      assert.equal(received.state, 'done');
      assert.equal(received.requestId, 'req_1');
      assert.equal(received.body.choices[0].message.content, 'Hello there');
      assert.equal(await textOf('answer'), 'Hello there');
    } finally {
      documents.dispose();
    }
  });
});
