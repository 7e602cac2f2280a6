import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { refParts } from '../../../../../src/shared/modelRef.ts';
import { isBlindModel } from '../../../../../src/core/requests/requestDigest.ts';
import { usageView } from '../../../../../src/core/requests/usageView.ts';
import { exportParts } from '../../../../../src/vscode/requests/exportParts.ts';
import { processMark } from '../../../../../src/vscode/disk/processMark.ts';
import type { OpenHistory } from '../../../../../src/vscode/requests/openHistory.ts';
import type { RequestHistory } from '../../../../../src/vscode/requests/requestHistory.ts';
import { localDay } from '../../../../../src/vscode/platform/localDay.ts';
import { HistoryWindows } from './historyWindows.ts';

describe('Requests of a blind question', () => {
  const windows = new HistoryWindows();
  const windowOf = (writer: string, mark?: string): OpenHistory =>
    windows.open(writer, mark === undefined ? {} : { mark });

  async function log(history: RequestHistory, id: string, ref: string, experiment?: string): Promise<void> {
    const { service, model } = refParts(ref);
    const [at, writer] = [Date.now(), 'w1'];
    const origin =
      experiment === undefined ? { kind: 'chat' } : { kind: 'experiment', experiment: { id: experiment, attempt: id } };
    const started = {
      type: 'started',
      id,
      writer,
      pid: process.pid,
      at,
      operation: 'chat',
      origin,
      service,
      model,
    } as const;
    const metrics = {
      completionTokens: { value: 7, from: 'service' },
      tokensPerSecond: { value: 50, from: 'service' },
    } as const;
    history.started(started as never);
    history.sent(started as never, undefined);
    history.ended({ type: 'ended', id, writer, at: at + 1, outcome: 'done', metrics, cost: 1 }, undefined);
    await history.flush();
  }

  /** What a window says about models. */
  async function told(history: RequestHistory) {
    const listed = (await history.requests()).map(({ id }) => id).toSorted();
    const found = ['chat', 'blind1', 'blind2'].filter((id) => history.find(id) !== undefined);
    const today = localDay(Date.now());
    const usage = usageView(await history.digest(), [today], null);
    const rows = usage.ranges.today.map(({ model, isBlind, requests }) => [isBlind ? 'blind' : model, requests]);
    const replies = ['a', 'b'].map((model) => history.figures(model)?.ratedCount);
    const exported = (await text(exportParts(history, 'csv'))).trim().split('\n').length - 1;
    return { listed, found, rows, replies, exported, requests: usage.today.requests, cost: usage.today.cost };
  }

  it('reveal no model before the vote, in any window, and from the start of the next one, but count', async () => {
    const { history: first, withheld } = windowOf('w1');
    await log(first, 'chat', 'a');
    const { history: beside } = windowOf('w2');
    await told(beside);
    withheld.add('e1', 'question');
    await log(first, 'blind1', 'a', 'e1');
    withheld.add('e2', 'question');
    await log(first, 'blind2', 'b', 'e2');
    const hidden = {
      listed: ['chat'],
      found: ['chat'],
      rows: [
        ['blind', 2],
        ['a', 1],
      ],
      replies: [1, undefined],
      exported: 1,
      requests: 3,
      cost: 3,
    };
    assert.deepEqual(await told(first), hidden);
    const { history: restarted, withheld: still } = windowOf('w3');
    assert.deepEqual(await told(restarted), hidden);
    assert.ok(restarted.withholdsAny && still.hasQuestion('question'));
    const seen = new Promise<void>((resolve) => beside.onDidChangeRequests(resolve));
    still.release(['question', 'another one']);
    await restarted.flush();
    await seen;
    const shown = {
      listed: ['blind1', 'blind2', 'chat'],
      found: ['chat', 'blind1', 'blind2'],
      rows: [
        ['a', 2],
        ['b', 1],
      ],
      replies: [2, 1],
      exported: 3,
      requests: 3,
      cost: 3,
    };
    for (const history of [restarted, windowOf('w4').history]) assert.deepEqual(await told(history), shown);
    await withheld.read();
    assert.equal(withheld.hasQuestion('question'), false);
    assert.equal(restarted.withholdsAny, false);
    const caught = async (): Promise<void> => {
      if ((await beside.requests()).length === 3) return;
      await new Promise<void>((resolve) => beside.onDidChangeRequests(resolve));
      return caught();
    };
    await caught();
  });

  it('are shown once the last of the windows that show the question has left it, and right after the vote in one of them', async () => {
    // Of another process that runs, and of one that doesn't.
    const other = processMark().replace(/^\d+/, String(process.ppid));
    const gone = processMark().replace(/^\d+/, '999999999');
    const { history, withheld: first } = windowOf('w1');
    const { withheld: second } = windowOf('w2', other);
    const { withheld: third } = windowOf('w3', gone);
    const shown = async () => (await history.requests()).map(({ id }) => id);
    const changed = (of: typeof first) => new Promise<void>((resolve) => of.onDidChange(resolve));
    for (const id of ['left', 'voted']) {
      first.add(`e-${id}`, id);
      await log(history, id, 'a', `e-${id}`);
      for (const window of [second, third]) {
        window.join(id);
        await window.settled();
      }
    }
    first.leave(['left']);
    await first.settled();
    assert.deepEqual(await shown(), []);
    const news = [changed(first), changed(third)];
    second.leave(['left', 'a question of nobody']);
    await Promise.all(news);
    assert.deepEqual(await shown(), ['left']);
    assert.ok(first.hasQuestion('voted'));
    const more = [changed(second), changed(third)];
    first.release(['voted']);
    await Promise.all(more);
    assert.deepEqual(await shown(), ['voted', 'left']);
    assert.ok([first, second, third].every((window) => window.isEmpty));
    // Nobody withholds it again.
    second.join('voted');
    await second.settled();
    assert.ok(second.isEmpty);
  });

  it('in two services are one row of Usage by service', async () => {
    const { history, withheld } = windowOf('w1');
    withheld.add('e1', 'question');
    await log(history, 'blind1', 'a', 'e1');
    await log(history, 'chat', 'two::b');
    await log(history, 'blind2', 'two::b', 'e1');
    const today = localDay(Date.now());
    const digest = await history.digest();
    // With a model of each service, a row for each would have the tokens and the cost of its reply.
    assert.equal(Object.keys(digest[today] ?? {}).filter(isBlindModel).length, 1);
    const { services } = usageView(digest, [today], null);
    assert.deepEqual(
      services?.today.map(({ isBlind, requests }) => [isBlind, requests]),
      [
        [true, 2],
        [undefined, 1],
      ],
    );
  });

  it('are shown if the list of what is withheld is damaged, which is reported', async () => {
    const { history, withheld } = windowOf('w1');
    withheld.add('e1', 'question');
    await log(history, 'blind1', 'a', 'e1');
    withheld.dispose();
    await writeFile(join(windows.folder, 'withheld.json'), '{"half');
    assert.deepEqual((await windowOf('w2').history.requests()).length, 1);
    assert.match(String(windows.errors.splice(0)), /withheld\.json is damaged/);
  });
});
