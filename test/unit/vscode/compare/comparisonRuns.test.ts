import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiError } from '../../../../src/api/apiError.ts';
import { blindStage } from '../../../../src/core/compare/blindTurn.ts';
import { type ComparedTurn, Comparison } from '../../../../src/core/compare/comparison.ts';
import type { ApiFailure } from '../../../../src/shared/apiFailure.ts';
import { ComparisonRuns } from '../../../../src/vscode/compare/comparisonRuns.ts';
import { storedTurns } from '../../../../src/vscode/compare/storedComparisons.ts';
import { type Experiments, openExperiments } from '../../../../src/vscode/experiments/openExperiments.ts';
import { RequestsHere } from '../requests/requestsHere.ts';

describe('The runs of a comparison', () => {
  let here: RequestsHere;
  let folder: string;
  let experiments: Experiments;

  before(async () => {
    here = await RequestsHere.start();
  });
  after(() => here.stop());
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parlance-comparisons-'));
    experiments = openExperiments(opened());
  });
  afterEach(async () => {
    await experiments.store.stop();
    await here.clear();
    await rm(folder, { recursive: true, force: true });
  });

  function opened(): Parameters<typeof openExperiments>[0] {
    const { calls } = here.window();
    return {
      folder,
      find: () => undefined,
      hostOf: () => 'a.test',
      replyTokensOf: () => undefined,
      callsFor: (model, origin) => calls.from(origin).forModel(model),
      clean: (data) => data,
      cleanBody: (data) => data,
      onError: (error) => assert.fail(String(error)),
      onUnsaved: (error) => assert.fail(String(error)),
    };
  }

  const columns = [
    { id: 'a', model: 'local/echo' },
    { id: 'b', model: 'local/echo' },
  ];
  const turn = (id: string): ComparedTurn => ({
    id,
    at: 1,
    text: id,
    attachments: [],
    content: id,
    order: 'allAtOnce',
    columns: ['a', 'b'],
    isBlind: false,
  });
  const setup = { options: {}, order: 'allAtOnce' } as const;
  const watch = { onReply: () => undefined, onGrew: () => undefined };
  const nothing = () => undefined;

  for (const [what, spoil] of Object.entries({
    "can't be read": async (file: string) => {
      await rm(file);
      await mkdir(file);
    },
    'was deleted': (file: string) => rm(file),
  })) {
    it(`leave no reply waiting for its turn when their file ${what}, and can be sent again`, async () => {
      const comparison = new Comparison(crypto.randomUUID(), columns);
      const spoiled = new ComparisonRuns(
        comparison,
        {
          ...experiments,
          start: async (...given) => {
            const [name = ''] = await readdir(folder);
            await spoil(join(folder, name));
            return experiments.start(...given);
          },
        },
        watch,
      );
      await spoiled.send(turn('t1'), columns, setup, nothing).catch(nothing);
      assert.equal(comparison.isRunning(), false);
      assert.deepEqual(
        comparison.replies.map(({ state }) => state),
        ['stopped', 'stopped'],
      );
      const runs = new ComparisonRuns(comparison, experiments, watch);
      await runs.send(turn('t2'), columns, setup, nothing);
      await runs.ended();
      assert.equal(comparison.isRunning(), false);
    });
  }

  it("can also be stopped while they're starting", async () => {
    const bothEnded = Promise.withResolvers<void>();
    const comparison = new Comparison(crypto.randomUUID(), columns);
    const runs: ComparisonRuns = new ComparisonRuns(
      comparison,
      {
        ...experiments,
        start: (...given) => {
          runs.stop();
          return experiments.start(...given);
        },
      },
      {
        ...watch,
        onReply: () => {
          if (comparison.replies.every(({ end }) => end !== undefined)) bothEnded.resolve();
        },
      },
    );
    await runs.send(turn('t1'), columns, setup, nothing);
    await bothEnded.promise;
    assert.deepEqual(
      comparison.replies.map(({ state, end }) => [state, end?.wasSent]),
      [
        ['stopped', false],
        ['stopped', false],
      ],
    );
  });

  describe('when a service refuses', () => {
    const limited: ApiFailure = { kind: 'rateLimited', status: 429, message: 'slow down', retryAfterMs: 300_000 };
    const loading: ApiFailure = { kind: 'notReady', status: 503, message: 'loading', retryAfterMs: 1000 };
    const unpaid: ApiFailure = { kind: 'outOfCredits', status: 402, message: 'no credits' };
    let asked: string[];

    /** A comparison whose requests fail like this, one after another; the others are answered. */
    function comparing(failures: readonly ApiFailure[], order: ComparedTurn['order'] = 'allAtOnce', isBlind = false) {
      asked = [];
      const left = [...failures];
      const changed = new Set<() => void>();
      const comparison = new Comparison(crypto.randomUUID(), columns);
      const own = openExperiments({
        ...opened(),
        callsFor: (_model, { experiment }) => ({
          stream: async function* (_operation, { observer } = {}) {
            asked.push(experiment?.attempt ?? '');
            observer?.onWire?.();
            yield { type: 'attempt', attempt: 1 };
            const failure = left.shift();
            if (failure !== undefined) throw new ApiError(failure);
            yield { type: 'text', text: 'Hello' };
            yield { type: 'end', complete: true };
          },
        }),
      });
      const runs = new ComparisonRuns(comparison, own, {
        ...watch,
        onReply: () => changed.forEach((look) => look()),
      });
      const until = (isSo: (states: string) => boolean) =>
        new Promise<void>((resolve) => {
          const look = () => isSo(states()) && resolve();
          changed.add(look);
          look();
        });
      const states = () => comparison.replies.map(({ state, waitsUntil }) => state + (waitsUntil ? '…' : '')).join(' ');
      const send = () => runs.send({ ...turn('t1'), order, isBlind }, columns, { ...setup, order }, nothing);
      return { comparison, runs, own, send, until, states };
    }

    it('are still under way while it asks to wait, and are sent again once', async () => {
      const { comparison, runs, send, until, states } = comparing([loading, loading], 'allAtOnce', true);
      await send();
      await until((now) => now === 'queued… queued…');
      assert.ok(comparison.isRunning('a') && comparison.isRunning('b'));
      // A blind one that seemed to have failed would show its models.
      assert.equal(blindStage(comparison, new Set()), 'writing');
      await until((now) => now === 'done done');
      await runs.ended();
      assert.equal(states(), 'done done');
      assert.equal(asked.length, 4);
    });

    it('can all be stopped while they wait', async () => {
      const { runs, send, until, states } = comparing([limited, limited]);
      await send();
      await until((now) => now === 'queued… queued…');
      await runs.ended();
      assert.equal(states(), 'stopped stopped');
      assert.equal(asked.length, 2);
    });

    it('can be stopped one by one while they wait', async () => {
      const { comparison, runs, send, until, states } = comparing([loading, loading]);
      await send();
      await until((now) => now === 'queued… queued…');
      runs.stop('a');
      assert.equal(states(), 'stopped queued…');
      assert.deepEqual([comparison.isRunning('a'), comparison.isRunning('b')], [false, true]);
      await until((now) => now === 'stopped done');
      await runs.ended();
      assert.equal(states(), 'stopped done');
      assert.equal(asked.length, 3);
    });

    it('show why the others were not sent', async () => {
      const { runs, send, until, comparison } = comparing([unpaid], 'oneAfterAnother');
      await send();
      await until((now) => now === 'failed failed');
      await runs.ended();
      assert.deepEqual(
        comparison.replies.map(({ end }) => [end?.wasSent, end?.failure?.kind]),
        [
          [true, 'outOfCredits'],
          [false, 'outOfCredits'],
        ],
      );
      assert.equal(asked.length, 1);
    });

    it('have failed once it asks for too long a wait', async () => {
      const { runs, send, until } = comparing([{ ...limited, retryAfterMs: 3_600_000 }], 'oneAfterAnother');
      await send();
      await until((now) => now === 'failed failed');
      await runs.ended();
      assert.equal(asked.length, 1);
    });

    it('are under way in another window too', async () => {
      const { comparison, runs, own, send, until } = comparing([limited, limited]);
      await send();
      await until((now) => now === 'queued… queued…');
      const ids = (await own.store.list('comparison')).map(({ experiment }) => experiment.id);
      const seen = Comparison.of(comparison.id, await storedTurns(ids, own.store));
      assert.deepEqual(
        seen.replies.map(({ state }) => state),
        ['elsewhere', 'elsewhere'],
      );
      await runs.ended();
    });
  });

  it("aren't sent, and leave nothing on disk, if their tab is closed first", async () => {
    const before = here.service.asked().length;
    for (const when of ['before', 'while it is written'] as const) {
      const comparison = new Comparison(crypto.randomUUID(), columns);
      const runs: ComparisonRuns = new ComparisonRuns(
        comparison,
        {
          ...experiments,
          store: Object.assign(Object.create(experiments.store) as typeof experiments.store, {
            create: async (...given: Parameters<typeof experiments.store.create>) => {
              await experiments.store.create(...given);
              runs.dispose();
            },
            remove: experiments.store.remove.bind(experiments.store),
          }),
        },
        watch,
      );
      if (when === 'before') runs.dispose();
      await runs.send(turn('t1'), columns, setup, () => assert.fail('it was kept'));
      assert.deepEqual([comparison.turns, comparison.replies], [[], []], when);
      assert.deepEqual(await readdir(folder).catch(() => []), [], when);
    }
    assert.equal(here.service.asked().length, before);
  });

  it("leave text in the message box that couldn't be saved", async () => {
    const comparison = new Comparison(crypto.randomUUID(), columns);
    const kept: string[] = [];
    await rm(folder, { recursive: true });
    await writeFile(folder, 'in the way');
    const runs = new ComparisonRuns(comparison, experiments, watch);
    await assert.rejects(runs.send(turn('t1'), columns, setup, () => void kept.push('t1')));
    assert.deepEqual([kept, comparison.turns.length], [[], 0]);
  });
});
