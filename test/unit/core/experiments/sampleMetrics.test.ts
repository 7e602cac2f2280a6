import assert from 'node:assert/strict';
import { sampleMetrics, tokenMarks } from '../../../../src/core/experiments/sampleMetrics.ts';

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

  it("are the service's own if it sent some", () => {
    const service = { ttftSeconds: 0.18, tokensPerSecond: 190, totalTimeSeconds: 2.2 };
    const { timeToFirstTokenSeconds, tokensPerSecond, totalSeconds } = sampleMetrics({ ...sample, service });
    assert.deepEqual(
      [timeToFirstTokenSeconds, tokensPerSecond, totalSeconds],
      [0.18, 190, 2.2].map((value) => ({ value, from: 'service' })),
    );
  });

  it('include when every hundredth token arrived', () => {
    assert.deepEqual(tokenMarks({ ...sample, replyTokens: 500 }, 100), [0.2, 0.7, 1.2, 1.7, 2.2]);
    assert.deepEqual(tokenMarks({ ...sample, replyTokens: 99 }, 100), []);
    assert.deepEqual(tokenMarks({ sentAt: 0, totalMs: 5, gapsMs: [], replyTokens: 300 }, 100), []);
  });
});
