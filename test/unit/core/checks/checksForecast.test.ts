import assert from 'node:assert/strict';
import { checkPlan, type PlannedCheck } from '../../../../src/core/checks/checkPlan.ts';
import { checksForecast } from '../../../../src/core/checks/checksForecast.ts';
import type { ExperimentModel } from '../../../../src/core/experiments/experiment.ts';

const prices: Readonly<Record<string, number>> = { cheap: 1, judge: 100 };
const deps = {
  modelOf: ({ id }: ExperimentModel) => {
    const price = prices[id];
    return {
      id,
      name: id,
      maxOutputTokens: 1000,
      raw: {},
      ...(price !== undefined && { inputPricePerMillion: price, outputPricePerMillion: price }),
    };
  },
  replyTokensOf: () => 200,
};
const check = (caseKey: string, repeat: number): PlannedCheck => ({
  caseKey,
  title: caseKey,
  sent: [{ role: 'user', content: 'x'.repeat(400) }],
  options: {},
  hasSystemPrompt: false,
  repeat,
  model: { id: 'cheap' },
});
const plans = (checks: readonly PlannedCheck[]) => checkPlan(checks, { title: 't', defaults: {}, newId: () => 'e' });

describe('The forecast for a run of checks', () => {
  it('includes the requests to the judge, and their price', () => {
    const without = checksForecast(plans([check('a', 3)]), [], deps);
    assert.equal(without.requests, 3);
    const rubric = { expectation: { value: 'Polite', judge: 'judge' }, model: { id: 'cheap' }, repeat: 3 };
    const judged = checksForecast(plans([check('a', 3)]), [rubric], deps);
    assert.equal(judged.requests, 6);
    // It reads what the model writes, at its own price.
    assert.ok(judged.cost > without.cost + (3 * 200 * 100) / 1_000_000);
    assert.ok((judged.maxCost ?? 0) > (without.maxCost ?? 0) + (3 * 1000 * 100) / 1_000_000);
    assert.equal(judged.isCostAtLeast, false);
  });

  it('is a minimum if the judge has no known price, without an upper limit', () => {
    const rubric = { expectation: { value: 'Polite', judge: 'nobody' }, model: { id: 'cheap' }, repeat: 1 };
    const judged = checksForecast(plans([check('a', 1)]), [rubric], deps);
    assert.deepEqual([judged.isCostAtLeast, judged.maxCost], [true, undefined]);
  });
});
