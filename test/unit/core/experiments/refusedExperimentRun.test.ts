import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ExperimentLog } from '../../../../src/core/experiments/experimentLog.ts';
import { ExperimentRun } from '../../../../src/core/experiments/experimentRun.ts';
import type { ApiFailure } from '../../../../src/shared/apiFailure.ts';
import { someExperiment } from './someExperiment.ts';
import { modelRef, refParts } from '../../../../src/shared/modelRef.ts';
import { anyAnswers, anyExperiment, Bench, failures } from './experimentBench.ts';

describe('A run of an experiment that a service refuses', () => {
  it('sends nothing to a service after it refused, even if the request was recorded before', async () => {
    await fc.assert(
      fc.asyncProperty(
        anyExperiment,
        anyAnswers,
        fc.integer({ min: 1, max: 5000 }),
        async (experiment, answers, ms) => {
          const bench = new Bench({ ...experiment, limits: {} }, (_, number) => answers[number % answers.length]!);
          bench.writeMs = ms;
          await bench.whole();
          for (const { answer, endedAt = Infinity, planned } of bench.sent) {
            const { service } = refParts(planned.request.model.id);
            const later = bench.sent.filter(
              (each) => each.at > endedAt && refParts(each.planned.request.model.id).service === service,
            );
            const first = Math.min(...later.map(({ at }) => at));
            if (answer === 'outOfCredits') assert.equal(first, Infinity, 'after it ran out of credits');
            if (answer === 'rateLimited') assert.ok(first >= endedAt + 2000, `${first - endedAt} ms after a refusal`);
          }
        },
      ),
      { numRuns: 200 },
    );
  });

  it('sends nothing more of a column that was skipped, and says until when a refused one waits', async () => {
    const models = ['x', 'y'].map((column) => ({ id: 'a', column, options: { temperature: column === 'x' ? 0 : 1 } }));
    const bench = new Bench(someExperiment({ models, order: 'allAtOnce' }), (_, number) => ({
      answer: number <= 2 ? 'rateLimited' : 'done',
      ms: 10,
    }));
    const startedAt = bench.time.now();
    const run = bench.run();
    const skipLater = async (): Promise<void> => {
      await bench.time.sleep(500, undefined);
      run.skip('y');
    };
    void skipLater();
    assert.deepEqual(await bench.time.through(run.run()), { reason: 'done' });
    assert.deepEqual(
      bench.sent.map(({ planned }) => planned.request.model.column),
      ['x', 'y', 'x'],
    );
    assert.deepEqual(bench.paused, [startedAt + 2010, startedAt + 2010]);
  });

  it('waits as long as the service asks for, and then tries one request before the others', async () => {
    const experiment = someExperiment({ repeats: 8, concurrency: [4] });
    const bench = new Bench(experiment, (_, number) => ({ answer: number <= 4 ? 'rateLimited' : 'done', ms: 10 }));
    assert.deepEqual(await bench.whole(), { reason: 'done' });
    const startedAt = bench.sent[0]!.at;
    assert.deepEqual(
      bench.sent.slice(0, 9).map(({ at }) => at - startedAt),
      [0, 0, 0, 0, 2010, 2020, 2020, 2020, 2020],
    );
    assert.equal(bench.sent.length, 12);
  });

  it('says until when it waits, even if the service names no time', async () => {
    for (const [answer, waitMs] of [
      ['rateLimited', 2000],
      ['rateLimitedSilently', 1000],
    ] as const) {
      const bench = new Bench(someExperiment({ repeats: 2 }), (_, number) => ({
        answer: number === 1 ? answer : 'done',
        ms: 10,
      }));
      const startedAt = bench.time.now();
      const run = bench.run();
      const waits: (number | undefined)[] = [run.pausedUntil];
      const look = async (): Promise<void> => {
        for (const ms of [5, 500]) {
          await bench.time.sleep(ms, undefined);
          waits.push(run.pausedUntil);
        }
      };
      void look();
      await bench.time.through(run.run());
      waits.push(run.pausedUntil);
      assert.deepEqual(waits, [undefined, undefined, startedAt + 10 + waitMs, undefined], answer);
    }
  });

  it("doesn't say that it waits for a service to which nothing more is sent", async () => {
    const models = [{ id: modelRef('busy', 'a') }, { id: 'b' }];
    const bench = new Bench(someExperiment({ models, repeats: 2, order: 'allAtOnce' }), ({ request }) =>
      request.model.id === 'b' ? { answer: 'done', ms: 1000 } : { answer: 'rateLimitedForAnHour', ms: 10 },
    );
    const run = bench.run();
    const look = async () => {
      await bench.time.sleep(500, undefined);
      return { gaveUp: bench.records.filter(({ type }) => type === 'gaveUp').length, pausedUntil: run.pausedUntil };
    };
    const seen = look();
    await bench.time.through(run.run());
    assert.deepEqual(await seen, { gaveUp: 1, pausedUntil: undefined });
  });

  it('continues after a wait whose timer fires slightly early', async () => {
    const bench = new Bench(someExperiment({ repeats: 2 }), (_, number) => ({
      answer: number === 1 ? 'rateLimited' : 'done',
      ms: 10,
    }));
    bench.time.earlyMs = 1;
    assert.deepEqual(await bench.whole(), { reason: 'done' });
    assert.equal(bench.sent.length, 3);
  });

  it('continues if the wait ends between two looks at the clock', async () => {
    for (const earlyMs of [1, 2, 3]) {
      const bench = new Bench(someExperiment(), (_, number) => ({
        answer: number === 1 ? 'rateLimited' : 'done',
        ms: 10,
      }));
      Object.assign(bench.time, { earlyMs, lookMs: 1 });
      assert.deepEqual(await bench.whole(), { reason: 'done' });
    }
  });

  it('gives up on a service that refuses again and again, after longer and longer waits', async () => {
    const bench = new Bench(someExperiment({ repeats: 50, concurrency: [2] }), () => ({
      answer: 'rateLimited',
      ms: 1,
    }));
    const end = await bench.whole();
    assert.equal(end.reason === 'failed' && end.failure.kind, 'rateLimited');
    assert.ok(bench.sent.length <= 10, `${bench.sent.length} requests`);
  });

  it("doesn't wait for an hour", async () => {
    const bench = new Bench(someExperiment({ repeats: 5 }));
    const hour: ApiFailure = { ...failures.rateLimited, retryAfterMs: 3_600_000 };
    const startedAt = bench.time.now();
    const run = new ExperimentRun(
      'r',
      { experiment: bench.experiment, states: new Map(), log: new ExperimentLog() },
      {
        clock: bench.time,
        newId: () => crypto.randomUUID(),
        modelOf: () => undefined,
        send: () => Promise.resolve({ outcome: 'failed', failure: hour, wasSent: true }),
        write: () => Promise.resolve(),
        append: () => undefined,
      },
    );
    assert.deepEqual(await bench.time.through(run.run()), { reason: 'failed', failure: hour });
    assert.ok(bench.time.now() - startedAt < 60_000);
  });

  it('keeps its results when credits run out, and another run sends the rest', async () => {
    let credits = 3;
    const bench = new Bench(someExperiment({ repeats: 10 }), () => {
      credits -= 1;
      return { answer: credits >= 0 ? 'done' : 'outOfCredits', ms: 10 };
    });
    assert.deepEqual(await bench.whole(), { reason: 'failed', failure: failures.outOfCredits });
    assert.equal(bench.sent.length, 4);
    credits = 100;
    assert.deepEqual(await bench.whole(), { reason: 'done' });
    assert.equal(bench.sent.length, 11);
    assert.ok(bench.chargedTimes().every((times) => times === 1));
  });

  it('asks a missing service three times at most, and continues with another service', async () => {
    const models = [{ id: 'a' }, { id: 'b' }, { id: modelRef('other', 'c') }];
    const bench = new Bench(someExperiment({ models, repeats: 20 }), ({ request }) => ({
      answer: refParts(request.model.id).service === 'other' ? 'done' : 'refused',
      ms: 10,
    }));
    assert.deepEqual(await bench.whole(), { reason: 'done' });
    const toOther = bench.sent.filter(({ planned }) => refParts(planned.request.model.id).service === 'other');
    assert.equal(toOther.length, 20);
    assert.equal(bench.sent.length - toOther.length, 3);
    assert.deepEqual(
      bench.log.runs()[0]?.gaveUp.map(({ failure }) => failure.kind),
      ['network', 'network'],
    );
  });

  it('gives up on a model that fails five times in a row, and only that one', async () => {
    const models = [{ id: 'a' }, { id: 'b' }];
    const bench = new Bench(someExperiment({ models, repeats: 20 }), ({ request }) => ({
      answer: request.model.id === 'a' ? 'serverError' : 'done',
      ms: 10,
    }));
    assert.deepEqual(await bench.whole(), { reason: 'done' });
    const count = (id: string) => bench.sent.filter(({ planned }) => planned.request.model.id === id).length;
    assert.deepEqual([count('a'), count('b')], [5, 20]);
  });
});
