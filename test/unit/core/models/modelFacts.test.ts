import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { compactTokens, modelFacts } from '../../../../src/core/models/modelFacts.ts';

const raw = {};

describe('The facts of a model', () => {
  it('are size and price where the catalogue has them', () => {
    assert.equal(modelFacts({ id: 'a', raw }), '');
    assert.equal(
      modelFacts({ id: 'a', contextWindow: 131_072, inputPricePerMillion: 0.15, outputPricePerMillion: 0.6, raw }),
      '128k · 0.15 → 0.60/M',
    );
    assert.equal(modelFacts({ id: 'a', inputPricePerMillion: 0.025, raw }), '0.025/M');
    assert.equal(modelFacts({ id: 'a', inputPricePerMillion: 0.0004, raw }), '0.00040/M');
    assert.equal(modelFacts({ id: 'a', inputPricePerMillion: 0, outputPricePerMillion: 0, raw }), 'free');
    assert.equal(modelFacts({ id: 'a', kind: 'video', raw }), 'videos');
    // No price for tokens is not yet free.
    const pricing = { prompt: '0', completion: '0', request: '0.05', second: '0.01' };
    const film = { id: 'a', kind: 'video', inputPricePerMillion: 0, outputPricePerMillion: 0, raw: { pricing } };
    assert.equal(modelFacts(film), 'videos · request 0.05, second 0.01');
  });

  it('tell how fast it was here, before the price', () => {
    const model = { id: 'a', contextWindow: 8192, inputPricePerMillion: 2, raw };
    assert.equal(
      modelFacts(model, { firstTokenSeconds: 0.314, tokensPerSecond: 83.6 }),
      '8k · 0.31 s · 84 tok/s · 2.00/M',
    );
    assert.equal(modelFacts(model, { tokensPerSecond: 7.25 }), '8k · 7.3 tok/s · 2.00/M');
  });

  it('write sizes short', () => {
    const sizes = [512, 4096, 8192, 32_000, 128_000, 131_072, 200_000, 1_000_000, 1_048_576, 2_097_152];
    assert.deepEqual(sizes.map(compactTokens), ['512', '4k', '8k', '32k', '128k', '128k', '200k', '1M', '1M', '2M']);
  });
});
