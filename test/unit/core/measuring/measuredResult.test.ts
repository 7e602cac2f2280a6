import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Experiment } from '../../../../src/core/experiments/experiment.ts';
import { ExperimentLog } from '../../../../src/core/experiments/experimentLog.ts';
import type { AttemptEnd, RunEnd } from '../../../../src/core/experiments/experimentRecord.ts';
import { plannedRequests } from '../../../../src/core/experiments/experimentPlan.ts';
import type { ReplySample } from '../../../../src/core/experiments/replySample.ts';
import { ResultBuilder } from '../../../../src/core/measuring/measuredResult.ts';
import { measuredComparison, changeVerdict } from '../../../../src/core/measuring/measuredComparison.ts';
import {
  measurementCsv,
  measurementJson,
  measurementMarkdown,
} from '../../../../src/core/measuring/measurementExport.ts';
import type { ApiFailure } from '../../../../src/shared/apiFailure.ts';
import { useServiceNames } from '../../../../src/words/modelLabel.ts';
import { someExperiment } from '../experiments/someExperiment.ts';

const written = { writer: 'w', at: 2000 };
const overloaded: ApiFailure = { kind: 'unavailable', status: 503, message: '' };
const limited: ApiFailure = { kind: 'rateLimited', status: 429, message: '', retryAfterMs: 1000 };
const explain = ({ kind }: ApiFailure) => ({ title: `It was ${kind}`, detail: 'Do this.' });

const experiment = someExperiment({
  models: [{ id: 'a/one' }, { id: 'b|two' }],
  repeats: 6,
  order: 'oneAfterAnother',
  concurrency: [1, 4],
  warmUp: 1,
  target: { firstMs: 205 },
  options: { maxTokens: 11 },
});

/** A reply that starts after this time, and is written at 100 tokens per second. */
function reply(attempt: string, firstMs: number, changes: Partial<AttemptEnd> = {}): AttemptEnd {
  const sample = {
    sentAt: 1000,
    firstMs,
    lastMs: firstMs + 100,
    totalMs: firstMs + 100,
    gapsMs: [10],
    promptTokens: 5,
    replyTokens: 11,
    service: { ttftSeconds: (firstMs - 2) / 1000, totalTimeSeconds: (firstMs + 98) / 1000 },
  };
  return { type: 'ended', attempt, outcome: 'done', sample, cost: 0.001, ...written, ...changes };
}

function logOf(
  of: Experiment,
  ends: (key: string, index: number) => readonly AttemptEnd[],
  end?: RunEnd,
): ExperimentLog {
  const log = new ExperimentLog();
  log.apply({ type: 'created', version: 1, experiment: of, writer: 'w', at: 1000 });
  log.apply({ type: 'runStarted', run: 'r', writer: 'w', at: 1000 });
  for (const [index, { key }] of plannedRequests(of).entries()) {
    for (const each of ends(key, index)) {
      log.apply({ type: 'sending', run: 'r', attempt: each.attempt, request: key, writer: 'w', at: 1500 });
      log.apply(each);
    }
  }
  if (end !== undefined) log.apply({ type: 'runEnded', run: 'r', end, writer: 'w', at: 9000 });
  return log;
}

function resultOf(of: Experiment, log: ExperimentLog) {
  const builder = new ResultBuilder(of, 1000, explain);
  builder.addAll(log);
  return builder.ended(
    log,
    log.states(() => false),
  );
}

describe('The result of a measurement', () => {
  const whole = logOf(experiment, (key, index) => [reply(`${key}!`, 200 + (index % 3) * 10)], { reason: 'done' });

  it('has the figures of each model at each level of concurrency, without warm-ups', () => {
    const result = resultOf(experiment, whole);
    assert.deepEqual(
      result.groups.map(({ model, load, done }) => [model, load, done]),
      [
        [0, 1, 6],
        [0, 4, 6],
        [1, 1, 6],
        [1, 4, 6],
      ],
    );
    const [group] = result.groups;
    assert.equal(group?.spreads.firstMs?.median, 210);
    assert.equal(group?.spreads.tokensPerSecond?.median, 100);
    assert.equal(group?.spreads.perTokenMs?.median, 10);
    assert.ok(group?.spreads.firstMs?.interval !== undefined);
    assert.equal(group?.costPer1000, 1);
    assert.equal(group?.dots.length, 6);
    assert.ok((group?.goodRequestsPerSecond ?? 0) < (group?.requestsPerSecond ?? 0));
    assert.equal(group?.service?.isOff, false);
    assert.deepEqual([result.ended, result.planned, result.open, result.endedAt], [24, 24, 0, 9000]);
    assert.deepEqual(result.notes, []);
  });

  it('has the slow end of the speed everywhere, in CSV and JSON too', () => {
    const slower = logOf(experiment, (key, index) => {
      const end = reply(`${key}!`, 200);
      // The last one takes 50 ms per token instead of 10.
      const lastMs = 200 + (index % 6 === 5 ? 500 : 100);
      return [{ ...end, ...(end.sample && { sample: { ...end.sample, lastMs, totalMs: lastMs } }) }];
    });
    const result = resultOf(experiment, slower);
    const { tokensPerSecond: rate, perTokenMs } = result.groups[0]?.spreads ?? {};
    assert.equal(rate?.median, 100);
    assert.ok(rate !== undefined && rate.p95 < rate.p90 && rate.p90 < rate.median);
    assert.equal(rate.p95, 1000 / (perTokenMs?.p95 ?? 0));
    const [heads = '', line = ''] = measurementCsv({ experiment, result }).split('\r\n');
    const at = heads.split(',').indexOf('tokens_per_second_p95');
    assert.equal(line.split(',')[at], String(Number(rate.p95.toPrecision(6))));
    assert.match(measurementJson({ experiment, result }), new RegExp(`"p95": ${rate.p95}`));
  });

  it('says that models which took turns share their load', () => {
    const notesOf = (changes: Partial<Experiment>) =>
      resultOf(
        { ...experiment, ...changes },
        logOf({ ...experiment, ...changes }, (key) => [reply(key, 1)], { reason: 'done' }),
      ).notes.length;
    assert.equal(notesOf({ order: 'interleaved' }), 1);
    assert.equal(notesOf({ order: 'interleaved', models: [{ id: 'a/one' }] }), 0);
    assert.equal(notesOf({ order: 'allAtOnce' }), 0);
  });

  it('counts what has ended as if it went through all of it, in whatever order and how often things end', () => {
    const keys = plannedRequests(experiment).map(({ key }) => key);
    const times = { sentAt: 1000, totalMs: 300, gapsMs: [] };
    const estimated: ReplySample = { ...times, promptTokens: 5, replyTokens: 9, isEstimate: true };
    const anyEnd = fc.record({
      key: fc.constantFrom(...keys),
      end: fc.constantFrom<Partial<AttemptEnd>>(
        {},
        { cost: 0.5 },
        { cost: 0.5, sample: estimated },
        { sample: estimated },
        { outcome: 'failed', failure: overloaded },
        { outcome: 'failed', failure: limited, isOpen: true },
        { outcome: 'stopped', isOpen: true },
      ),
    });
    fc.assert(
      fc.property(fc.array(anyEnd, { maxLength: 80 }), (ends) => {
        const builder = new ResultBuilder(experiment, 1000, explain);
        const known = new Map<string, AttemptEnd>();
        for (const [index, { key, end }] of ends.entries()) {
          const { cost: _cost, ...free } = reply(`a${index}`, 200);
          const made = { ...free, ...end };
          builder.add(key, made);
          if (!known.has(key) || made.isOpen !== true) known.set(key, made);
        }
        const over = [...known].filter(([, { isOpen }]) => isOpen !== true);
        const measured = over.filter(([key]) => !key.startsWith('w.'));
        assert.deepEqual(builder.counts(), {
          ended: measured.length,
          planned: 24,
          failed: measured.filter(([, { failure }]) => failure !== undefined).length,
        });
        assert.equal(
          builder.costs().cost,
          [...known.values()].reduce((sum, { cost = 0 }) => sum + cost, 0),
        );
        assert.equal(
          builder.costs().isCostAtLeast,
          over.some(([, { cost }]) => cost === undefined),
        );
        assert.equal(
          builder.costs().isCostEstimate,
          [...known.values()].some(({ cost, sample }) => cost !== undefined && sample?.isEstimate === true),
        );
        const full = [0, 1].flatMap((model) =>
          [1, 4].filter((load) => measured.filter(([key]) => key.startsWith(`c${load}.m${model}.`)).length === 6),
        );
        assert.equal(builder.finishedGroups, full.length);
        assert.equal(builder.running().groups.length, full.length);
      }),
    );
  });

  it("flags figures of the service that the network can't explain", () => {
    const off = logOf(experiment, (key) => {
      const end = reply(`${key}!`, 400);
      return [{ ...end, ...(end.sample && { sample: { ...end.sample, service: { ttftSeconds: 0.2 } } }) }];
    });
    assert.equal(resultOf(experiment, off).groups[0]?.service?.isOff, true);
  });

  it("has the price of the requests that got a reply: those that were refused or failed don't count", () => {
    const noCredits: ApiFailure = { kind: 'outOfCredits', status: 402, message: '' };
    const refused = (attempt: string): AttemptEnd => {
      return { type: 'ended', attempt, outcome: 'failed', failure: noCredits, isOpen: true, ...written };
    };
    // Half of those to the first model.
    const isAnswered = (key: string) => /m0\..*[024]$/.test(key);
    const log = logOf(experiment, (key) => [isAnswered(key) ? reply(`${key}!`, 200) : refused(`${key}!`)]);
    const { groups } = resultOf(experiment, log);
    assert.ok(groups.some(({ model, done, failed }) => model === 0 && done > 0 && failed > 0));
    for (const { model, costPer1000 } of groups) assert.equal(costPer1000, model === 0 ? 1 : undefined);
    // One that failed or was stopped has an unknown price, but those of the others are known.
    const unpriced = logOf(experiment, (key, index) => [
      index === 3
        ? { type: 'ended', attempt: key, outcome: 'failed', failure: overloaded, ...written }
        : index === 4
          ? { type: 'ended', attempt: key, outcome: 'stopped', ...written }
          : reply(key, 200),
    ]);
    assert.deepEqual(
      resultOf(experiment, unpriced).groups.map(({ costPer1000 }) => costPer1000),
      [1, 1, 1, 1],
    );
  });

  it('counts failures by kind, and a refused request that was resent as one success', () => {
    const log = logOf(
      experiment,
      (key, index) =>
        index === 5
          ? [{ type: 'ended', attempt: 'x', outcome: 'failed', failure: overloaded, ...written }]
          : index === 6
            ? [
                { type: 'ended', attempt: 'y', outcome: 'failed', failure: limited, isOpen: true, ...written },
                reply(`${key}!`, 200),
              ]
            : index === 7
              ? [
                  // In the record, this one is before the reply, and the one above is after it.
                  { type: 'ended', attempt: 'a', outcome: 'failed', failure: limited, isOpen: true, ...written },
                  reply(`${key}!`, 200),
                ]
              : [reply(`${key}!`, 200)],
      { reason: 'done' },
    );
    const result = resultOf(experiment, log);
    const failed = result.groups.filter(({ failures }) => failures.length > 0);
    assert.deepEqual(
      failed.map(({ failures }) => failures),
      [[{ title: 'It was unavailable', count: 1 }]],
    );
    assert.equal(
      result.groups.reduce((sum, { done }) => sum + done, 0),
      23,
    );
    assert.deepEqual(result.notes, [
      'The service temporarily refused 2 requests. Parlance waited as long as required.',
    ]);
    assert.equal(result.isCostAtLeast, true);
  });

  it('says that it waited only for a service that requested it, and not for one that is out of credits or gone', () => {
    const gone: ApiFailure = {
      kind: 'network',
      reason: 'refused',
      host: 'a.test',
      code: 'ECONNREFUSED',
      mayHaveBeenSent: false,
    };
    for (const failure of [{ kind: 'outOfCredits', status: 402, message: '' } as const, gone]) {
      const log = logOf(experiment, (key, index) =>
        index === 3 ? [{ type: 'ended', attempt: key, outcome: 'failed', failure, isOpen: true, ...written }] : [],
      );
      log.apply({ type: 'runEnded', run: 'r', end: { reason: 'failed', failure }, writer: 'w', at: 9000 });
      assert.deepEqual(resultOf(experiment, log).notes, [], failure.kind);
    }
  });

  it('has the throughput of the time in which it ran, not of the night before it was resumed', () => {
    const one = { ...experiment, models: [{ id: 'a/one' }], concurrency: [1], warmUp: 0 };
    const log = logOf(one, () => [], { reason: 'stopped' });
    log.apply({ type: 'runStarted', run: 'later', writer: 'w', at: 40_000_000 });
    for (const [index, { key }] of plannedRequests(one).entries()) {
      const end = reply(`${key}!`, 200);
      const isLater = index >= 3;
      const sentAt = (isLater ? 40_000_000 : 1000) + (index % 3) * 400;
      const run = isLater ? 'later' : 'r';
      log.apply({ type: 'sending', run, attempt: end.attempt, request: key, writer: 'w', at: sentAt });
      log.apply({ ...end, ...(end.sample && { sample: { ...end.sample, sentAt } }) });
    }
    log.apply({ type: 'runEnded', run: 'later', end: { reason: 'done' }, writer: 'w', at: 40_001_000 });
    const { groups, tookMs } = resultOf(one, log);
    const [group] = groups;
    // Between the lines of each run.
    assert.equal(tookMs, 8000 + 1000);
    // Each run took 2 × 400 + 300 ms.
    assert.equal(group?.requestsPerSecond, 6 / 2.2);
    assert.equal(group.overallTokensPerSecond, 66 / 2.2);
  });

  it('shows how it ended, what is left to send, and what might be charged', () => {
    const half = logOf(experiment, (key, index) => (index < 10 ? [reply(`${key}!`, 200)] : []), { reason: 'stopped' });
    half.apply({ type: 'sending', run: 'r', attempt: 'lost', request: 'c4.m0.p0.r5', writer: 'w', at: 1500 });
    const result = resultOf(experiment, half);
    // The lost one might cost something, too.
    assert.equal(result.isCostAtLeast, true);
    assert.equal(result.notes[0], 'Stopped at 9 of 24 requests.');
    assert.equal(result.open, 26 - 10 - result.mightBeCharged);
    assert.deepEqual(result.notes.slice(1), [
      '1 request was cut off. It might have been charged, and is never sent again.',
    ]);
    half.apply({
      type: 'gaveUp',
      run: 'r',
      model: '["","a/one"]',
      failure: { kind: 'outOfCredits', status: 402, message: '' },
      ...written,
    });
    assert.ok(
      resultOf(experiment, half).notes.includes('Nothing more was sent to a/one: It was outOfCredits. Do this.'),
    );
  });

  it('offers nothing to resume once a limit is reached, because a resumed run would end at once', () => {
    for (const limit of ['minutes', 'requests', 'tokens', 'cost'] as const) {
      const some = (key: string, index: number) => (index < 10 ? [reply(`${key}!`, 200)] : []);
      const { open } = resultOf(experiment, logOf(experiment, some, { reason: 'limit', limit }));
      assert.equal(open, 0, limit);
    }
    const limit = logOf(experiment, () => [], { reason: 'limit', limit: 'minutes' });
    assert.deepEqual(resultOf(experiment, limit).notes, ['Ended at 0 of 24 requests: the time limit was reached.']);
  });

  it("says what to do about a disk that a run couldn't be saved on", () => {
    const advice = (code?: string) => {
      const end: RunEnd = { reason: 'disk', ...(code !== undefined && { code }) };
      return resultOf(
        experiment,
        logOf(experiment, () => [], end),
      )
        .notes.join()
        .replace("Ended at 0 of 24 requests: the run couldn't be saved. ", '');
    };
    const [full, locked] = [
      'Free up disk space.',
      'Make its folder writable, and close programs that might be using its files.',
    ];
    for (const code of ['ENOSPC', 'EDQUOT']) assert.equal(advice(code), full);
    for (const code of ['EACCES', 'EPERM', 'EROFS', 'EBUSY']) assert.equal(advice(code), locked);
    for (const code of ['EIO', undefined]) assert.equal(advice(code), 'The log has the details.');
  });

  it('says that requests that were stopped in mid-reply might be charged, but not those that were never sent', () => {
    const stopped = (attempt: string): AttemptEnd => ({ type: 'ended', attempt, outcome: 'stopped', ...written });
    const log = logOf(
      experiment,
      (key, index) =>
        index < 10
          ? [reply(`${key}!`, 200)]
          : index < 12
            ? [stopped(key)]
            : index < 14
              ? [{ ...stopped(key), isOpen: true }]
              : [],
      { reason: 'stopped' },
    );
    const result = resultOf(experiment, log);
    assert.deepEqual([result.mightBeCharged, result.open], [2, 26 - 12]);
    assert.equal(
      result.notes.at(-1),
      '2 requests were cut off. They might have been charged, and are never sent again.',
    );
  });

  it('says that this machine was too slow: above 5 ms, or 2 ms and 2% of the shortest first token', () => {
    for (const [firstMs, p95Ms, isTooSlow] of [
      [undefined, 4, false],
      [undefined, 12, true],
      [1000, 5.5, true],
      [1000, 4.5, false],
      [150, 3.5, true],
      [150, 2.5, false],
      [20, 2.5, true],
      [20, 1.5, false],
    ] as const) {
      const ends = (key: string) => (firstMs === undefined ? [] : [reply(key, firstMs)]);
      const log = logOf(experiment, ends, { reason: 'done' });
      log.apply({ type: 'heldUp', run: 'r', p95Ms, ...written });
      assert.equal(resultOf(experiment, log).heldUpMs, isTooSlow ? p95Ms : undefined, `${firstMs} and ${p95Ms} ms`);
    }
  });

  it('has only the finished groups during the run, and no intervals', () => {
    const builder = new ResultBuilder(experiment, 1000, explain);
    for (const { key, model, concurrency } of plannedRequests(experiment)) {
      if (model.id === 'a/one' && concurrency === 1) builder.add(key, reply(`${key}!`, 200));
    }
    builder.add('c4.m0.p0.r0', reply('z', 200));
    const { groups } = builder.running();
    assert.deepEqual(
      groups.map(({ model, load }) => [model, load]),
      [[0, 1]],
    );
    assert.equal(groups[0]?.spreads.firstMs?.interval, undefined);
    assert.deepEqual(builder.counts(), { ended: 7, planned: 24, failed: 0 });
  });

  it("claims a change only if the intervals don't overlap", () => {
    const spread = (median: number, low: number, high: number) => ({
      count: 9,
      median,
      p90: 0,
      p95: 0,
      p99: 0,
      iqr: 0,
      interval: { low, high },
    });
    const change = 0.5;
    assert.deepEqual(changeVerdict('firstMs', spread(300, 280, 320), spread(200, 190, 210)), {
      kind: 'slower',
      change,
    });
    assert.deepEqual(changeVerdict('tokensPerSecond', spread(300, 280, 320), spread(200, 190, 210)), {
      kind: 'faster',
      change,
    });
    assert.deepEqual(changeVerdict('firstMs', spread(300, 200, 320), spread(200, 190, 200)), {
      kind: 'unclear',
      change,
    });
    const { interval: _, ...few } = spread(300, 0, 0);
    assert.deepEqual(changeVerdict('firstMs', few, spread(200, 190, 210)), { kind: 'tooFew', change });
  });

  it("doesn't claim a change of the speed between estimated and counted tokens", () => {
    const logAt = (firstMs: number, tokens: number, isEstimate: boolean) =>
      logOf(experiment, (key) => {
        const { sample, ...end } = reply(`${key}!`, firstMs);
        assert.ok(sample !== undefined);
        return [
          { ...end, sample: { ...sample, replyTokens: tokens, ...(isEstimate && { isEstimate: true as const }) } },
        ];
      });
    const runOf = (log: ExperimentLog) => ({ experiment, result: resultOf(experiment, log) });
    const counted = runOf(logAt(400, 6, false));
    for (const [isEstimate, before, kind] of [
      [true, counted, undefined],
      [false, counted, 'faster'],
      [true, runOf(logAt(400, 6, true)), 'faster'],
    ] as const) {
      const { models } = measuredComparison(runOf(logAt(200, 11, isEstimate)), before);
      assert.equal(models[0]?.verdicts.tokensPerSecond?.kind, kind);
      assert.equal(models[0]?.verdicts.firstMs?.kind, 'faster');
    }
  });

  it('is compared only with an earlier run of the same prompt, sizes, and service', () => {
    const run = { experiment, result: resultOf(experiment, whole) };
    const slowLog = logOf(experiment, (key, index) => [reply(`${key}!`, 400 + (index % 3) * 10)], { reason: 'done' });
    const slow = { experiment: { ...experiment, id: 'e2' }, result: resultOf(experiment, slowLog) };
    const { models, notComparable } = measuredComparison(run, slow);
    assert.equal(notComparable, undefined);
    assert.equal(models.length, 4);
    assert.equal(models[0]?.verdicts.firstMs?.kind, 'faster');
    assert.equal(models[0]?.verdicts.tokensPerSecond?.kind, 'unclear');
    const against = (changes: Partial<Experiment>) =>
      measuredComparison(run, { ...slow, experiment: { ...experiment, ...changes } }).notComparable;
    const other = [{ id: 'p1', messages: [{ role: 'user', content: 'Another' } as const] }];
    assert.equal(against({ prompts: other }), 'Not comparable: the prompt differs');
    assert.equal(against({ host: 'elsewhere.example' }), 'Not comparable: the service differs');
    assert.equal(against({ options: { maxTokens: 12 } }), 'Not comparable: max tokens differs');
    assert.equal(against({ hasUniquePrefix: true }), 'Not comparable: the unique prefix differs');
    assert.equal(against({ order: 'allAtOnce' }), 'Not comparable: the order differs');
    assert.equal(against({ models: [{ id: 'c' }] }), 'Not comparable: the models differ');
    // The others are part of the load, unless each model was measured on its own.
    const [one, two] = experiment.models as [{ readonly id: string }, { readonly id: string }];
    for (const others of [[one], [one, two, { id: 'c' }]]) {
      assert.equal(against({ models: [...others] }), undefined);
      const inTurns = { ...experiment, order: 'interleaved' as const };
      const before = { ...slow, experiment: { ...inTurns, models: [...others] } };
      const { notComparable: why } = measuredComparison({ ...run, experiment: inTurns }, before);
      assert.equal(why, 'Not comparable: the models differ');
    }
    assert.equal(against({ concurrency: [2] }), 'Not comparable: the numbers of requests at once differ');
  });

  it('is exported for spreadsheets, programs, and people', () => {
    const run = { experiment, result: resultOf(experiment, whole) };
    const [heads = '', first = '', ...lines] = measurementCsv(run).split('\r\n');
    const cells = Object.fromEntries(heads.split(',').map((head, index) => [head, first.split(',')[index]]));
    assert.equal(lines.length, 4);
    assert.deepEqual(
      [cells['model'], cells['concurrency'], cells['ttft_ms_median'], cells['tpot_ms_p99'], cells['cost_per_1000']],
      ['a/one', '1', '210', '10', '1'],
    );
    const json: unknown = JSON.parse(measurementJson(run));
    assert.deepEqual((json as { experiment: Experiment }).experiment, experiment);
    const markdown = measurementMarkdown(run);
    assert.match(markdown, /^# Measure Models\n/);
    assert.match(markdown, /\| b\\\|two \| 4 \| 0\.21 s \|/);
  });

  it('names the service of each model if there are several', () => {
    useServiceNames({ service: 'Northwind', home: 'Home server' });
    try {
      const two = { ...experiment, models: [{ id: 'a/one' }, { id: 'home::a/one' }] };
      const log = logOf(two, (key) => [reply(`${key}!`, 200)], { reason: 'done' });
      const failure = { kind: 'outOfCredits', status: 402, message: '' } as const;
      log.apply({ type: 'gaveUp', run: 'r', model: '["","home::a/one"]', failure, ...written });
      const result = resultOf(two, log);
      assert.deepEqual(result.notes, ['Nothing more was sent to a/one (Home server): It was outOfCredits. Do this.']);
      const markdown = measurementMarkdown({ experiment: two, result });
      assert.match(markdown, /\| a\/one \(Northwind\) \| 1 \|/);
      assert.match(markdown, /\| a\/one \(Home server\) \| 1 \|/);
      const csv = measurementCsv({ experiment: two, result }).split('\r\n');
      assert.deepEqual(
        csv.slice(1, 5).map((cells) => cells.split(',').slice(0, 3).join()),
        ['a/one,Northwind,1', 'a/one,Northwind,4', 'a/one,Home server,1', 'a/one,Home server,4'],
      );
      assert.deepEqual((JSON.parse(measurementJson({ experiment: two, result })) as { models: unknown }).models, [
        { model: 'a/one', service: 'Northwind' },
        { model: 'a/one', service: 'Home server' },
      ]);
    } finally {
      useServiceNames({});
    }
  });

  it('marks in its exports what was estimated from the text', () => {
    const log = logOf(experiment, (key) => {
      const end = reply(`${key}!`, 200);
      return [{ ...end, ...(end.sample && { sample: { ...end.sample, isEstimate: true as const } }) }];
    });
    const run = { experiment, result: resultOf(experiment, log) };
    assert.match(measurementMarkdown(run), /\| ≈ 100 \| ≈ 100 \|/);
    assert.match(measurementCsv(run).split('\r\n')[1] ?? '', /,1$/);
  });
});
