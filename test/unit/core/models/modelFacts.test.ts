import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { modelFacts } from '../../../../src/core/models/modelFacts.ts';

const raw = {};

describe('The facts of a model', () => {
  it('are size and price if the model list has them', () => {
    assert.equal(modelFacts({ id: 'a', raw }), '');
    assert.equal(
      modelFacts({ id: 'a', contextWindow: 131_072, inputPricePerMillion: 0.15, outputPricePerMillion: 0.6, raw }),
      '0.15/0.60 · 128k context',
    );
    assert.equal(modelFacts({ id: 'a', inputPricePerMillion: 0.025, raw }), '0.025 in');
    assert.equal(modelFacts({ id: 'a', inputPricePerMillion: 0.0004, raw }), '0.0004 in');
    assert.equal(modelFacts({ id: 'a', inputPricePerMillion: 0, outputPricePerMillion: 0, raw }), 'free');
    assert.equal(modelFacts({ id: 'a', kind: 'video', raw }), 'videos');
    // No token price doesn't mean free.
    const pricing = { prompt: '0', completion: '0', request: '0.05', second: '0.01' };
    const film = { id: 'a', kind: 'video', inputPricePerMillion: 0, outputPricePerMillion: 0, raw: { pricing } };
    assert.equal(modelFacts(film), 'videos · 0.05 per request, 0.01 per second');
    const named = { per_image: 0.04, per_video: '0.25', web_search: 0.01, audio: 0 };
    assert.equal(
      modelFacts({ ...film, raw: { pricing: named } }),
      'videos · 0.04 per image, 0.25 per video, web search 0.01',
    );
    assert.equal(modelFacts({ id: 'a', outputPricePerMillion: 0.8, raw }), '0.80 out');
  });

  it('start with the figure by which the rows are sorted', () => {
    const model = { id: 'a', contextWindow: 8192, inputPricePerMillion: 2, raw };
    const speed = {
      timeToFirstTokenSeconds: { value: 0.314, from: 'here' },
      tokensPerSecond: { value: 83.6, from: 'service' },
    } as const;
    assert.equal(modelFacts(model, speed, 'price'), '2.00 in · 84 tok/s · 0.31 s° · 8k context');
    assert.equal(modelFacts(model, speed, 'context'), '8k context · 84 tok/s · 0.31 s° · 2.00 in');
    assert.equal(modelFacts(model, speed, 'firstToken'), '0.31 s° · 84 tok/s · 2.00 in · 8k context');
    assert.equal(modelFacts(model, {}, 'firstToken'), '2.00 in · 8k context');
    for (const sort of ['name', 'speed'] as const)
      assert.equal(modelFacts(model, speed, sort), modelFacts(model, speed));
  });

  it('start with the speed measured here and the price, because the end of a row is cut off', () => {
    const model = { id: 'a', contextWindow: 8192, inputPricePerMillion: 2, raw };
    assert.equal(
      modelFacts(model, {
        timeToFirstTokenSeconds: { value: 0.314, from: 'here' },
        tokensPerSecond: { value: 83.6, from: 'service' },
      }),
      '84 tok/s · 0.31 s° · 2.00 in · 8k context',
    );
    assert.equal(
      modelFacts(model, { tokensPerSecond: { value: 7.25, from: 'estimate' } }),
      '≈ 7.3 tok/s · 2.00 in · 8k context',
    );
  });
});
