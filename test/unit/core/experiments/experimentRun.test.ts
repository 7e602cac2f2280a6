import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Experiment } from '../../../../src/core/experiments/experiment.ts';
import { ExperimentLog } from '../../../../src/core/experiments/experimentLog.ts';
import { type PlannedRequest, plannedRequests } from '../../../../src/core/experiments/experimentPlan.ts';
import type { ExperimentFact, ExperimentRecord, RunEnd } from '../../../../src/core/experiments/experimentRecord.ts';
import {
  ExperimentRun,
  type PlannedSend,
  type SendPlanned,
  type SentReply,
} from '../../../../src/core/experiments/experimentRun.ts';
import type { ApiFailure } from '../../../../src/shared/apiFailure.ts';
import { listedModel, mostInFlight, someExperiment } from './someExperiment.ts';
import { VirtualTime } from './virtualTime.ts';
import { modelRef, refParts } from '../../../../src/shared/modelRef.ts';

const envelope = { message: 'no' };
const failures = {
  rateLimited: { kind: 'rateLimited', status: 429, retryAfterMs: 2000, ...envelope },
  rateLimitedForAnHour: { kind: 'rateLimited', status: 429, retryAfterMs: 3_600_000, ...envelope },
  rateLimitedSilently: { kind: 'rateLimited', status: 429, ...envelope },
  outOfCredits: { kind: 'outOfCredits', status: 402, ...envelope },
  serverError: { kind: 'serverError', status: 500, ...envelope },
  refused: { kind: 'network', reason: 'refused', host: 'h', code: 'ECONNREFUSED', mayHaveBeenSent: false },
  lost: { kind: 'connectionLost', host: 'h', code: 'ECONNRESET' },
  noServer: { kind: 'backendUnavailable', status: 502, ...envelope },
  hung: { kind: 'timeout', timer: 'firstByte', afterMs: 1, host: 'h' },
  modelNotFound: { kind: 'modelNotFound', status: 404, ...envelope },
} as const satisfies Readonly<Record<string, ApiFailure>>;

type Answer = 'done' | 'incomplete' | keyof typeof failures;

interface Sent {
  readonly planned: PlannedSend;
  readonly at: number;
  /** Whether the line was on disk when it was sent. */
  readonly isOnDisk: boolean;
  answer?: Answer | 'stopped';
  endedAt?: number;
}

interface Used {
  readonly promptTokens: number;
  readonly replyTokens: number;
}

/** An experiment's record, and a service with scripted responses. */
class Bench {
  readonly time = new VirtualTime();
  readonly records: ExperimentRecord[] = [];
  readonly log = new ExperimentLog();
  readonly sent: Sent[] = [];
  readonly experiment: Experiment;
  mostInFlight = 0;
  #inFlight = 0;
  #ids = 0;
  readonly #answer: (planned: PlannedSend, number: number) => { readonly answer: Answer; readonly ms: number };
  isDiskFull = false;
  /** Of the line before each request. */
  writeMs = 0;
  usedBy: (planned: PlannedSend) => Used = () => ({ promptTokens: PROMPT_TOKENS, replyTokens: REPLY_TOKENS });
  used: Used = { promptTokens: 0, replyTokens: 0 };
  readonly paused: number[] = [];

  constructor(
    experiment: Experiment,
    answer: (planned: PlannedSend, number: number) => { answer: Answer; ms: number } = () => ({
      answer: 'done',
      ms: 10,
    }),
  ) {
    this.experiment = experiment;
    this.#answer = answer;
    this.#keep([{ type: 'created', version: 1, experiment }]);
  }

  run(): ExperimentRun {
    const id = `run${(this.#ids += 1)}`;
    this.#keep([{ type: 'runStarted', run: id }]);
    const states = this.log.states(() => false);
    return new ExperimentRun(
      id,
      { experiment: this.experiment, states, log: this.log },
      {
        clock: this.time,
        newId: () => `a${(this.#ids += 1)}`,
        modelOf: () => listedModel(),
        send: this.#send,
        write: async (facts) => {
          await (this.writeMs === 0 ? Promise.resolve() : this.time.sleep(this.writeMs, undefined));
          if (this.isDiskFull) throw Object.assign(new Error('full'), { code: 'ENOSPC' });
          this.#keep(facts);
        },
        append: (facts) => this.#keep(facts),
        onPaused: (_, at) => this.paused.push(at),
      },
    );
  }

  async whole(): Promise<RunEnd> {
    return this.time.through(this.run().run());
  }

  /** How often each request reached the service and might have been charged. */
  chargedTimes(): readonly number[] {
    const times = new Map<string, number>();
    for (const { planned, answer } of this.sent) {
      if (answer === 'rateLimited' || answer === 'refused' || answer === 'outOfCredits') continue;
      times.set(planned.request.key, (times.get(planned.request.key) ?? 0) + 1);
    }
    return [...times.values()];
  }

  readonly #send: SendPlanned = async (planned, signal) => {
    const isOnDisk = this.records.some((record) => record.type === 'sending' && record.attempt === planned.attempt);
    const sent: Sent = { planned, at: this.time.now(), isOnDisk };
    this.sent.push(sent);
    this.#inFlight += 1;
    this.mostInFlight = Math.max(this.mostInFlight, this.#inFlight);
    const { answer, ms } = this.#answer(planned, this.sent.length);
    try {
      await this.time.sleep(ms, signal);
      sent.answer = answer;
      const used = this.usedBy(planned);
      if (answer === 'done' || answer === 'incomplete') {
        const { promptTokens, replyTokens } = this.used;
        this.used = {
          promptTokens: promptTokens + used.promptTokens,
          replyTokens: replyTokens + used.replyTokens,
        };
      }
      return replyOf(answer, used);
    } catch {
      sent.answer = 'stopped';
      return { outcome: 'stopped', wasSent: true };
    } finally {
      sent.endedAt = this.time.now();
      this.#inFlight -= 1;
    }
  };

  #keep(facts: readonly ExperimentFact[]): void {
    for (const fact of facts) {
      const record = { ...fact, writer: 'w', at: this.time.now() };
      this.records.push(record);
      this.log.apply(record);
    }
  }
}

const PROMPT_TOKENS = 3;
const REPLY_TOKENS = 20;

function replyOf(answer: Answer, used: Used): SentReply {
  if (answer !== 'done' && answer !== 'incomplete') {
    return { outcome: 'failed', failure: failures[answer], wasSent: answer !== 'refused' };
  }
  const sample = { sentAt: 0, totalMs: 10, gapsMs: [], ...used };
  return { outcome: answer, wasSent: true, sample };
}

const someModels = [{ id: 'a' }, { id: 'b' }, { id: 'c', service: 'other' }];
const somePrompts = ['p1', 'p2', 'p3'].map((id) => ({
  id,
  messages: [{ role: 'user', content: 'Say hello' } as const],
}));

const anyExperiment = fc
  .record({
    models: fc.integer({ min: 1, max: 3 }),
    prompts: fc.integer({ min: 1, max: 3 }),
    repeats: fc.integer({ min: 1, max: 4 }),
    order: fc.constantFrom('allAtOnce', 'interleaved', 'oneAfterAnother'),
    concurrency: fc.uniqueArray(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 2 }),
    warmUp: fc.integer({ min: 0, max: 2 }),
    requests: fc.option(fc.integer({ min: 1, max: 30 }), { nil: undefined }),
    tokens: fc.option(fc.integer({ min: 1, max: 900 }), { nil: undefined }),
    cost: fc.option(fc.integer({ min: 1, max: 1800 }), { nil: undefined }),
    minutes: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
  })
  .map(({ models, prompts, repeats, order, concurrency, warmUp, requests, tokens, cost, minutes }) =>
    someExperiment({
      models: someModels.slice(0, models),
      prompts: somePrompts.slice(0, prompts),
      repeats,
      order,
      concurrency,
      warmUp,
      options: { maxTokens: REPLY_TOKENS },
      limits: {
        ...(requests !== undefined && { requests }),
        ...(tokens !== undefined && { tokens }),
        ...(cost !== undefined && { cost }),
        ...(minutes !== undefined && { minutes }),
      },
    }),
  );

const anyAnswer = fc.record({
  answer: fc.oneof(
    { weight: 6, arbitrary: fc.constant<Answer>('done') },
    { weight: 3, arbitrary: fc.constantFrom<Answer>('incomplete', 'rateLimited', 'serverError', 'lost', 'refused') },
    { weight: 1, arbitrary: fc.constantFrom<Answer>('outOfCredits', 'modelNotFound') },
  ),
  ms: fc.integer({ min: 1, max: 30_000 }),
});
const anyAnswers = fc.array(anyAnswer, { minLength: 1, maxLength: 12 });
const keyOf = ({ planned }: Sent) => planned.request.key;

describe('A run of an experiment', () => {
  it('sends each request once, recorded on disk first, with any plan', async () => {
    await fc.assert(
      fc.asyncProperty(anyExperiment, async (experiment) => {
        const bench = new Bench({ ...experiment, limits: {} });
        assert.deepEqual(await bench.whole(), { reason: 'done' });
        const planned = plannedRequests(experiment).map(({ key }) => key);
        assert.deepEqual(bench.sent.map(keyOf).toSorted(), planned.toSorted());
        assert.equal(new Set(planned).size, planned.length);
        assert.ok(bench.sent.every(({ isOnDisk }) => isOnDisk));
        assert.ok(
          bench.log
            .states(() => false)
            .values()
            .every((state) => state === 'finished'),
        );
      }),
    );
  });

  it('never has more in flight, exceeds a limit, or resends what might be charged, whatever fails', async () => {
    await fc.assert(
      fc.asyncProperty(anyExperiment, anyAnswers, async (experiment, answers) => {
        const bench = new Bench(experiment, (_, number) => answers[number % answers.length]!);
        const startedAt = bench.time.now();
        const run = bench.run();
        const end = await bench.time.through(run.run());
        assert.ok(bench.mostInFlight <= mostInFlight(experiment), 'in flight');
        const { requests = Infinity, tokens = Infinity, cost = Infinity, minutes } = experiment.limits;
        const arrived = bench.sent.filter(({ answer }) => answer !== 'refused');
        assert.ok(arrived.length <= requests, 'requests');
        const charged = bench.sent.filter(({ answer }) => answer === 'done' || answer === 'incomplete').length;
        assert.ok(charged * (PROMPT_TOKENS + REPLY_TOKENS) <= tokens, 'tokens');
        assert.ok(charged * (PROMPT_TOKENS + 2 * REPLY_TOKENS) <= cost, 'cost');
        if (minutes !== undefined) assert.ok(bench.time.now() - startedAt <= minutes * 60_000, 'minutes');
        assert.ok(bench.chargedTimes().every((times) => times === 1));
        assert.ok(bench.sent.every(({ isOnDisk }) => isOnDisk));
        assert.deepEqual(bench.log.runs().at(-1)?.end, end);
      }),
      { numRuns: 300 },
    );
  });

  it('never exceeds a limit of tokens or cost, however long prompts and replies of unknown length turn out', async () => {
    const anyPrompt = fc.string({ unit: 'binary', maxLength: 400 });
    await fc.assert(
      fc.asyncProperty(
        anyExperiment,
        anyPrompt,
        fc.array(fc.integer({ min: 1, max: 4096 }), { minLength: 1, maxLength: 5 }),
        fc.option(fc.integer({ min: 1, max: 30_000 }), { nil: undefined }),
        fc.option(fc.integer({ min: 1, max: 60_000 }), { nil: undefined }),
        async ({ options: _options, ...experiment }, content, replies, tokens, cost) => {
          const limits = { ...(tokens !== undefined && { tokens }), ...(cost !== undefined && { cost }) };
          const prompts = [{ id: 'p1', messages: [{ role: 'user', content } as const] }];
          const bench = new Bench({ ...experiment, prompts, limits });
          // No tokenizer has more tokens than bytes.
          bench.usedBy = () => ({
            promptTokens: Buffer.byteLength(content),
            replyTokens: replies[bench.sent.length % replies.length]!,
          });
          await bench.whole();
          const { promptTokens, replyTokens } = bench.used;
          assert.ok(promptTokens + replyTokens <= (tokens ?? Infinity), 'tokens');
          assert.ok(promptTokens + 2 * replyTokens <= (cost ?? Infinity), 'cost');
        },
      ),
      { numRuns: 60 },
    );
  });

  it('never exceeds a limit with a prompt that has a token for each byte', async () => {
    const prompts = [{ id: 'p1', messages: [{ role: 'user', content: '空'.repeat(1000) } as const] }];
    for (const limit of ['tokens', 'cost'] as const) {
      const bench = new Bench(someExperiment({ prompts, limits: { [limit]: limit === 'tokens' ? 6000 : 10_000 } }));
      bench.usedBy = () => ({ promptTokens: 3000, replyTokens: 4096 });
      assert.deepEqual(await bench.whole(), { reason: 'limit', limit });
      assert.equal(bench.sent.length, 0);
    }
  });

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

  it('that continues another sends only what was certainly not carried out', async () => {
    await fc.assert(
      fc.asyncProperty(anyExperiment, anyAnswers, async (experiment, answers) => {
        const bench = new Bench({ ...experiment, limits: {} }, (_, number) => answers[number % answers.length]!);
        await bench.whole();
        await bench.whole();
        assert.ok(bench.chargedTimes().every((times) => times === 1));
      }),
    );
  });

  it('that was stopped aborts what is in flight and sends nothing more', async () => {
    await fc.assert(
      fc.asyncProperty(anyExperiment, fc.integer({ min: 0, max: 200 }), async (experiment, stopAt) => {
        const bench = new Bench({ ...experiment, limits: {} }, () => ({ answer: 'done', ms: 25 }));
        const run = bench.run();
        const whole = run.run();
        let stoppedAt = Infinity;
        const stopLater = async (): Promise<void> => {
          await bench.time.sleep(stopAt, undefined);
          run.stop();
          stoppedAt = bench.time.now();
        };
        void stopLater();
        const end = await bench.time.through(whole);
        const endedAt = bench.time.now();
        if (end.reason === 'done') return;
        assert.deepEqual(end, { reason: 'stopped' });
        assert.equal(endedAt, stoppedAt);
        assert.ok(bench.sent.every(({ at }) => at <= stoppedAt));
        assert.ok(bench.sent.every(({ answer }) => answer !== undefined));
      }),
    );
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

  for (const answer of ['lost', 'noServer', 'hung'] as const) {
    it(`continues with other models of a service when one fails like this: ${answer}`, async () => {
      const models = [{ id: 'a' }, { id: 'b' }];
      const bench = new Bench(someExperiment({ models, repeats: 20, order: 'oneAfterAnother' }), ({ request }) => ({
        answer: request.model.id === 'b' ? 'done' : answer,
        ms: 10,
      }));
      assert.deepEqual(await bench.whole(), { reason: 'done' });
      const count = (id: string) => bench.sent.filter(({ planned }) => planned.request.model.id === id).length;
      assert.deepEqual([count('a'), count('b')], [5, 20]);
    });
  }

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

  it("sends nothing that it couldn't record first", async () => {
    const bench = new Bench(someExperiment({ repeats: 3 }));
    bench.isDiskFull = true;
    assert.deepEqual(await bench.whole(), { reason: 'disk', code: 'ENOSPC' });
    assert.deepEqual(bench.sent, []);
    bench.isDiskFull = false;
    assert.deepEqual(await bench.whole(), { reason: 'done' });
    assert.equal(bench.sent.length, 3);
  });

  it('counts what earlier runs used toward the limits', async () => {
    const bench = new Bench(someExperiment({ repeats: 10, limits: { requests: 4 } }));
    assert.deepEqual(await bench.whole(), { reason: 'limit', limit: 'requests' });
    assert.deepEqual(await bench.whole(), { reason: 'limit', limit: 'requests' });
    assert.equal(bench.sent.length, 4);
  });

  it('counts the minutes of earlier runs toward the limit, but not the time between them', async () => {
    const bench = new Bench(someExperiment({ repeats: 20, limits: { minutes: 1 } }), () => ({
      answer: 'done',
      ms: 10_000,
    }));
    const run = bench.run();
    const stopLater = async (): Promise<void> => {
      await bench.time.sleep(35_000, undefined);
      run.stop();
    };
    void stopLater();
    assert.deepEqual(await bench.time.through(run.run()), { reason: 'stopped' });
    await bench.time.through(bench.time.sleep(3_600_000, undefined));
    const resumedAt = bench.time.now();
    assert.deepEqual(await bench.whole(), { reason: 'limit', limit: 'minutes' });
    assert.equal(bench.time.now() - resumedAt, 25_000);
    const sent = bench.sent.length;
    assert.deepEqual(await bench.whole(), { reason: 'limit', limit: 'minutes' });
    assert.equal(bench.sent.length, sent);
  });

  it('starts all models together, one after another, or in turns', async () => {
    const models = [{ id: 'a' }, { id: 'b' }];
    const orderOf = async (order: Experiment['order']): Promise<string> => {
      const bench = new Bench(someExperiment({ models, repeats: 2, order }));
      await bench.whole();
      const startedAt = bench.sent[0]!.at;
      const shown = ({ planned, at }: Sent) => `${planned.request.model.id}${at - startedAt}`;
      return bench.sent.map(shown).join(' ');
    };
    assert.equal(await orderOf('allAtOnce'), 'a0 b0 a10 b10');
    assert.equal(await orderOf('interleaved'), 'a0 b10 a20 b30');
    assert.equal(await orderOf('oneAfterAnother'), 'a0 a10 b20 b30');
  });

  it('warms each model up before it measures it, one level of concurrency at a time', async () => {
    const experiment = someExperiment({
      models: [{ id: 'a' }, { id: 'b' }],
      warmUp: 1,
      concurrency: [1, 2],
      repeats: 2,
    });
    const bench = new Bench(experiment);
    await bench.whole();
    const shown = ({ isWarmUp, concurrency, model }: PlannedRequest) => `${isWarmUp ? 'w' : concurrency}${model.id}`;
    assert.equal(bench.sent.map(({ planned }) => shown(planned.request)).join(' '), 'wa wb 1a 1b 1a 1b 2a 2b 2a 2b');
  });
});
