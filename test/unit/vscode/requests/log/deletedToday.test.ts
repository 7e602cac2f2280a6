import assert from 'node:assert/strict';
import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { usageOn } from '../../../../../src/core/requests/usageView.ts';
import type { RequestEnd, RequestStart } from '../../../../../src/core/requests/requestRecord.ts';
import type { OpenHistory } from '../../../../../src/vscode/requests/openHistory.ts';
import type { RequestHistory } from '../../../../../src/vscode/requests/requestHistory.ts';
import { useServiceNames } from '../../../../../src/words/modelLabel.ts';
import { about, hurried, withFaults } from '../../disk/faultyDisk.ts';
import { HistoryWindows } from './historyWindows.ts';

const day = '2030-01-31';
const noon = new Date(2030, 0, 31, 12).getTime();

describe("What today's requests cost", () => {
  const { now } = Date;
  const windows = new HistoryWindows();
  const windowOf = (writer: string, maxCount?: number): OpenHistory =>
    windows.open(writer, maxCount === undefined ? {} : { maxCount });

  beforeEach(() => {
    Date.now = () => noon;
    useServiceNames({ service: 'Hosted', two: 'Garage' });
  });
  afterEach(() => {
    Date.now = now;
    useServiceNames({});
  });

  /** @param experiment its ID, for a blind question */
  async function begin(history: RequestHistory, id: string, experiment?: string): Promise<void> {
    const origin = experiment === undefined ? {} : { experiment: { id: experiment, attempt: id } };
    const started: RequestStart = {
      type: 'started',
      id,
      writer: 'w',
      pid: process.pid,
      at: Date.now(),
      operation: 'chat',
      origin: { kind: 'other', ...origin },
      service: 'two',
      model: 'local/echo',
    };
    history.started(started);
    history.sent(started, { method: 'POST', url: 'https://service.test/v1', body: {} });
    await history.flush();
  }

  async function end(history: RequestHistory, id: string): Promise<void> {
    const metrics = { totalSeconds: { value: 1, from: 'here' } } as const;
    const ended: RequestEnd = { type: 'ended', id, writer: 'w', at: Date.now(), outcome: 'done', metrics, cost: 0.5 };
    history.ended(ended, { text: 'Hello' });
    await history.flush();
  }

  async function spend(history: RequestHistory, id: string, experiment?: string): Promise<void> {
    await begin(history, id, experiment);
    await end(history, id);
  }

  /** The number of requests and their cost. */
  async function costs(service?: string): Promise<readonly [number, number]> {
    const { requests, cost } = usageOn(await windowOf('reader').history.digest(), day, service);
    return [requests, cost];
  }

  it('still counts if there are too many of them, or too many to keep any of yesterday', async () => {
    const { history } = windowOf('w1', 10);
    Date.now = () => noon - 24 * 60 * 60 * 1000;
    for (let number = 0; number < 5; number += 1) await spend(history, `before${number}`);
    Date.now = () => noon;
    for (let number = 0; number < 30; number += 1) await spend(history, `r${number}`);
    assert.ok((await windowOf('w2').history.requests()).length <= 10);
    assert.deepEqual(await costs(), [30, 15]);
    assert.deepEqual(await costs('two'), [30, 15]);
    await history.requests();
    await history.delete(['r29']);
    await history.clear();
    assert.deepEqual(await costs(), [30, 15]);
  });

  it('counts once if two windows delete the oldest at once', async () => {
    const [{ history: one }, { history: other }] = [windowOf('w1', 10), windowOf('w2', 10)];
    for (let number = 0; number < 15; number += 1) {
      await Promise.all([spend(one, `a${number}`), spend(other, `b${number}`)]);
    }
    assert.deepEqual(await costs(), [30, 15]);
  });

  it('counts at the end of one that ran when the history was cleared, or when it was deleted', async () => {
    const [{ history: mine }, { history: theirs }] = [windowOf('w1'), windowOf('w2')];
    for (const id of ['r1', 'r2']) {
      await begin(mine, id);
      await begin(theirs, `${id} there`);
    }
    assert.deepEqual(await costs(), [4, 0]);
    await mine.requests();
    await mine.delete(['r1 there']);
    await end(theirs, 'r1 there');
    await end(mine, 'r1');
    assert.deepEqual(await costs(), [4, 1]);
    await mine.clear();
    assert.deepEqual(await costs(), [4, 1]);
    await end(mine, 'r2');
    await end(theirs, 'r2 there');
    assert.deepEqual(await costs(), [4, 2]);
    await theirs.clear();
    assert.deepEqual(await costs(), [4, 2]);
  });

  it('counts if nothing of it, or only its start, was on disk when the history was cleared', async () => {
    const { history } = windowOf('w1');
    await begin(history, 'started');
    await hurried(() =>
      withFaults({ open: about('.jsonl', 'ENOSPC') }, async () => {
        await spend(history, 'whole');
        await end(history, 'started');
        await begin(history, 'running');
        await history.clear();
      }),
    );
    assert.equal(windows.errors.splice(0).length, 1);
    assert.deepEqual(await costs(), [3, 1]);
    await end(history, 'running');
    assert.deepEqual(await costs(), [3, 1.5]);
    await history.clear();
    assert.deepEqual(await costs(), [3, 1.5]);
  });

  it('counts if it was deleted before it could be written', async () => {
    const { history } = windowOf('w1');
    await hurried(() =>
      withFaults({ open: about('.jsonl', 'ENOSPC') }, async () => {
        await spend(history, 'whole');
        await begin(history, 'running');
        await history.delete(['whole', 'running']);
      }),
    );
    assert.equal(windows.errors.splice(0).length, 1);
    await end(history, 'running');
    assert.deepEqual(await costs(), [2, 1]);
  });

  it("counts once, and is deleted, if the disk reported a failure although it's there", async () => {
    const { history } = windowOf('w1');
    /** With the rows. */
    const file = () =>
      join(windows.folder, readdirSync(windows.folder).find((name) => /^\d+\.jsonl$/.test(name)) ?? '');
    const write = ([bytes]: readonly unknown[]) => {
      if (!String(bytes).includes('"started"')) return undefined;
      appendFileSync(file(), String(bytes));
      return 'EIO';
    };
    await withFaults({ write }, async () => {
      await spend(history, 'r1');
      await history.delete(['r1']);
      assert.doesNotMatch(readFileSync(file(), 'utf8'), /"started"/);
      await spend(history, 'r2');
      await history.clear();
    });
    assert.equal(windows.errors.splice(0).length, 1);
    assert.deepEqual(await costs(), [2, 1]);
  });

  it('counts at the end of one that was the oldest of too many', async () => {
    const { history } = windowOf('w1', 10);
    await begin(history, 'long');
    for (let number = 0; number < 15; number += 1) await spend(history, `r${number}`);
    assert.deepEqual(await costs(), [16, 7.5]);
    await end(history, 'long');
    assert.deepEqual(await costs(), [16, 8]);
  });

  it("counts for a blind question's service once the vote is in, even if it was deleted before", async () => {
    const { history, withheld } = windowOf('w1');
    withheld.add('e1', 'question');
    await spend(history, 'blind1', 'e1');
    await begin(history, 'blind2', 'e1');
    await history.clear();
    await end(history, 'blind2');
    assert.deepEqual(await costs(), [2, 1]);
    assert.deepEqual(await costs('two'), [0, 0]);
    withheld.release(['question']);
    await history.flush();
    assert.deepEqual(await costs(), [2, 1]);
    assert.deepEqual(await costs('two'), [2, 1]);
  });
});
