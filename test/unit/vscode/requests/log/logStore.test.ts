import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { appendFileSync, readdirSync } from 'node:fs';
import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RequestEnd, RequestStart } from '../../../../../src/core/requests/requestRecord.ts';
import { openHistory } from '../../../../../src/vscode/requests/openHistory.ts';
import type { RequestHistory } from '../../../../../src/vscode/requests/requestHistory.ts';
import type { LogLimits } from '../../../../../src/vscode/requests/log/currentLogFile.ts';
import { about, hurried, withFaults } from '../../disk/faultyDisk.ts';
import { failOnFaults } from '../../../../workbench/failOnFaults.ts';

const roomy: LogLimits = { maxCount: 100_000, maxBytes: 100_000_000 };

describe('The request history on disk', () => {
  let folder: string;
  let errors: unknown[];
  let open: RequestHistory[];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parlance-requests-'));
    errors = [];
    open = [];
  });
  afterEach(async () => {
    for (const history of open) {
      history.dispose();
      await history.flush();
    }
    await rm(folder, { recursive: true, force: true });
  });
  failOnFaults('no error was reported', () => errors);

  function windowOf(writer: string, limits: LogLimits = roomy): RequestHistory {
    const onError = (error: unknown) => errors.push(error);
    const { history } = openHistory({ folder, writer, limits: () => limits, onError });
    open.push(history);
    return history;
  }

  async function log(history: RequestHistory, id: string, text = 'Hello', at = Date.now()): Promise<void> {
    const started = startOf(id, at);
    history.started(started);
    history.sent(started, { method: 'POST', url: 'https://service.test/v1/chat/completions', body: { text } });
    history.ended(endOf(id, at + 1000), { text });
    await history.flush();
  }

  /** What clearing it leaves, apart from what today's requests cost. */
  const remaining = async () => (await readdir(folder)).filter((name) => name !== 'deletedToday.json');
  const ids = async (history: RequestHistory) => (await history.requests()).map(({ id }) => id);

  it('returns the newest first, in pages, and says whether there are older ones', async () => {
    const writing = windowOf('w1', { ...roomy, maxCount: 8 * 60 });
    for (let number = 0; number < 250; number += 1) await log(writing, `r${number}`, 'Hello', 1000 + number);
    const history = windowOf('w2');
    const page = await ids(history);
    assert.ok(page.length >= 100 && page.length < 200, String(page.length));
    assert.equal(page[0], 'r249');
    assert.ok(history.hasOlder);
    while (history.hasOlder) await history.loadOlder();
    assert.deepEqual(
      await ids(history),
      Array.from({ length: 250 }, (_, index) => `r${249 - index}`),
    );
  });

  it('deletes the oldest if there are too many, and never more than an eighth too many of them', async () => {
    const history = windowOf('w1', { ...roomy, maxCount: 80 });
    for (let number = 0; number < 300; number += 1) await log(history, `r${number}`, 'Hello', 1000 + number);
    const kept = await ids(windowOf('w2'));
    assert.ok(kept.length <= 80 && kept.length >= 70, String(kept.length));
    assert.equal(kept[0], 'r299');
    const gone = await windowOf('w3').bodies('r0');
    assert.deepEqual(gone, {});
  });

  it('deletes the oldest bodies if they take too much space, and keeps the costs of their requests', async () => {
    const maxBytes = 400_000;
    const history = windowOf('w1', { ...roomy, maxBytes });
    for (let number = 0; number < 100; number += 1) await log(history, `r${number}`, 'x'.repeat(10_000), 1000 + number);
    const bytes = await bytesIn(folder);
    assert.ok(bytes <= maxBytes && bytes >= (maxBytes * 3) / 4, String(bytes));
    const later = windowOf('w2');
    const [sum, ...others] = Object.values(await later.digest()).flatMap((models) => Object.values(models));
    assert.deepEqual([sum?.requests, sum?.cost, others], [100, 50, []]);
    while (later.hasOlder || (await ids(later)).length === 0) await later.loadOlder();
    assert.equal((await ids(later)).length, 100);
    assert.deepEqual(await later.bodies('r0'), {});
    assert.deepEqual((await later.bodies('r99')).response, { text: 'x'.repeat(10_000) });
  });

  it('deletes the oldest requests if they take too much space even without bodies', async () => {
    const maxBytes = 20_000;
    const history = windowOf('w1', { ...roomy, maxBytes });
    for (let number = 0; number < 100; number += 1) await log(history, `r${number}`, 'Hello', 1000 + number);
    const bytes = await bytesIn(folder);
    assert.ok(bytes <= maxBytes && bytes >= maxBytes / 2, String(bytes));
    const kept = await ids(windowOf('w2'));
    assert.deepEqual([kept[0], kept.includes('r0')], ['r99', false]);
  });

  it("keeps what can't be written, reports that once, and writes it as soon as possible", async () => {
    const history = windowOf('w1');
    await hurried(async () => {
      await withFaults({ open: about('.jsonl', 'ENOSPC') }, async () => {
        await log(history, 'r1', 'first');
        await log(history, 'r2', 'a secret');
        assert.equal(errors.splice(0).length, 1);
        await history.delete(['r2']);
      });
      while ((await readdir(folder)).length < 2) await new Promise((resolve) => setTimeout(resolve, 100));
    });
    await history.flush();
    const later = windowOf('w2');
    assert.deepEqual(await ids(later), ['r1'], "one that was deleted meanwhile isn't written");
    assert.deepEqual((await later.bodies('r1')).response, { text: 'first' });
  });

  it('clears what it can if a file is locked, and the rest with the next attempt', async () => {
    const history = windowOf('w1', { ...roomy, maxCount: 8 });
    for (let number = 0; number < 4; number += 1) await log(history, `r${number}`, 'a secret', 1000 + number);
    const [locked = ''] = (await readdir(folder)).filter((name) => name.endsWith('.bodies.jsonl'));
    await hurried(() => withFaults({ rm: about(locked, 'EBUSY') }, () => assert.rejects(history.clear(), /EBUSY/)));
    const left = (await readdir(folder)).filter((name) => name.endsWith('.jsonl'));
    assert.deepEqual(left.toSorted(), [locked, locked.replace('.bodies', '')].toSorted());
    await history.clear();
    assert.deepEqual(await remaining(), []);
  });

  it('still counts what the requests of today cost if their history could only be cleared in part', async () => {
    const history = windowOf('w1', { ...roomy, maxCount: 8 });
    const costs = async () => {
      const sums = Object.values(await history.digest()).flatMap((models) => Object.values(models));
      return sums.reduce((all, { cost, requests }) => [(all[0] ?? 0) + requests, (all[1] ?? 0) + cost], [0, 0]);
    };
    const { now } = Date;
    const noon = new Date(2030, 0, 31, 12).getTime();
    try {
      Date.now = () => noon;
      for (let number = 0; number < 4; number += 1) await log(history, `r${number}`, 'a secret', noon + number);
      assert.deepEqual(await costs(), [4, 2]);
      const [locked = ''] = (await readdir(folder)).filter((name) => name.endsWith('.bodies.jsonl'));
      await hurried(() => withFaults({ rm: about(locked, 'EBUSY') }, () => assert.rejects(history.clear(), /EBUSY/)));
      assert.deepEqual(await costs(), [4, 2]);
      await history.clear();
      assert.deepEqual(await costs(), [4, 2]);
    } finally {
      Date.now = now;
    }
  });

  it("writes a request again in its place if the disk reports a failure although it's there", async () => {
    // The line fills the file.
    const history = windowOf('w1', { ...roomy, maxBytes: 800 });
    let isRefused = false;
    await withFaults(
      {
        write: ([bytes]) => {
          if (isRefused || !String(bytes).includes('"started"')) return undefined;
          isRefused = true;
          appendFileSync(join(folder, readdirSync(folder)[0] ?? ''), String(bytes));
          return 'EIO';
        },
      },
      () => log(history, 'r1'),
    );
    await history.flush();
    const files = await Promise.all((await readdir(folder)).map((name) => readFile(join(folder, name), 'utf8')));
    assert.equal(files.filter((text) => text.includes('"type":"started"')).length, 1);
    assert.deepEqual(
      (await windowOf('w2').requests()).map(({ id, end }) => [id, end?.outcome]),
      [['r1', 'done']],
    );
    assert.equal(errors.splice(0).length, 1);
  });

  it('deletes a request from the disk, and from other windows', async () => {
    const mine = windowOf('w1');
    const theirs = windowOf('w2');
    await log(mine, 'r1', 'keep this');
    await log(mine, 'r2', 'very secret');
    await theirs.requests();
    await mine.delete(['r2']);
    const files = await Promise.all((await readdir(folder)).map((name) => readFile(join(folder, name), 'utf8')));
    assert.ok(!files.join('').includes('very secret'));
    assert.deepEqual(await ids(mine), ['r1']);
    assert.deepEqual(await ids(windowOf('w3')), ['r1']);
    assert.deepEqual((await mine.bodies('r1')).response, { text: 'keep this' });
    await changed(theirs, async () => (await ids(theirs)).length === 1);
  });

  it('deletes a request from other windows, and ends it there, no matter how many files were started since', async () => {
    const mine = windowOf('w1', { ...roomy, maxCount: 8 * 5 });
    const late = startOf('late', 999);
    mine.started(late);
    mine.sent(late, undefined);
    for (let number = 0; number < 35; number += 1) await log(mine, `r${number}`, 'Hello', 1000 + number);
    const files = (await readdir(folder)).filter((name) => /^\d+\.jsonl$/.test(name));
    assert.ok(files.length > 5, String(files));
    const theirs = windowOf('w2');
    assert.equal((await ids(theirs)).length, 36);
    mine.ended(endOf('late', 2000), undefined);
    await mine.flush();
    await changed(theirs, () => theirs.find('late')?.end !== undefined);
    await mine.requests();
    await mine.delete(['r0']);
    await changed(theirs, async () => !(await ids(theirs)).includes('r0'));
    assert.equal((await ids(theirs)).length, 35);
  });

  it('deletes a request from the disk that another window finishes writing only afterward', async () => {
    const mine = windowOf('w1');
    const theirs = windowOf('w2');
    const started = startOf('r1', Date.now());
    await withFaults({ open: about('.bodies.jsonl', 'ENOSPC') }, async () => {
      theirs.started(started);
      theirs.sent(started, { method: 'POST', url: 'https://service.test/v1', body: { text: 'very secret' } });
      await theirs.flush();
    });
    assert.deepEqual(await ids(mine), ['r1']);
    await mine.delete(['r1']);
    theirs.ended(endOf('r1', Date.now()), { text: 'very secret too' });
    await theirs.flush();
    const names = await readdir(folder);
    const files = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
    assert.doesNotMatch(files.join(''), /very secret|"ended"/);
    assert.equal(names.filter((name) => name.endsWith('.jsonl')).length, 2, 'its rows and its bodies');
    assert.equal(errors.splice(0).length, 1, 'the disk had no room for a while');
  });

  it("deletes a request from the disk that another window writes to while it's deleted", async () => {
    const mine = windowOf('w1');
    const theirs = windowOf('w2');
    const started = startOf('r1', Date.now());
    theirs.started(started);
    theirs.sent(started, { method: 'POST', url: 'https://service.test/v1', body: { text: 'a question' } });
    await theirs.flush();
    assert.deepEqual(await ids(mine), ['r1']);
    let isBegun = false;
    // Between the moment its lines are blanked and the moment the others are notified.
    await withFaults(
      {
        write: ([bytes]) => {
          if (isBegun || !String(bytes).includes('"deleted"')) return undefined;
          isBegun = true;
          const bodies = readdirSync(folder).find((name) => name.includes('bodies')) ?? '';
          appendFileSync(join(folder, bodies), '\n{"id":"r1","part":"request","content":{"text":"very secret"}}\n');
          return undefined;
        },
      },
      () => mine.delete(['r1']),
    );
    assert.ok(isBegun);
    const files = await Promise.all((await readdir(folder)).map((name) => readFile(join(folder, name), 'utf8')));
    assert.doesNotMatch(files.join(''), /very secret/);
  });

  it('clears the history for every window, and continues afterwards', async () => {
    const mine = windowOf('w1');
    const theirs = windowOf('w2');
    await log(mine, 'r1');
    const running = startOf('running', Date.now());
    theirs.started(running);
    theirs.sent(running, undefined);
    await theirs.requests();
    await theirs.flush();
    await mine.clear();
    assert.deepEqual(await remaining(), []);
    theirs.ended(endOf('running', Date.now()), { text: 'late' });
    await theirs.flush();
    await changed(theirs, async () => !(await ids(theirs)).includes('r1'));
    assert.deepEqual(await ids(windowOf('w3')), []);
    await log(theirs, 'r2');
    assert.deepEqual(await ids(windowOf('w4')), ['r2']);
  });

  it('shows no running request of a window that is gone, even if this one has its process ID', async () => {
    const gone = windowOf('w1');
    const left = { ...startOf('left', Date.now()), writer: 'w1' };
    gone.started(left);
    gone.sent(left, undefined);
    await gone.flush();
    const mine = windowOf('w2');
    const own = { ...startOf('own', Date.now() - 3_600_000), writer: 'w2' };
    mine.started(own);
    const elsewhere = { ...startOf('elsewhere', Date.now()), writer: 'w3', pid: process.ppid };
    mine.started(elsewhere);
    const states = (await mine.requests()).map((request) => [request.id, mine.stateOf(request)]);
    assert.deepEqual(Object.fromEntries(states), { left: 'unknown', own: 'running', elsewhere: 'running' });
    assert.deepEqual(
      mine.own().map(({ id }) => id),
      ['own'],
    );
  });

  it("leaves no bodies of a history that another window clears while they're written", async () => {
    const [mine, other] = [windowOf('w1'), windowOf('w2')];
    for (let number = 0; number < 10; number += 1) {
      await log(mine, `r${number}`);
      mine.ended(endOf(`r${number}`, 2000), { text: 'Late' });
      await Promise.all([other.clear(), mine.flush()]);
      assert.deepEqual(await remaining(), []);
    }
  });

  it('clears what only has bodies left', async () => {
    await writeFile(join(folder, '000000000000001.bodies.jsonl'), '{"id":"r1"}');
    await windowOf('w1').clear();
    assert.deepEqual(await remaining(), []);
  });

  it('also deletes incomplete lines of a request, in the middle of a file and at its end', async () => {
    const history = windowOf('w1');
    await log(history, 'r1');
    const [name = ''] = (await readdir(folder)).filter((file) => file.includes('bodies'));
    const torn = '\n{"id":"r1","part":"request","content":{"body":{"text":"a secr';
    await appendFile(join(folder, name), torn);
    await log(history, 'r2');
    await appendFile(join(folder, name), torn);
    await history.delete(['r1']);
    const bodies = await readFile(join(folder, name), 'utf8');
    assert.equal(bodies.includes('a secr'), false);
    assert.deepEqual(await ids(windowOf('w2')), ['r2']);
  });

  it('is empty after it was cleared, even if nobody had read it', async () => {
    const mine = windowOf('w1');
    await log(mine, 'r1');
    await mine.clear();
    assert.equal(mine.find('r1'), undefined);
    assert.deepEqual(await ids(mine), []);
    await log(mine, 'r2');
    await windowOf('w2').clear();
    await changed(mine, () => mine.find('r2') === undefined);
  });

  it("reports that something couldn't be deleted from the disk, and keeps it in the list", async () => {
    const history = windowOf('w1');
    await log(history, 'r1');
    const [bodies = ''] = (await readdir(folder)).filter((file) => file.includes('bodies'));
    await rm(join(folder, bodies));
    await mkdir(join(folder, bodies));
    await assert.rejects(history.delete(['r1']), { code: 'EISDIR' });
    assert.ok(history.find('r1') !== undefined);
    await assert.rejects(history.clear());
    await rm(join(folder, bodies), { recursive: true });
    await log(history, 'r2');
    assert.deepEqual(await ids(history), ['r2', 'r1']);
  });

  it('includes in its sums what ended before they were requested, whoever else sums', async () => {
    const history = windowOf('w1');
    for (let number = 1; number <= 30; number += 1) {
      const first = history.digest();
      const logged = log(history, `r${number}`);
      const sums = history.digest();
      await logged;
      assert.match(JSON.stringify(await sums), new RegExp(`"requests":${number},`));
      await first;
    }
  });

  it('notifies callers that ask for figures while a first sum is being calculated', async () => {
    await log(windowOf('w1'), 'r1');
    const history = windowOf('w2');
    const sums = history.digest();
    const told = new Promise<void>((resolve) => history.onDidChange(resolve));
    assert.equal(history.figures('a/one'), undefined);
    await sums;
    await told;
  });

  it('sees what another window sends, and how it ends', async () => {
    const mine = windowOf('w1');
    const theirs = windowOf('w2');
    await mine.requests();
    const started = startOf('r1', Date.now());
    theirs.started(started);
    theirs.sent(started, undefined);
    await changed(mine, () => mine.find('r1') !== undefined);
    assert.equal(mine.find('r1')?.end, undefined);
    theirs.ended(endOf('r1', Date.now()), undefined);
    await changed(mine, () => mine.find('r1')?.end !== undefined);
  });

  it('skips incomplete and foreign lines, and keeps them', async () => {
    await log(windowOf('w1'), 'r1');
    const [name = ''] = (await readdir(folder)).filter((file) => !file.includes('bodies'));
    await appendFile(join(folder, name), '\n{"type":"started","id":"to');
    await log(windowOf('w2'), 'r2');
    await appendFile(join(folder, name), '\n{"type":"fromTheFuture"}\nnot json\n');
    assert.deepEqual((await ids(windowOf('w3'))).toSorted(), ['r1', 'r2']);
    assert.match(await readFile(join(folder, name), 'utf8'), /"id":"to\n[^]*not json/);
  });

  it('keeps what the requests of today cost if they are deleted, for a budget, and not how fast they were', async () => {
    const { now } = Date;
    const noon = new Date(2030, 0, 31, 12).getTime();
    const sumsOf = async (history: RequestHistory) =>
      Object.fromEntries(
        Object.entries(await history.digest()).map(([day, models]) => {
          const [sum, ...others] = Object.values(models);
          return [day, [sum?.requests, sum?.cost, sum?.speeds.length, sum?.replies, others.length]];
        }),
      );
    const spend = async (history: RequestHistory, id: string, at: number) => {
      const started = startOf(id, at);
      history.started(started);
      history.sent(started, undefined);
      const metrics = {
        timeToFirstTokenSeconds: { value: 0.3, from: 'service' },
        completionTokens: { value: 10, from: 'service' },
      } as const;
      history.ended({ ...endOf(id, at + 1000), metrics }, undefined);
      await history.flush();
    };
    try {
      Date.now = () => noon;
      const history = windowOf('w1');
      await spend(history, 'before', noon - 24 * 60 * 60 * 1000);
      for (const id of ['r1', 'r2', 'r3']) await spend(history, id, noon);
      await history.delete(['before', 'r1']);
      assert.deepEqual(await sumsOf(history), { '2030-01-31': [3, 1.5, 2, 2, 0] });
      assert.deepEqual(await sumsOf(windowOf('w2')), { '2030-01-31': [3, 1.5, 2, 2, 0] });
      await windowOf('w2').clear();
      assert.deepEqual(await sumsOf(history), { '2030-01-31': [3, 1.5, 0, 0, 0] });
      await spend(history, 'r4', noon);
      assert.deepEqual(await sumsOf(windowOf('w3')), { '2030-01-31': [4, 2, 1, 1, 0] });
      await history.clear();
      assert.deepEqual(await sumsOf(history), { '2030-01-31': [4, 2, 0, 0, 0] });
      assert.deepEqual(await ids(windowOf('w4')), []);
      Date.now = () => noon + 24 * 60 * 60 * 1000;
      assert.deepEqual(await sumsOf(history), {});
      assert.deepEqual((await readdir(folder)).includes('deletedToday.json'), false);
    } finally {
      Date.now = now;
    }
  });

  it('has the same sums with an index, without one, and with a damaged one', async () => {
    const writing = windowOf('w1', { ...roomy, maxCount: 80 });
    for (let number = 0; number < 60; number += 1) await log(writing, `r${number}`);
    const sums = JSON.stringify(await windowOf('w2').digest());
    assert.match(sums, /"requests":60,/);
    const index = join(folder, 'index.json');
    assert.equal(JSON.stringify(await windowOf('w3').digest()), sums);
    await writeFile(index, '{"half');
    assert.equal(JSON.stringify(await windowOf('w4').digest()), sums);
    await rm(index);
    assert.equal(JSON.stringify(await windowOf('w5').digest()), sums);
  });

  it('sums up by the days of the time zone that the machine is in now', async () => {
    const { TZ } = process.env;
    try {
      process.env['TZ'] = 'Pacific/Kiritimati';
      const writing = windowOf('w1', { ...roomy, maxCount: 80 });
      const noon = Date.UTC(2030, 0, 30, 12);
      for (let number = 0; number < 30; number += 1) await log(writing, `r${number}`, 'Hello', noon + number);
      assert.deepEqual(Object.keys(await windowOf('w2').digest()), ['2030-01-31']);
      process.env['TZ'] = 'America/New_York';
      assert.deepEqual(Object.keys(await windowOf('w3').digest()), ['2030-01-30']);
      assert.match(await readFile(join(folder, 'index.json'), 'utf8'), /New_York/);
    } finally {
      if (TZ === undefined) delete process.env['TZ'];
      else process.env['TZ'] = TZ;
    }
  });

  it('sums new requests even if files were finished, started, and deleted in the meantime', async () => {
    const history = windowOf('w1', { ...roomy, maxCount: 40 });
    for (let number = 0; number < 100; number += 1) {
      await log(history, `r${number}`, 'Hello', Date.now() + number);
      if (number % 3 > 0) continue;
      const anew = windowOf(`reader${number}`);
      assert.deepEqual(await history.digest(), await anew.digest());
      anew.dispose();
    }
  });

  it("reads and writes nothing before it's needed", async () => {
    const untouched = windowOf('w1');
    await rm(folder, { recursive: true });
    await untouched.flush();
    await assert.rejects(readdir(folder), { code: 'ENOENT' });
    await log(untouched, 'r1');
    assert.equal((await readdir(folder)).length, 2);
  });

  it('loses only the request in flight when two windows write at once and one is killed', async () => {
    const script = new URL('../requestWriter.ts', import.meta.url);
    const children = ['a', 'b'].map((name) => fork(script, [folder, name, '300'], { silent: true }));
    const exits = children.map((child) => new Promise((resolve) => child.once('exit', resolve)));
    const [first] = children;
    let told = 0;
    await new Promise((resolve) =>
      first?.on('message', (count) => {
        told = Number(count);
        if (told === 100) resolve(undefined);
      }),
    );
    first?.kill('SIGKILL');
    await Promise.all(exits);
    const reader = windowOf('reader');
    await reader.requests();
    while (reader.hasOlder) await reader.loadOlder();
    const requests = await reader.requests();
    const ofFirst = requests.filter(({ model }) => model?.startsWith('a/'));
    assert.equal(requests.filter(({ model, end }) => model?.startsWith('b/') && end !== undefined).length, 300);
    const ended = ofFirst.filter(({ end }) => end !== undefined);
    assert.ok(ended.length >= told && ended.length <= told + 1, `${ended.length} of ${told}`);
    assert.ok(ofFirst.length - ended.length <= 1);
    // The one in flight might lack its response.
    for (const { id, model = '' } of ended.filter((request) => Number(request.model?.slice('a/'.length)) <= told)) {
      const { request, response } = await reader.bodies(id);
      const words = model.replace('/', ' ');
      assert.ok(JSON.stringify(request).includes(`"${words} x`) && JSON.stringify(response).includes(`"${words} x`));
    }
  });
});

function startOf(id: string, at: number): RequestStart {
  return {
    type: 'started',
    id,
    writer: 'w',
    pid: process.pid,
    at,
    operation: 'chat',
    origin: { kind: 'chat' },
    model: 'local/echo',
  };
}

function endOf(id: string, at: number): RequestEnd {
  const metrics = { totalSeconds: { value: 1, from: 'here' } } as const;
  return { type: 'ended', id, writer: 'w', at, outcome: 'done', metrics, cost: 0.5 };
}

async function bytesIn(folder: string): Promise<number> {
  const sizes = (await readdir(folder)).map(async (name) => (await stat(join(folder, name))).size);
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

/** Waits for changes that a window notices on its own. */
async function changed(history: RequestHistory, isSo: () => boolean | Promise<boolean>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const check = async () => {
    if (await isSo()) resolve();
  };
  const subscription = history.onDidChangeRequests(() => void check());
  await check();
  await promise;
  subscription.dispose();
}
