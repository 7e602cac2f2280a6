import assert from 'node:assert/strict';
import { ReplyClock } from '../../../../src/core/chat/replyMetrics.ts';
import { figuresOf, quantile, speedOf } from '../../../../src/core/models/measuredModel.ts';
import { speedFacts } from '../../../../src/core/models/modelFacts.ts';
import {
  blindDigest,
  digestOf,
  mergeDigests,
  type RequestDigest,
} from '../../../../src/core/requests/requestDigest.ts';
import type { ApiFailure } from '../../../../src/shared/apiFailure.ts';
import type { LoggedRequest } from '../../../../src/core/requests/requestLog.ts';
import { decodeRequestRecord } from '../../../../src/core/requests/requestRecord.ts';
import { exceedsBudget, usageOn, usageView } from '../../../../src/core/requests/usageView.ts';
import { todayLine } from '../../../../src/core/requests/todayLine.ts';
import { useServiceNames } from '../../../../src/words/modelLabel.ts';
import { costOfSum } from '../../../../src/words/usageSum.ts';

const dayMs = 86_400_000;
const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);

interface Facts {
  readonly at?: number;
  readonly model?: string;
  readonly origin?: LoggedRequest['origin'];
  readonly operation?: LoggedRequest['operation'];
  readonly failure?: ApiFailure;
  readonly outcome?: 'done' | 'incomplete' | 'failed' | 'stopped';
  readonly first?: number;
  readonly rate?: number;
  readonly tokens?: number;
  readonly cost?: number;
  readonly load?: number;
  readonly isWarmUp?: boolean;
}

function request({
  at = 0,
  model = 'a/b',
  origin,
  operation = 'chat',
  failure,
  outcome = 'done',
  first,
  rate,
  tokens,
  cost,
  load,
  isWarmUp,
}: Facts): LoggedRequest {
  const figure = (value: number) => ({ value, from: 'service' as const });
  return {
    id: crypto.randomUUID(),
    at,
    writer: 'w1',
    pid: 1,
    operation,
    origin:
      origin ??
      (load === undefined
        ? { kind: 'chat' }
        : { kind: 'experiment', experiment: { id: 'e1', attempt: 'a1', load, ...(isWarmUp && { isWarmUp }) } }),
    model,
    end: {
      at: at + 1,
      outcome,
      metrics: {
        ...(first !== undefined && { timeToFirstTokenSeconds: figure(first) }),
        ...(rate !== undefined && { tokensPerSecond: figure(rate) }),
        ...(tokens !== undefined && { promptTokens: figure(tokens), completionTokens: figure(2 * tokens) }),
      },
      ...(failure !== undefined && { failure }),
      ...(cost !== undefined && { cost }),
    },
  };
}

const refused: ApiFailure = { kind: 'unauthorized', status: 401, message: 'No key.' };

const digest = (...facts: readonly Facts[]): RequestDigest => digestOf(facts.map(request), dayOf);

describe('Measured figures of a model', () => {
  it('are medians and p95 of successful requests, with failures counted', () => {
    const replies = Array.from({ length: 101 }, (_, index) => ({ first: index / 100, rate: 100 + index, at: index }));
    const figures = figuresOf(
      digest(...replies.slice(51), ...replies.slice(0, 51), { outcome: 'failed', first: 9, rate: 1 }),
    )('a/b');
    // The newest 50 of each day are kept.
    assert.equal(figures?.requestCount, 102);
    assert.equal(figures.failureCount, 1);
    assert.equal(figures.latest.length, 30);
    const { timeToFirstTokenSeconds: first, tokensPerSecond: rate } = figures;
    assert.ok(first !== undefined && first.p50 < first.p95);
    assert.ok(rate !== undefined && rate.p95 < rate.p50, 'the slow end of a speed is the low one');
  });

  it('are based on the latest 200 replies, oldest first', () => {
    const days = Array.from({ length: 6 }, (_, day) =>
      digest(...Array.from({ length: 50 }, (_each, index) => ({ at: day * dayMs + index, rate: day + 1 }))),
    );
    const figures = figuresOf(mergeDigests(days.toReversed()))('a/b');
    assert.equal(figures?.requestCount, 300);
    assert.deepEqual(figures.tokensPerSecond, { p50: 4.5, p95: 3, from: 'service' });
    assert.equal(figures.latest.at(-1)?.at, 5 * dayMs + 49);
    assert.equal(figures.timeToFirstTokenSeconds, undefined);
  });

  it('leave out replies that a load made slow, but count their requests', () => {
    const figures = figuresOf(
      digest({ first: 1, rate: 50 }, { first: 1, rate: 50, load: 1 }, { first: 9, rate: 3, load: 16 }),
    )('a/b');
    assert.deepEqual([figures?.requestCount, figures?.ratedCount, figures?.tokensPerSecond?.p95], [3, 2, 50]);
  });

  it('leave out replies that warmed a model up, but count their requests', () => {
    const figures = figuresOf(digest({ first: 1, rate: 50 }, { first: 9, rate: 3, load: 1, isWarmUp: true }))('a/b');
    assert.deepEqual([figures?.requestCount, figures?.ratedCount], [2, 1]);
  });

  it('leave out the speed of replies that arrived at once, which includes the wait', () => {
    const clock = new ReplyClock(0);
    clock.heard({ type: 'text', text: 'x'.repeat(400) }, 5000);
    clock.heard({ type: 'usage', usage: { completionTokens: 100 } }, 5000);
    const arrivedAtOnce = (streamed: boolean): LoggedRequest => {
      const { end, ...start } = request({});
      const ended = { type: 'ended', id: start.id, writer: 'w1', ...end!, metrics: clock.metrics(5000, streamed) };
      const stored = decodeRequestRecord(JSON.stringify(ended));
      return stored?.type === 'ended' ? { ...start, end: stored } : assert.fail('not stored');
    };
    const whole = arrivedAtOnce(false);
    assert.equal(whole.end?.metrics.tokensPerSecond?.value, 20);
    const written = [request({ first: 1, rate: 80 }), request({ first: 1, rate: 80 })];
    const figures = figuresOf(digestOf([...written, whole, arrivedAtOnce(true)], dayOf))('a/b');
    assert.deepEqual([figures?.requestCount, figures?.ratedCount, figures?.tokensPerSecond?.p95], [4, 2, 80]);
    assert.equal(figures?.timeToFirstTokenSeconds?.p95, 4.6);
  });

  it('know the length of a usual reply from complete ones, without tests and measurements', () => {
    const partOf = (id: string) => ({ kind: 'experiment', experiment: { id, attempt: 'a1' } }) as const;
    const lengthOf = (...facts: readonly Facts[]) => figuresOf(digest({ tokens: 400 }, ...facts))('a/b')?.replyTokens;
    const others: readonly Facts[] = [
      { tokens: 32, origin: partOf('measurement-1') },
      { tokens: 32, origin: partOf('checks-1') },
      { tokens: 32, origin: { kind: 'connectionTest' } },
      { tokens: 32, origin: { kind: 'models' } },
      { tokens: 32, outcome: 'incomplete' },
      { outcome: 'stopped' },
    ];
    for (const other of others) {
      assert.equal(lengthOf(...Array.from({ length: 100 }, () => other)), 800, JSON.stringify(other));
    }
    assert.equal(lengthOf({ tokens: 200, origin: partOf('comparison-1') }), 600);
  });

  it('are empty for a model that was never used, whatever its name is', () => {
    for (const name of ['c/d', 'constructor', '__proto__', '']) assert.equal(figuresOf(digest({}))(name), undefined);
    assert.equal(figuresOf(digest({ model: 'constructor' }))('constructor')?.requestCount, 1);
  });

  it('interpolate between two values', () => {
    assert.equal(quantile([1, 2], 0.5), 1.5);
    assert.equal(quantile([3], 0.95), 3);
    assert.equal(quantile([1, 2, 3, 4, 5], 0), 1);
  });
});

describe('Usage', () => {
  const days = Array.from({ length: 30 }, (_, index) => dayOf(index * dayMs));
  const today = 29 * dayMs;
  const used = digest(
    { at: today, tokens: 10, cost: 0.5, first: 0.3, rate: 80 },
    { at: today, tokens: 20, model: 'c/d' },
    { at: today, outcome: 'failed', failure: refused },
    { at: today - 3 * dayMs, tokens: 5, cost: 0.25, model: 'c/d' },
    { at: today - 20 * dayMs, model: 'c/d' },
    { at: today - 20 * dayMs, model: 'c/d' },
    { at: today + 300 * dayMs, model: 'e/f' },
  );

  it('is summed by day, and by model for each time', () => {
    const view = usageView(used, days, 2);
    assert.equal(view.budget, 2);
    assert.deepEqual(view.today, {
      requests: 3,
      failed: 1,
      promptTokens: 30,
      completionTokens: 60,
      cost: 0.5,
      unpriced: 1,
      speed: {
        timeToFirstTokenSeconds: { value: 0.3, from: 'service' },
        tokensPerSecond: { value: 80, from: 'service' },
      },
    });
    assert.equal(view.days.length, 30);
    assert.deepEqual(
      view.days.filter(({ requests }) => requests > 0).map(({ day, requests }) => [day, requests]),
      [
        [dayOf(today - 20 * dayMs), 2],
        [dayOf(today - 3 * dayMs), 1],
        [dayOf(today), 3],
      ],
    );
    const counts = (range: keyof typeof view.ranges) =>
      view.ranges[range].map(({ model, requests }) => `${model} ${requests}`);
    assert.deepEqual(counts('today'), ['a/b 2', 'c/d 1']);
    assert.deepEqual(counts('week'), ['a/b 2', 'c/d 2']);
    assert.deepEqual(counts('month'), ['c/d 4', 'a/b 2']);
    assert.deepEqual(counts('all'), ['c/d 4', 'a/b 2', 'e/f 1']);
  });

  describe('of several services', () => {
    const spent = digestOf(
      [
        request({ at: today, model: 'a/b', cost: 1, tokens: 1 }),
        request({ at: today, model: 'local::a/b', tokens: 2 }),
        request({ at: today, model: 'gone::x/y', cost: 4, tokens: 1 }),
        { ...request({ at: today }), model: undefined, operation: 'catalog', service: 'local' } as never,
        { ...request({ at: today }), model: undefined, operation: 'catalog' } as never,
      ],
      dayOf,
    );

    afterEach(() => useServiceNames({}));

    it('is summed by service, including model lists and removed services', () => {
      useServiceNames({ service: 'Hosted', local: 'My machine' });
      const { services, ranges, serviceBudgets } = usageView(spent, days, null, [{ service: 'service', budget: 3 }]);
      assert.deepEqual(
        services?.today.map(({ name, requests, cost }) => [name, requests, cost]),
        [
          ['Hosted', 2, 1],
          ['My machine', 2, 0],
          ['gone', 1, 4],
        ],
      );
      assert.deepEqual(ranges.today.map(({ model }) => model).toSorted(), [
        '',
        'a/b',
        'gone::x/y',
        'local::',
        'local::a/b',
      ]);
      assert.deepEqual(
        serviceBudgets?.map(({ name, budget, today: sum }) => [name, budget, sum.cost]),
        [['Hosted', 3, 1]],
      );
      assert.equal(usageOn(spent, dayOf(today), 'local').requests, 2);
    });

    it("charges blind questions to no service's budget, but to the one for all", () => {
      const hidden = blindDigest(digestOf([request({ at: today, model: 'gone::x/y', cost: 4, tokens: 1 })], dayOf));
      const open = digestOf([request({ at: today, model: 'gone::x/y', cost: 2, tokens: 1 })], dayOf);
      const day = dayOf(today);
      const both = { [day]: { ...open[day], ...hidden[day] } };
      assert.equal(usageOn(both, day, 'service').cost, 0);
      assert.equal(usageOn(both, day, 'gone').cost, 2);
      assert.equal(usageOn(both, day).cost, 6);
      const { serviceBudgets } = usageView(both, days, 9, [{ service: 'service', budget: 3 }]);
      assert.equal(serviceBudgets?.[0]?.today.cost, 0);
    });

    it('charges blind questions to the only service there is, if no other one was asked', () => {
      const day = dayOf(today);
      const blindTo = (...models: readonly string[]) => {
        const asked = models.map((model) => request({ at: today, model, cost: 2, tokens: 1 }));
        const hidden = blindDigest(digestOf([request({ at: today, model: 'a/b', cost: 4, tokens: 1 })], dayOf));
        return usageOn(mergeDigests([digestOf(asked, dayOf), hidden]), day, 'service').cost;
      };
      useServiceNames({ service: 'Hosted' });
      assert.equal(blindTo(), 4);
      assert.equal(blindTo('a/b'), 6);
      assert.equal(blindTo('a/b', 'gone::x/y'), 2);
      useServiceNames({ service: 'Hosted', local: 'My machine' });
      assert.equal(blindTo('a/b'), 2);
    });

    it('compares what a request would cost with the budget for all services, and with that of each service it goes to', () => {
      const day = dayOf(today);
      const isOver = (costs: Readonly<Record<string, number>>, budget: number | null, gone: number) =>
        exceedsBudget(spent, day, new Map(Object.entries(costs)), budget, [{ service: 'gone', budget: gone }]);
      assert.equal(isOver({ gone: 1 }, null, 5), false);
      assert.equal(isOver({ gone: 1.1 }, null, 5), true);
      assert.equal(isOver({ local: 1.1 }, null, 5), false);
      // Over its budget already, but not asked.
      assert.equal(isOver({ local: 1.1 }, null, 1), false);
      assert.equal(isOver({ gone: 0.5, local: 0.5 }, 6, 9), false);
      assert.equal(isOver({ gone: 0.5, local: 0.6 }, 6, 9), true);
    });

    it("has no plural while there's one service", () => {
      useServiceNames({ service: 'Hosted' });
      const own = digest({ at: today, cost: 1, tokens: 1 });
      const { services, serviceBudgets } = usageView(own, days, null, [{ service: 'service', budget: 3 }]);
      assert.equal(services, undefined);
      assert.equal(serviceBudgets?.[0]?.name, '');
      assert.equal(usageView(own, days, null).serviceBudgets, undefined);
    });
  });

  describe('that is partly counted from the text', () => {
    const counted = request({ tokens: 40, rate: 80, cost: 0.25 });
    const { end } = request({ tokens: 60, rate: 90, cost: 0.5 });
    const estimate = (value: number) => ({ value, from: 'estimate' as const });
    const metrics = { ...end!.metrics, completionTokens: estimate(60), tokensPerSecond: estimate(90) };
    const guessed: LoggedRequest = { ...counted, id: 'g', end: { ...end!, metrics } };
    const digestFrom = (...all: readonly LoggedRequest[]) =>
      mergeDigests([digestOf(all.slice(0, 1), dayOf), digestOf(all.slice(1), dayOf)]);
    const sumOf = (...all: readonly LoggedRequest[]) => usageOn(digestFrom(...all), dayOf(0));

    it('marks the tokens, the cost, and the speed', () => {
      assert.equal(todayLine(sumOf(counted, guessed)), 'Today: 2 requests · ≈ 240 tokens · cost ≈ 0.75 · ≈ 85 tok/s');
      assert.equal(costOfSum(sumOf(guessed)), '≈ 0.50');
      assert.equal(todayLine(sumOf(counted)), 'Today: 1 request · 120 tokens · cost 0.25 · 80 tok/s');
    });

    it('has an exact but incomplete cost if only requests without a price were estimated', () => {
      const { cost: _cost, ...unpriced } = guessed.end!;
      assert.equal(costOfSum(sumOf(counted, { ...guessed, end: unpriced })), 'at least 0.25');
    });

    it('marks the speed of the model', () => {
      const speed = (...all: readonly LoggedRequest[]) => {
        const figures = figuresOf(digestFrom(...all))('a/b');
        return speedFacts(speedOf(figures ?? assert.fail('no figures')));
      };
      assert.deepEqual(speed(counted, guessed), ['≈ 85 tok/s']);
      assert.deepEqual(speed(counted), ['80 tok/s']);
    });
  });

  describe('without all prices', () => {
    const chat: Facts = { tokens: 10, cost: 0.042 };
    const lost: ApiFailure = { kind: 'connectionLost', host: 'h', code: 'ECONNRESET' };
    const sumOf = (...facts: readonly Facts[]) => usageOn(mergeDigests([digest(...facts)]), dayOf(0));

    it('costs at least what is known, even if a request has no tokens', () => {
      const others: readonly Facts[] = [
        { operation: 'video' },
        { operation: 'audio' },
        { operation: 'image', outcome: 'stopped' },
        { operation: 'video', outcome: 'failed', failure: lost },
        { outcome: 'stopped' },
      ];
      for (const other of others) {
        assert.equal(costOfSum(sumOf(chat, other)), 'at least 0.042', JSON.stringify(other));
        assert.match(todayLine(sumOf(chat, other)), /cost at least 0\.042/);
      }
    });

    it("costs exactly that if the others can't be charged", () => {
      const others: readonly Facts[] = [
        { operation: 'catalog' },
        { operation: 'catalog', outcome: 'failed', failure: lost },
        { outcome: 'failed', failure: refused },
        { operation: 'video', outcome: 'failed', failure: { kind: 'tls', reason: 'expired', host: 'h', code: 'E' } },
      ];
      for (const other of others) assert.equal(costOfSum(sumOf(chat, other)), '0.042', JSON.stringify(other));
    });

    it("isn't mentioned today if nothing has a price", () => {
      assert.equal(todayLine(sumOf({ tokens: 10 }, { operation: 'video' })), 'Today: 2 requests · 30 tokens');
    });
  });

  it('of today fits on one line', () => {
    assert.equal(
      todayLine(usageOn(used, dayOf(today))),
      'Today: 3 requests · 90 tokens · cost at least 0.50 · 80 tok/s · 0.30 s first token · 1 failed',
    );
    assert.equal(todayLine(usageOn(used, 'never')), 'Today: no requests yet');
  });
});
