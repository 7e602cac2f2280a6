import assert from 'node:assert/strict';
import { needsConsent } from '../../../../src/core/experiments/needsConsent.ts';

describe('What is sent only with consent', () => {
  const little = { requests: 4, tokens: 1000, cost: 0.5, isCostAtLeast: false };

  it('costs more than the amount in the settings', () => {
    assert.equal(needsConsent(little, 0.4), true);
    assert.equal(needsConsent(little, 0.5), false);
    assert.equal(needsConsent(little, null), false);
  });

  it('is many requests, whatever they cost', () => {
    assert.equal(needsConsent({ ...little, requests: 1001 }, null), true);
    assert.equal(needsConsent({ ...little, requests: 1000 }, null), false);
  });

  it('is many requests or tokens whose price is missing, unless cost is never asked about', () => {
    const unpriced = { ...little, cost: 0, isCostAtLeast: true };
    assert.equal(needsConsent(unpriced, 0.4), false);
    for (const many of [{ requests: 201 }, { tokens: 200_001 }]) {
      assert.equal(needsConsent({ ...unpriced, ...many }, 0.4), true);
      assert.equal(needsConsent({ ...unpriced, ...many, isCostAtLeast: false }, 0.4), false);
      assert.equal(needsConsent({ ...unpriced, ...many }, null), false);
    }
  });
});
