import assert from 'node:assert/strict';
import * as v from 'valibot';
import { replySampleSchema, ReplySampler } from '../../../../src/core/experiments/replySample.ts';
import { metricsHere, sampleMetrics, tokenMarks } from '../../../../src/core/experiments/sampleMetrics.ts';

const sample = { sentAt: 0, firstMs: 200, lastMs: 2200, totalMs: 2300, gapsMs: [500, 500, 500, 500], replyTokens: 401 };

describe('The figures of a sample', () => {
  it('are measured here if the service sent none', () => {
    assert.deepEqual(sampleMetrics({ ...sample, promptTokens: 12 }), {
      timeToFirstTokenSeconds: { value: 0.2, from: 'here' },
      tokensPerSecond: { value: 200, from: 'here' },
      totalSeconds: { value: 2.3, from: 'here' },
      promptTokens: { value: 12, from: 'service' },
      completionTokens: { value: 401, from: 'service' },
    });
    const estimated = sampleMetrics({ ...sample, isEstimate: true });
    assert.deepEqual([estimated.tokensPerSecond?.from, estimated.completionTokens?.from], ['estimate', 'estimate']);
  });

  it("leave out thoughts that the service doesn't show, but count their tokens", () => {
    const sampler = new ReplySampler(0, 0);
    for (let step = 0; step <= 200; step += 1) sampler.arrived(12_000 + step * 10);
    sampler.heard({ type: 'text', text: 'x'.repeat(800) });
    sampler.heard({ type: 'usage', usage: { completionTokens: 1401, reasoningTokens: 1200 } });
    const hidden = v.parse(replySampleSchema, structuredClone(sampler.sample(14_000, true)));
    const { tokensPerSecond, completionTokens } = sampleMetrics(hidden);
    assert.deepEqual([Math.round(tokensPerSecond?.value ?? 0), completionTokens?.value], [100, 1401]);
    assert.deepEqual(tokenMarks(hidden, 100), [12.99, 13.99]);
    sampler.heard({ type: 'reasoning', text: 'Hm' });
    assert.equal(sampler.sample(14_000, true).hiddenTokens, undefined);
  });

  it("are the service's own if it sent some", () => {
    const service = { ttftSeconds: 0.18, tokensPerSecond: 190, totalTimeSeconds: 2.2 };
    const { timeToFirstTokenSeconds, tokensPerSecond, totalSeconds } = sampleMetrics({ ...sample, service });
    assert.deepEqual(
      [timeToFirstTokenSeconds, tokensPerSecond, totalSeconds],
      [0.18, 190, 2.2].map((value) => ({ value, from: 'service' })),
    );
  });

  it('are all measured here for a comparison, no matter whether the service sent some', () => {
    const service = { ttftSeconds: 0.18, tokensPerSecond: 190, totalTimeSeconds: 2.2 };
    assert.deepEqual(metricsHere({ ...sample, service }), sampleMetrics(sample));
    assert.equal(metricsHere(sample), undefined);
  });

  it('include when every hundredth token arrived', () => {
    assert.deepEqual(tokenMarks({ ...sample, replyTokens: 500 }, 100), [0.2, 0.7, 1.2, 1.7, 2.2]);
    assert.deepEqual(tokenMarks({ ...sample, replyTokens: 99 }, 100), []);
    assert.deepEqual(tokenMarks({ sentAt: 0, totalMs: 5, gapsMs: [], replyTokens: 300 }, 100), []);
  });
});
