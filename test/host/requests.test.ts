import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as wholeText } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { RequestEnd, RequestStart } from '../../src/core/requests/requestRecord.ts';
import type { ReplyMetrics } from '../../src/shared/chat.ts';
import { watchDailyBudget } from '../../src/vscode/requests/dailyBudget.ts';
import { exportParts } from '../../src/vscode/requests/exportParts.ts';
import { RequestDocuments } from '../../src/vscode/requests/requestDocuments.ts';
import { openHistory } from '../../src/vscode/requests/openHistory.ts';
import type { RequestHistory } from '../../src/vscode/requests/requestHistory.ts';
import { RequestTree, type RequestNode } from '../../src/vscode/requests/requestTree.ts';
import { eventually } from './eventually.ts';
import { stoppedClock } from './stoppedClock.ts';

const dayMs = 86_400_000;
/** Today's, so that no test runs into another day. */
const noon = () => new Date().setHours(12, 0, 0, 0);

describe('Requests', () => {
  let folder: string;
  let history: RequestHistory;
  let tree: RequestTree;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parlance-requests-'));
    const onError = (error: unknown) => assert.fail(String(error));
    const limits = () => ({ maxCount: 100_000, maxBytes: 100_000_000 });
    ({ history } = openHistory({ folder, writer: 'w1', limits, onError }));
    tree = new RequestTree(history);
  });
  afterEach(async () => {
    tree.dispose();
    history.dispose();
    await history.flush();
    await rm(folder, { recursive: true, force: true });
  });

  function start(id: string, facts: Partial<RequestStart> = {}, figures?: () => ReplyMetrics): RequestStart {
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
    history.started(record, figures && { figures, received: () => undefined });
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

  function shownView() {
    const visibility = new vscode.EventEmitter<vscode.TreeViewVisibilityChangeEvent>();
    const expanded = new vscode.EventEmitter<vscode.TreeViewExpansionEvent<RequestNode>>();
    const collapsed = new vscode.EventEmitter<vscode.TreeViewExpansionEvent<RequestNode>>();
    const view = {
      visible: true,
      onDidChangeVisibility: visibility.event,
      onDidExpandElement: expanded.event,
      onDidCollapseElement: collapsed.event,
    };
    return { view, visibility, expanded, collapsed };
  }

  it('are grouped by day, the newest first', async () => {
    using _ = stoppedClock(noon());
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
    assert.deepEqual(
      items.slice(0, 2).map((item) => item.accessibilityInformation?.label),
      ['Today, 2 requests', 'Yesterday, 1 request'],
    );
    const label = items[2]?.label;
    assert.ok(typeof label === 'string' && /\d{4}/.test(label));
    assert.deepEqual(
      (await rows(days[0])).map((item) => item.id),
      ['second', 'first'],
    );
  });

  it('have a row of their own if there are none to the service that is shown, so that the view keeps the focus', async () => {
    const labels = async () => (await rows()).map(({ label }) => label);
    assert.deepEqual(await labels(), []);
    start('first', { service: 'one' });
    tree.showOnly('two');
    assert.deepEqual(await labels(), ['No requests to this service']);
    tree.showOnly('one');
    assert.equal((await labels()).length, 1);
    assert.equal((await labels()).includes('No requests to this service'), false);
  });

  it('have such a row after all were deleted, until the view is hidden', async () => {
    const { view, visibility: changed } = shownView();
    tree.showIn(view);
    const labels = async () => (await rows()).map(({ label }) => label);
    assert.deepEqual(await labels(), []);
    start('first');
    assert.equal((await labels()).length, 1);
    await history.clear();
    assert.deepEqual(await labels(), ['No requests']);
    const show = (visible: boolean) => {
      view.visible = visible;
      changed.fire({ visible });
    };
    show(false);
    assert.deepEqual(await labels(), []);
    show(true);
    start('second');
    assert.equal((await labels()).length, 1);
    show(false);
    let isTold = false;
    tree.onDidChangeTreeData(() => (isTold = true));
    await history.clear();
    await eventually('the news', () => isTold);
    show(true);
    assert.deepEqual(await labels(), [], 'deleted while it was hidden');
    changed.dispose();
  });

  it('are drawn once VS Code has the rows of an open day, or the days if all are collapsed', async () => {
    const { view, expanded, collapsed } = shownView();
    tree.showIn(view);
    start('first');
    const told = async (id: string) => {
      const news = new Promise((resolve) => tree.onDidChangeTreeData(resolve));
      start(id);
      await news;
      let isOver = false;
      const drawn = tree.drawn().finally(() => (isOver = true));
      const isWaiting = async () => {
        await pause(5);
        return !isOver;
      };
      return { drawn, isWaiting };
    };
    const draw = async (isOpen: boolean) => {
      const [day = assert.fail()] = await tree.getChildren();
      if (isOpen) await tree.getChildren(day);
      return day;
    };

    let today = await draw(true);
    const ofOpen = await told('second');
    await draw(false);
    assert.ok(await ofOpen.isWaiting());
    today = await draw(true);
    await ofOpen.drawn;

    collapsed.fire({ element: today });
    const ofCollapsed = await told('third');
    assert.ok(await ofCollapsed.isWaiting());
    today = await draw(false);
    await ofCollapsed.drawn;

    expanded.fire({ element: today });
    const ofExpanded = await told('fourth');
    await draw(false);
    assert.ok(await ofExpanded.isWaiting());
    await draw(true);
    await ofExpanded.drawn;
  });

  it('show their state as an icon and in words', async () => {
    const dead = 2 ** 22 + 1;
    for (const id of ['running', 'done', 'incomplete', 'stopped', 'failed']) start(id);
    start('unknown', { writer: 'w2', pid: dead });
    end('done');
    end('incomplete', { outcome: 'incomplete' });
    end('stopped', { outcome: 'stopped' });
    end('failed', { outcome: 'failed', status: 402 });
    const expected: Readonly<Record<string, readonly [string, RegExp]>> = {
      running: ['loading~spin', /, running, .*running/],
      done: ['pass', /, done, /],
      incomplete: ['warning', /, might be incomplete, /],
      stopped: ['circle-slash', /, stopped, .*stopped/],
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

  it('offer only possible actions in their menus', async () => {
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

  it('announce changes live', async () => {
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

  it('keep the row of a request when it ends, so an open menu still applies to it', async () => {
    start('r0');
    start('r1');
    const [today] = await tree.getChildren();
    const row = (await tree.getChildren(today)).find((node) => node.type === 'request' && node.request.id === 'r1');
    const told = new Promise((resolve) => tree.onDidChangeTreeData(resolve));
    end('r1');
    assert.deepEqual(await told, [row]);
    assert.ok(row?.type === 'request');
    assert.equal(iconOf(tree.getTreeItem(row)), 'pass');
    assert.equal(row.request.end?.outcome, 'done');
  });

  it('show the end of a request that was running while VS Code was fetching its day', async () => {
    start('r0');
    start('r1');
    const [today] = await tree.getChildren();
    const settled = history.requests();
    end('r1');
    await settled;
    await eventually('the end in the list', async () => {
      const rowsOfToday = (await tree.getChildren(today)).map((node) => tree.getTreeItem(node));
      return iconOf(rowsOfToday.find(({ id }) => id === 'r1') ?? assert.fail()) === 'pass';
    });
  });

  it("show their progress second by second while they're visible", async () => {
    using _ = stoppedClock(Date.now());
    let tokens = 8;
    const { view, visibility: looks } = shownView();
    tree.showIn(view);
    start('r1', {}, () => ({
      timeToFirstTokenSeconds: { value: 0.31, from: 'here' },
      totalSeconds: { value: 2, from: 'here' },
      completionTokens: { value: tokens, from: 'estimate' },
    }));
    start('r2', { writer: 'w2', pid: process.ppid, at: Date.now() - 5000 });
    assert.match(String((await rowOf('r1')).description), /^running · 0\.31 s° · 2\.0 s° · ≈ 8 tokens · /);
    assert.match(String((await rowOf('r2')).description), /^running · 5\.0 s° · /);
    tokens = 90;
    const moved = await new Promise<RequestNode>((resolve) => {
      tree.onDidChangeTreeData((node) => (node === undefined || Array.isArray(node) ? undefined : resolve(node)));
    });
    assert.ok(moved.type === 'request' && moved.request.id === 'r1');
    assert.match(String(tree.getTreeItem(moved).description), /≈ 90 tokens/);
    looks.dispose();
  });

  it('warn once a day if they cost more than the budget, and not before', async () => {
    using _ = stoppedClock(noon());
    const kept = new Map<string, unknown>();
    const warnings: string[] = [];
    let checked = 0;
    const watch = () =>
      watchDailyBudget({
        history: {
          onDidLearnCost: history.onDidLearnCost,
          digest: () => history.digest().finally(() => (checked += 1)),
        },
        budget: () => 1,
        services: { all: [] },
        state: {
          get: (key) => kept.get(key),
          update: async (key, value) => void kept.set(key, value),
        },
        notifier: { warning: (text) => warnings.push(text) },
        onError: (error) => assert.fail(String(error)),
      });
    // Two windows share the stored requests.
    const watches = [watch(), watch()];
    const spend = (id: string, cost: number) => {
      start(id);
      end(id, { cost });
    };
    spend('r1', 0.6);
    await eventually('both have checked', () => checked === 2);
    assert.deepEqual(warnings, []);
    spend('r2', 0.6);
    await eventually('a warning', () => warnings.length > 0);
    await eventually('both have checked again', () => checked === 4);
    spend('r3', 5);
    await history.digest();
    assert.deepEqual(warnings, ["Today's requests cost 1.20, more than your daily budget of 1.00."]);
    for (const each of watches) each.dispose();
  });

  it('are exported completely, as CSV and as JSON Lines with and without bodies', async () => {
    start('r1', { at: Date.UTC(2030, 0, 31, 12), model: '=cmd' });
    end('r1', { requestId: 'req_1', cost: 0.5 });
    start('r2', { at: Date.UTC(2030, 0, 31, 13) });
    const text = async (form: 'csv' | 'jsonl' | 'jsonlWithBodies') => wholeText(exportParts(history, form));
    const csv = (await text('csv')).split('\r\n');
    assert.equal(csv.length, 4);
    assert.match(csv[0] ?? '', /^id,started_at,operation,/);
    assert.match(csv[1] ?? '', /^r2,2030-01-31T13:00:00\.000Z,chat,chat,service,acme\/large,unknown,/);
    assert.match(csv[2] ?? '', /,'=cmd,done,.*,0\.5,req_1$/);
    const lines = (await text('jsonl')).trimEnd().split('\n');
    assert.deepEqual(
      lines.map((line) => JSON.parse(line).id),
      ['r2', 'r1'],
    );
    assert.ok(!lines.join('').includes('Hello there'));
    const [, whole = ''] = (await text('jsonlWithBodies')).trimEnd().split('\n');
    assert.equal(JSON.parse(whole).response.choices[0].message.content, 'Hello there');
    assert.equal(JSON.parse(whole).request.url, 'https://service.test/v1/chat/completions');
  });

  it('open as read-only JSON without a key, and follow a running request', async () => {
    // The extension itself registers this scheme too, so these documents are asked for directly.
    const documents = new RequestDocuments(history, () => 'service');
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
