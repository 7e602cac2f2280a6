import assert from 'node:assert/strict';
import fc from 'fast-check';
import { bootstrap, distributionOf, medianInterval, overlap } from '../../../../src/core/experiments/distribution.ts';
import { disagreement, experimentFigures, replyFigures } from '../../../../src/core/experiments/experimentFigures.ts';
import type { AttemptEnd } from '../../../../src/core/experiments/experimentRecord.ts';
import { type ReplySample, ReplySampler } from '../../../../src/core/experiments/replySample.ts';

function ended(outcome: AttemptEnd['outcome'], changes: Partial<AttemptEnd> = {}): AttemptEnd {
  return { type: 'ended', attempt: crypto.randomUUID(), outcome, writer: 'w', at: 1, ...changes };
}

function sample(changes: Partial<ReplySample> = {}): ReplySample {
  return { sentAt: 1000, firstMs: 200, lastMs: 1200, totalMs: 1250, gapsMs: [], replyTokens: 101, ...changes };
}

describe('The figures of an experiment', () => {
  it('follow the usual definitions', () => {
    const figures = replyFigures(sample());
    assert.equal(figures.firstMs, 200);
    assert.equal(figures.endToEndMs, 1200);
    assert.equal(figures.perTokenMs, 10);
    assert.equal(figures.tokensPerSecond, 100);
  });

  it("leave out what can't be measured for one token, or a reply in one piece", () => {
    assert.deepEqual(Object.keys(replyFigures(sample({ replyTokens: 1 }))), ['firstMs', 'endToEndMs']);
    assert.deepEqual(replyFigures({ sentAt: 0, totalMs: 50, gapsMs: [] }), { endToEndMs: 50 });
  });

  it('count from the first arrival of text to the last', () => {
    const sampler = new ReplySampler(5000, 100);
    sampler.arrived(150);
    sampler.heard({ type: 'reasoning', text: 'Hm' });
    sampler.arrived(175);
    sampler.heard({ type: 'text', text: 'Hello' });
    sampler.heard({ type: 'usage', usage: { promptTokens: 3, completionTokens: 2 } });
    assert.deepEqual(sampler.sample(200, true), {
      sentAt: 5000,
      firstMs: 50,
      lastMs: 75,
      totalMs: 100,
      gapsMs: [25],
      promptTokens: 3,
      replyTokens: 2,
    });
    assert.deepEqual(sampler.sample(200, false).firstMs, undefined);
  });

  it('are of successful replies; the others are counted by kind', () => {
    const failure = { kind: 'serverError', status: 500, message: '' } as const;
    const rateLimited = { kind: 'rateLimited', status: 429, message: '' } as const;
    const figures = experimentFigures([
      ended('done', { sample: sample(), cost: 2 }),
      ended('done', { sample: sample({ sentAt: 2000, firstMs: 400 }), cost: 3 }),
      ended('incomplete', { sample: sample({ sentAt: 3000, firstMs: 9000 }), cost: 1 }),
      ended('failed', { failure }),
      ended('failed', { failure, sample: { sentAt: 3500, totalMs: 500, gapsMs: [] } }),
      ended('failed', { failure: rateLimited, isOpen: true }),
      ended('stopped', { isOpen: true }),
    ]);
    const { done, incomplete, stopped, failed } = figures;
    assert.deepEqual([done, incomplete, stopped, failed], [2, 1, 0, 3]);
    assert.deepEqual(
      [...figures.failures],
      [
        ['serverError', 2],
        ['rateLimited', 1],
      ],
    );
    assert.deepEqual([figures.firstMs?.median, figures.firstMs?.max], [300, 400]);
    assert.equal(figures.seconds, 3.25);
    assert.equal(figures.requestsPerSecond, 2 / 3.25);
    assert.equal(figures.overallTokensPerSecond, 202 / 3.25);
    assert.equal(figures.costEach, 2.5);
  });

  it('have no average cost if a successful request has no price', () => {
    const priced = ended('done', { sample: sample(), cost: 2 });
    assert.equal(experimentFigures([priced, ended('done', { sample: sample() })]).costEach, undefined);
    assert.equal(experimentFigures([]).costEach, undefined);
  });

  it('count a reply that ran into its maximum length as successful', () => {
    const { done, incomplete, firstMs } = experimentFigures([
      ended('incomplete', { finishReason: 'length', sample: sample() }),
      ended('incomplete', { finishReason: 'content_filter', sample: sample() }),
    ]);
    assert.deepEqual([done, incomplete, firstMs?.count], [1, 1, 1]);
  });

  it('have a goodput of those that met every target', () => {
    const ends = [100, 200, 300].map((firstMs) => ended('done', { sample: sample({ firstMs }) }));
    const good = (target: Parameters<typeof experimentFigures>[1]) =>
      experimentFigures(ends, target).goodRequestsPerSecond;
    assert.equal(good({ firstMs: 200 }), 2 / 1.25);
    assert.equal(good({ firstMs: 200, endToEndMs: 1000 }), 0);
    assert.equal(good({ perTokenMs: 100 }), 3 / 1.25);
    assert.equal(good(undefined), undefined);
    const inOnePiece = [ended('done', { sample: { sentAt: 0, totalMs: 1000, gapsMs: [] } })];
    assert.equal(experimentFigures(inOnePiece, { firstMs: 200 }).goodRequestsPerSecond, 0);
    assert.equal(experimentFigures(inOnePiece, { endToEndMs: 1000 }).goodRequestsPerSecond, 1);
  });

  it("say how far the service's own figures are from ours", () => {
    const service = { ttftSeconds: 0.19, totalTimeSeconds: 1.3 };
    const { firstMs, endToEndMs } = disagreement(sample({ service }));
    assert.deepEqual([Math.round(firstMs ?? 0), Math.round(endToEndMs ?? 0)], [10, -100]);
    assert.deepEqual(disagreement(sample()), {});
  });
});

describe('A distribution', () => {
  it("has NumPy's quantiles", () => {
    // numpy.percentile([15, 20, 35, 40, 50], [25, 50, 75, 90, 95, 99])
    const { median, p90, p95, p99, iqr } = distributionOf([50, 15, 40, 20, 35]) ?? assert.fail();
    assert.deepEqual(
      [median, p90, p95, p99, iqr].map((value) => Math.round(value * 1e6) / 1e6),
      [35, 46, 48, 49.6, 20],
    );
    assert.equal(distributionOf([]), undefined);
  });

  it('has an interval that contains the true median about 95% of the time', () => {
    let held = 0;
    // Its own generator, so that the test always draws the same numbers.
    let state = 7;
    const random = () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
    for (let round = 0; round < 200; round += 1) {
      const figures = Array.from({ length: 40 }, () => -Math.log(1 - random()));
      const { low, high } = medianInterval(figures) ?? assert.fail();
      if (low <= Math.LN2 && Math.LN2 <= high) held += 1;
    }
    assert.ok(held >= 180 && held <= 199, `${held} of 200`);
  });

  it('has the same interval each time, and none below 5 figures', () => {
    const figures = [3, 1, 4, 1, 5, 9, 2, 6];
    assert.deepEqual(medianInterval(figures), medianInterval(figures));
    assert.equal(medianInterval([1, 2, 3, 4]), undefined);
    assert.deepEqual(
      bootstrap(0, () => [1]),
      [],
    );
  });

  it('has the interval that sorting each sample would give', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(20), { minLength: 5, maxLength: 12 }), (figures) => {
        const sorted = figures.toSorted((a, b) => a - b);
        const [plain] = bootstrap(sorted.length, (timesDrawn) => [
          distributionOf(
            sorted.flatMap((figure, index) => Array.from({ length: timesDrawn[index] ?? 0 }, () => figure)),
          )?.median ?? 0,
        ]);
        assert.deepEqual(medianInterval(figures), plain);
      }),
      { numRuns: 10 },
    );
  });

  it('overlaps another in both directions', () => {
    fc.assert(
      fc.property(fc.tuple(fc.nat(9), fc.nat(9)), fc.tuple(fc.nat(9), fc.nat(9)), ([a, b], [c, d]) => {
        const x = { low: Math.min(a, b), high: Math.max(a, b) };
        const y = { low: Math.min(c, d), high: Math.max(c, d) };
        const seen = Array.from({ length: 10 }, (_, n) => n).some((n) =>
          [x, y].every(({ low, high }) => low <= n && n <= high),
        );
        assert.equal(overlap(x, y), seen);
        assert.equal(overlap(y, x), seen);
      }),
    );
  });
});
