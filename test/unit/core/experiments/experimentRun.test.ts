import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Experiment } from '../../../../src/core/experiments/experiment.ts';
import { type PlannedRequest, plannedRequests } from '../../../../src/core/experiments/experimentPlan.ts';
import { mostInFlight, someExperiment } from './someExperiment.ts';
import { anyAnswers, anyExperiment, Bench, keyOf, PROMPT_TOKENS, REPLY_TOKENS, type Sent } from './experimentBench.ts';

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

  it('keeps to its limit of the cost if the model list loses the price meanwhile', async () => {
    const prompts = ['p1', 'p2'].map((id) => ({ id, messages: [{ role: 'user', content: 'Hi' } as const] }));
    const options = { maxTokens: REPLY_TOKENS };
    const bench = new Bench(someExperiment({ prompts, options, repeats: 50, limits: { cost: 1000 } }));
    bench.usedBy = () => {
      bench.listed = { id: 'm', raw: {} };
      return { promptTokens: PROMPT_TOKENS, replyTokens: REPLY_TOKENS };
    };
    assert.deepEqual(await bench.whole(), { reason: 'limit', limit: 'cost' });
    assert.ok(bench.sent.length * (PROMPT_TOKENS + 2 * REPLY_TOKENS) <= 1000);
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
    let stopped = 0;
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
        // It can be over before that.
        if (end.reason === 'done') return assert.ok(endedAt <= stoppedAt);
        stopped += 1;
        assert.deepEqual(end, { reason: 'stopped' });
        assert.equal(endedAt, stoppedAt);
        assert.ok(bench.sent.every(({ at }) => at <= stoppedAt));
        assert.ok(bench.sent.every(({ answer }) => answer !== undefined));
      }),
      { examples: [[someExperiment({ repeats: 8 }), 30]] },
    );
    assert.ok(stopped > 0);
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

  it("doesn't count what earlier runs couldn't send", async () => {
    let answer: 'refused' | 'done' = 'refused';
    const bench = new Bench(someExperiment({ repeats: 4, limits: { requests: 4 } }), () => ({ answer, ms: 10 }));
    await bench.whole();
    assert.ok(bench.sent.length > 0);
    answer = 'done';
    assert.deepEqual(await bench.whole(), { reason: 'done' });
    assert.equal(bench.chargedTimes().length, 4);
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
