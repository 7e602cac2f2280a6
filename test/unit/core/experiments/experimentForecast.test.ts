import assert from 'node:assert/strict';
import fc from 'fast-check';
import * as v from 'valibot';
import { type Experiment, experimentSchema } from '../../../../src/core/experiments/experiment.ts';
import {
  costOfSample,
  experimentFaults,
  experimentForecast,
  Forecaster,
} from '../../../../src/core/experiments/experimentForecast.ts';
import { plannedBody, plannedRequests } from '../../../../src/core/experiments/experimentPlan.ts';
import { listedModel, mostInFlight, someExperiment } from './someExperiment.ts';

const listed = { modelOf: () => listedModel() };
const unlisted = { modelOf: () => undefined };
const models = [{ id: 'a' }, { id: 'b' }];

describe('The cost of a reply', () => {
  it('is unknown without a price, without a sample, or without one of the numbers of tokens', () => {
    const times = { sentAt: 0, totalMs: 1, gapsMs: [] };
    const counted = { ...times, promptTokens: 3, replyTokens: 100 };
    assert.deepEqual(
      [
        costOfSample(counted, listedModel()),
        costOfSample(counted, undefined),
        costOfSample(undefined, listedModel()),
        costOfSample({ ...times, promptTokens: 3 }, listedModel()),
        costOfSample({ ...times, replyTokens: 100 }, listedModel()),
      ],
      [203, undefined, undefined, undefined, undefined],
    );
  });
});

describe('What an experiment will send', () => {
  it('is known beforehand: requests, tokens, and costs', () => {
    const experiment = someExperiment({
      models,
      repeats: 10,
      warmUp: 1,
      concurrency: [1, 4],
      options: { maxTokens: 100 },
    });
    // "Say hello" is 3 tokens.
    assert.deepEqual(experimentForecast(experiment, listed), {
      requests: 42,
      promptTokens: 42 * 3,
      replyTokens: 42 * 100,
      maxReplyTokens: 42 * 100,
      cost: 42 * 203,
      isCostAtLeast: false,
      // "Say hello" has 9 bytes, and a service adds tokens of its own.
      maxCost: 42 * (9 + 16 + 64 + 200),
    });
    assert.equal(plannedRequests(experiment).length, 42);
  });

  it('has a minimum cost if a price is missing, and no maximum if replies have none', () => {
    const modelOf = ({ id }: { readonly id: string }) => (id === 'a' ? listedModel() : undefined);
    const forecast = experimentForecast(someExperiment({ models }), { modelOf, replyTokensOf: () => 50 });
    assert.deepEqual(forecast, { requests: 2, promptTokens: 6, replyTokens: 100, cost: 103, isCostAtLeast: true });
    const limited = someExperiment({ models, options: { maxTokens: 100 } });
    // Nobody knows what the other model could cost.
    assert.equal(experimentForecast(limited, { modelOf }).maxCost, undefined);
  });

  it('is the sum over its plan, whatever it is', () => {
    const anyCount = fc.integer({ min: 0, max: 4 });
    fc.assert(
      fc.property(
        fc.record({ repeats: anyCount, warmUp: fc.integer({ min: 0, max: 7 }), prompts: anyCount, models: anyCount }),
        fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 4 }),
        fc.constantFrom<Experiment['order']>('allAtOnce', 'interleaved', 'oneAfterAnother'),
        (counts, concurrency, order) => {
          const experiment = someExperiment({
            repeats: counts.repeats,
            warmUp: counts.warmUp,
            concurrency,
            order,
            prompts: ['a', 'b'.repeat(100), 'c'.repeat(1000), 'd'].slice(0, counts.prompts).map((content) => ({
              id: content.slice(0, 1),
              messages: [{ role: 'user', content }],
            })),
            models: ['a', 'b', 'c', 'd'].slice(0, counts.models).map((id) => ({ id })),
          });
          const plan = plannedRequests(experiment);
          const forecast = experimentForecast(experiment, listed);
          const forecaster = new Forecaster(experiment, listed);
          const sum = (value: (of: ReturnType<Forecaster['of']>) => number) =>
            plan.reduce((all, request) => all + value(forecaster.of(request)), 0);
          assert.equal(forecast.requests, plan.length);
          assert.equal(
            forecast.promptTokens,
            sum(({ promptTokens }) => promptTokens),
          );
          assert.equal(
            forecast.cost,
            sum(({ cost = 0 }) => cost),
          );
        },
      ),
    );
  });

  it('needs no list of its millions of requests', () => {
    const concurrency = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];
    const many = Array.from({ length: 50 }, (_, at) => ({ id: `m${at}` }));
    const experiment = someExperiment({ repeats: 10_000, concurrency, models: many });
    assert.equal(experimentForecast(experiment, listed).requests, 6_000_000);
  });

  it('counts the prefix and the system prompt, which are paid for as well', () => {
    const tokens = (changes: object) => experimentForecast(someExperiment(changes), unlisted).promptTokens;
    assert.equal(tokens({ options: { systemPrompt: 'Be brief' } }), 3 + 2);
    assert.equal(tokens({ hasUniquePrefix: true }), 3 + 9);
  });

  it("uses a model's parameters instead of those of the prompt and the experiment", () => {
    const experiment = someExperiment({
      options: { maxTokens: 1, temperature: 0.1, topP: 0.1 },
      prompts: [{ id: 'p', messages: [{ role: 'user', content: 'Hi' }], options: { temperature: 0.2, topP: 0.2 } }],
      models: [{ id: 'a', options: { topP: 0.3 } }],
    });
    const [request] = plannedRequests(experiment);
    assert.deepEqual(plannedBody(experiment, request ?? assert.fail(), 'x'), {
      model: 'a',
      max_tokens: 1,
      temperature: 0.2,
      top_p: 0.3,
      stream: true,
      messages: [{ role: 'user', content: 'Hi' }],
    });
  });

  it("puts a model's earlier messages between the system prompt and a follow-up", () => {
    const before = [
      { role: 'user', content: 'Name a bird' },
      { role: 'assistant', content: 'Kestrel' },
    ] as const;
    const experiment = someExperiment({
      models: [{ id: 'local/echo', before: [...before] }, { id: 'local/fast' }],
      options: { systemPrompt: 'Be brief' },
    });
    const bodies = plannedRequests(experiment).map((request) => plannedBody(experiment, request, '').messages);
    const [first] = experiment.prompts;
    const system = { role: 'system', content: 'Be brief' };
    assert.deepEqual(bodies, [
      [system, ...before, ...(first?.messages ?? [])],
      [system, ...(first?.messages ?? [])],
    ]);
  });

  it('starts with the prefix, whatever the first message is', () => {
    const contentOf = (changes: object) => {
      const experiment = someExperiment({ hasUniquePrefix: true, ...changes });
      const [request] = plannedRequests(experiment);
      return plannedBody(experiment, request ?? assert.fail(), 'x1').messages.map(({ content }) => content);
    };
    assert.deepEqual(contentOf({}), ['[x1]\nSay hello']);
    assert.deepEqual(contentOf({ options: { systemPrompt: 'Be brief' } }), ['[x1]\nBe brief', 'Say hello']);
    const image = { type: 'image_url', image_url: { url: 'data:,' } };
    assert.deepEqual(contentOf({ prompts: [{ id: 'p', messages: [{ role: 'user', content: [image] }] }] }), [
      [{ type: 'text', text: '[x1]\n' }, image],
    ]);
  });

  it('has as many in flight as its order allows', () => {
    const inFlight = (order: 'allAtOnce' | 'interleaved' | 'oneAfterAnother') =>
      mostInFlight(someExperiment({ models, order, concurrency: [2, 8] }));
    assert.deepEqual([inFlight('allAtOnce'), inFlight('interleaved'), inFlight('oneAfterAnother')], [16, 8, 8]);
  });

  it('has the same keys in every plan, each once, even if a level or a model occurs twice', () => {
    const twice = someExperiment({
      models: [{ id: 'a' }, { id: 'a', options: { topP: 0.5 } }],
      concurrency: [2, 2],
      repeats: 2,
    });
    const keys = plannedRequests(twice).map(({ key }) => key);
    assert.deepEqual(keys, ['c2.m0.p0.r0', 'c2.m1.p0.r0', 'c2.m0.p0.r1', 'c2.m1.p0.r1']);
  });
});

describe('What prevents an experiment from starting', () => {
  it('is nothing if it can start', () => {
    assert.deepEqual(experimentFaults(someExperiment({ models, limits: { cost: 5 } }), listed), []);
  });

  it('is no model, no prompt, an empty prompt, or no concurrency', () => {
    const faultsOf = (changes: object) => experimentFaults(someExperiment(changes), unlisted).map(({ kind }) => kind);
    assert.deepEqual(faultsOf({ models: [] }), ['noModel']);
    assert.deepEqual(faultsOf({ prompts: [] }), ['noPrompt']);
    assert.deepEqual(faultsOf({ prompts: [{ id: 'p', messages: [] }] }), ['noMessage']);
    assert.deepEqual(faultsOf({ concurrency: [] }), ['noConcurrency']);
  });

  it('is the same model twice, unless it has its own parameters or another service', () => {
    const kinds = (second: object) =>
      experimentFaults(someExperiment({ models: [{ id: 'a' }, { id: 'a', ...second }] }), unlisted).map(
        ({ kind }) => kind,
      );
    assert.deepEqual(kinds({}), ['sameModelTwice']);
    assert.deepEqual(kinds({ options: { temperature: 1 } }), []);
    const all = (first: object, second: object, options = {}) =>
      experimentFaults(
        someExperiment({ options, models: [first, second].map((own) => ({ id: 'a', options: own })) }),
        unlisted,
      ).length;
    assert.equal(all({ temperature: 1 }, {}), 0);
    assert.equal(all({ temperature: 1, topP: 1 }, { topP: 1, temperature: 1 }), 1);
    assert.equal(all({ temperature: 1 }, {}, { temperature: 1 }), 1);
    assert.deepEqual(kinds({ id: 'other::a' }), []);
  });

  it("is a model that can't chat, a prompt over its context window, or a limit on costs without prices", () => {
    const info = listedModel({ kind: 'image' });
    assert.deepEqual(experimentFaults(someExperiment(), { modelOf: () => info }), [
      { kind: 'cannotChat', model: 'local/echo' },
    ]);
    const small = listedModel({ contextWindow: 2 });
    assert.deepEqual(experimentFaults(someExperiment(), { modelOf: () => small }), [
      { kind: 'overContextWindow', model: 'local/echo', promptTokens: 3, contextWindow: 2 },
    ]);
    assert.deepEqual(experimentFaults(someExperiment({ limits: { cost: 1 } }), unlisted), [
      { kind: 'noPrice', model: 'local/echo' },
    ]);
  });

  it('is an invalid number, which no record contains', () => {
    const fits = (changes: object) => v.is(experimentSchema, { ...someExperiment(), ...changes });
    assert.ok(fits({ limits: { requests: 1, tokens: 1, cost: 0.01, minutes: 0.5 } }));
    for (const wrong of [{ requests: 0 }, { tokens: 1.5 }, { cost: 0 }, { minutes: Infinity }]) {
      assert.equal(fits({ limits: wrong }), false, JSON.stringify(wrong));
    }
    assert.equal(fits({ repeats: 0 }), false);
    assert.equal(fits({ warmUp: -1 }), false);
    assert.equal(fits({ concurrency: [0] }), false);
  });
});
