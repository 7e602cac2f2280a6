import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RequestStart } from '../../src/core/requests/requestRecord.ts';
import { openHistory } from '../../src/vscode/requests/openHistory.ts';
import type { WithheldRequests } from '../../src/vscode/requests/log/withheldRequests.ts';
import type { RequestHistory } from '../../src/vscode/requests/requestHistory.ts';
import { serviceNamesKey, type StatusFacts } from '../../src/vscode/statusBar/statusItem.ts';
import { watchStatus } from '../../src/vscode/statusBar/watchStatus.ts';
import { useServiceNames } from '../../src/words/modelLabel.ts';
import { eventually } from './eventually.ts';
import { MemoryMemento } from './memoryMemento.ts';

describe('The item in the status bar', () => {
  let told: StatusFacts | undefined;
  let history: RequestHistory;
  let withheld: WithheldRequests;
  let named: unknown[];
  let state: MemoryMemento;
  const closing: (() => unknown)[] = [];

  beforeEach(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'parlance-status-'));
    const onError = (error: unknown) => assert.fail(String(error));
    const limits = () => ({ maxCount: 100_000, maxBytes: 100_000_000 });
    ({ history, withheld } = openHistory({ folder, writer: 'w1', limits, onError }));
    told = undefined;
    named = [];
    state = new MemoryMemento();
    const item = {
      tell: (facts: StatusFacts) => (told = facts),
      nameServices: (...names: readonly unknown[]) => void named.push(names),
    };
    const watch = watchStatus({ history, item, state, onError });
    closing.push(
      () => watch.dispose(),
      () => history.dispose(),
      () => withheld.dispose(),
      () => history.flush(),
      () => rm(folder, { recursive: true, force: true }),
    );
  });
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
  });

  it('keeps the names of the services for the next start', async () => {
    try {
      const first = [{ service: 'Hosted', two: 'Garage' }, { gone: 'Attic' }] as const;
      useServiceNames(...first);
      assert.deepEqual(named.at(-1), first);
      await eventually('the names', () => JSON.stringify(state.get(serviceNamesKey)) === JSON.stringify(first));
    } finally {
      useServiceNames({});
    }
    assert.deepEqual(named.at(-1), [{}, {}]);
  });

  function start(id: string, facts: Partial<RequestStart> = {}): void {
    history.started({
      type: 'started',
      id,
      writer: 'w1',
      pid: process.pid,
      at: 1000,
      operation: 'chat',
      origin: { kind: 'chat' },
      model: 'acme/large',
      ...facts,
    });
  }

  function end(id: string): void {
    const metrics = {
      timeToFirstTokenSeconds: { value: 0.312, from: 'here' },
      promptTokens: { value: 412, from: 'service' },
      completionTokens: { value: 261, from: 'service' },
    } as const;
    history.ended({ type: 'ended', id, writer: 'w1', at: 2000, outcome: 'done', metrics }, undefined);
  }

  it('spins while a request of this window runs, then shows the speed of the last reply', async () => {
    start('r1');
    await eventually('it spins', () => told?.isRunning === true);
    assert.deepEqual(
      told?.lines.filter((line) => line.startsWith('Last reply')),
      [],
    );
    end('r1');
    await eventually('it stops spinning', () => told?.isRunning === false);
    assert.match(told?.lines[0] ?? '', /^Last reply: 0\.31 s° first token · 412 → 261 tokens \(acme.{1,2}large\)$/);
  });

  it("doesn't spin for a request that an earlier window left, even one with the same process ID", async () => {
    start('left', { writer: 'w0' });
    start('r1', { model: 'acme/small', at: 500 });
    end('r1');
    await eventually('it was told', () => told !== undefined);
    assert.equal(told?.isRunning, false);
    assert.match(told?.lines[0] ?? '', /^Last reply: .*small/);
  });

  it("doesn't name the model of a withheld request, but spins for it", async () => {
    withheld.add('blind', 'question');
    start('r1', { origin: { kind: 'experiment', experiment: { id: 'blind', attempt: 'a' } } });
    await eventually('it spins', () => told?.isRunning === true);
    end('r1');
    await eventually('it stops spinning', () => told?.isRunning === false);
    const replies = () => told?.lines.filter((line) => line.startsWith('Last reply')) ?? [];
    assert.deepEqual(replies(), []);
    withheld.release(['question']);
    await eventually('the last reply', () => replies().length === 1);
  });
});
