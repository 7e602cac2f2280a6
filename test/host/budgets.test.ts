import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { RequestStart } from '../../src/core/requests/requestRecord.ts';
import { emptyEntry } from '../../src/core/services/serviceEntry.ts';
import { watchDailyBudget } from '../../src/vscode/requests/dailyBudget.ts';
import { openHistory } from '../../src/vscode/requests/openHistory.ts';
import type { WithheldRequests } from '../../src/vscode/requests/log/withheldRequests.ts';
import type { RequestHistory } from '../../src/vscode/requests/requestHistory.ts';
import { UsagePanel } from '../../src/vscode/requests/usagePanel.ts';
import type { Service } from '../../src/vscode/service/service.ts';
import { useServiceNames } from '../../src/words/modelLabel.ts';
import { eventually } from './eventually.ts';
import { stoppedClock } from './stoppedClock.ts';

describe("A service's own budget", () => {
  const { createWebviewPanel } = vscode.window;
  const onError = (error: unknown) => assert.fail(String(error));
  const changed = new vscode.EventEmitter<void>();
  const services = { all: [] as readonly Service[], onDidChange: changed.event };
  let folder: string;
  let history: RequestHistory;
  let withheld: WithheldRequests;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parlance-budgets-'));
    const limits = () => ({ maxCount: 100_000, maxBytes: 100_000_000 });
    ({ history, withheld } = openHistory({ folder, writer: 'w1', limits, onError }));
    useServiceNames({ service: 'Hosted', two: 'Garage' });
    setBudgets({ service: null, two: 1 });
  });
  afterEach(async () => {
    Object.assign(vscode.window, { createWebviewPanel });
    useServiceNames({});
    history.dispose();
    withheld.dispose();
    await history.flush();
    await rm(folder, { recursive: true, force: true });
  });

  function setBudgets(budgets: Readonly<Record<string, number | null>>): void {
    services.all = Object.entries(budgets).map(
      ([id, dailyBudget]) => ({ id, entry: { value: { ...emptyEntry, id, dailyBudget } } }) as never,
    );
    changed.fire();
  }

  /** What hosts post to panels from now on. */
  function postedToPanels(): readonly unknown[] {
    const posted: unknown[] = [];
    Object.assign(vscode.window, {
      createWebviewPanel: (...given: Parameters<typeof createWebviewPanel>) => {
        const panel = createWebviewPanel(...given);
        const postMessage = (message: unknown) => {
          posted.push(message);
          return Promise.resolve(true);
        };
        Object.defineProperty(panel.webview, 'postMessage', { value: postMessage });
        return panel;
      },
    });
    return posted;
  }

  function spend(id: string, service: string, cost: number, origin: RequestStart['origin'] = { kind: 'chat' }): void {
    const [at, writer] = [Date.now(), 'w1'];
    const model = 'acme/large';
    const own = service === 'service' ? {} : { service };
    const record = {
      type: 'started',
      id,
      writer,
      pid: process.pid,
      at,
      operation: 'chat',
      origin,
      model,
      ...own,
    } as const;
    history.started(record);
    history.sent(record, undefined);
    history.ended({ type: 'ended', id, writer, at, outcome: 'done', metrics: {}, cost }, undefined);
  }

  it('is compared with its own requests only, and warned about once a day by its name', async () => {
    using _ = stoppedClock(new Date().setHours(12, 0, 0, 0));
    const kept = new Map<string, unknown>();
    const warnings: string[] = [];
    let checked = 0;
    const watch = watchDailyBudget({
      history: {
        onDidLearnCost: history.onDidLearnCost,
        digest: () => history.digest().finally(() => (checked += 1)),
      },
      budget: () => 100,
      services,
      state: { get: (key) => kept.get(key), update: async (key, value) => void kept.set(key, value) },
      notifier: { warning: (text) => warnings.push(text) },
      onError,
    });
    spend('r1', 'service', 5);
    spend('r2', 'two', 0.9);
    await eventually('a check of both', () => checked === 2);
    assert.deepEqual(warnings, []);
    spend('r3', 'two', 0.3);
    await eventually('a warning', () => warnings.length > 0);
    spend('r4', 'two', 4);
    await eventually('a check of all', () => checked === 4);
    assert.deepEqual(warnings, ["Today's requests to Garage cost 1.20, more than your daily budget of 1.00."]);
    spend('r5', 'service', 100);
    await eventually('a warning about all', () => warnings.length > 1);
    assert.match(warnings[1] ?? '', /^Today's requests cost 110\.20, more than your daily budget of 100/);
    // Raised on the same day.
    setBudgets({ service: null, two: 6 });
    spend('r6', 'two', 0.1);
    spend('r7', 'two', 1);
    await eventually('a warning about the new one', () => warnings.length > 2);
    assert.deepEqual(warnings.slice(2), ["Today's requests to Garage cost 6.30, more than your daily budget of 6.00."]);
    watch.dispose();
  });

  it('is checked again once the user has voted on a blind question', async () => {
    using _ = stoppedClock(new Date().setHours(12, 0, 0, 0));
    const kept = new Map<string, unknown>();
    const warnings: string[] = [];
    let checked = 0;
    withheld.add('blind', 'question');
    const watch = watchDailyBudget({
      history: {
        onDidLearnCost: history.onDidLearnCost,
        digest: () => history.digest().finally(() => (checked += 1)),
      },
      budget: () => null,
      services,
      state: { get: (key) => kept.get(key), update: async (key, value) => void kept.set(key, value) },
      notifier: { warning: (text) => warnings.push(text) },
      onError,
    });
    spend('r1', 'two', 1.2, { kind: 'experiment', experiment: { id: 'blind', attempt: 'a' } });
    await eventually('a check', () => checked > 0);
    assert.deepEqual(warnings, []);
    withheld.release(['question']);
    await eventually('a warning', () => warnings.length > 0);
    assert.deepEqual(warnings, ["Today's requests to Garage cost 1.20, more than your daily budget of 1.00."]);
    watch.dispose();
  });

  it('is on the open usage page as soon as it changes, like the one for all', async () => {
    const posted = postedToPanels();
    const forAll = new vscode.EventEmitter<number | null>();
    const budget = { value: 10, onDidChange: forAll.event };
    const usage = new UsagePanel({
      extensionUri: vscode.extensions.getExtension('parlance.parlance')?.extensionUri ?? assert.fail(),
      history,
      services,
      budget,
      onError,
      pageLog: { error: onError, debug: () => undefined },
    });
    usage.show();
    spend('r1', 'two', 0.5);
    const says = (words: RegExp) => () => words.test(JSON.stringify(posted.at(-1) ?? null));
    await eventually('the page', says(/"budget":1\}/));
    setBudgets({ service: null, two: 77 });
    await eventually('the new budget', says(/"budget":77\}/));
    budget.value = 88;
    forAll.fire(88);
    await eventually('the new budget of all', says(/"budget":88,/));
    usage.dispose();
  });

  it("doesn't show yesterday as today if the usage page is open at midnight", async () => {
    const posted = postedToPanels();
    const noon = new Date().setHours(12, 0, 0, 0);
    let now = noon;
    const waiting = new Map<() => void, number>();
    const usage = new UsagePanel({
      extensionUri: vscode.extensions.getExtension('parlance.parlance')?.extensionUri ?? assert.fail(),
      history,
      services,
      budget: { value: 10, onDidChange: new vscode.EventEmitter<number | null>().event },
      onError,
      pageLog: { error: onError, debug: () => undefined },
      now: () => now,
      later: (run, delayMs) => {
        waiting.set(run, delayMs);
        return () => waiting.delete(run);
      },
    });
    using _ = stoppedClock(noon);
    usage.show();
    spend('r1', 'two', 0.5);
    const says = (words: RegExp) => () => words.test(JSON.stringify(posted.at(-1) ?? null));
    await eventually('the page', says(/"today":\{"requests":1,/));
    const [[midnight, delayMs] = assert.fail('nobody waits')] = waiting;
    now += delayMs;
    midnight();
    await eventually('the new day', says(/"today":\{"requests":0,/));
    usage.dispose();
    assert.equal(waiting.size, 0);
  });
});
