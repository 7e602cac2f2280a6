import assert from 'node:assert/strict';
import { compareEstimate } from '../../../../src/core/compare/compareEstimate.ts';
import { listedModel, someExperiment } from '../experiments/someExperiment.ts';

describe('What the composer of a comparison says about the cost', () => {
  const models = [{ id: 'a' }, { id: 'b' }];
  const limited = { maxTokens: 100 };
  const costOf = (options: { readonly maxTokens?: number }, priced: readonly string[], attached = 0) =>
    compareEstimate(
      someExperiment({ kind: 'comparison', models, options }),
      { modelOf: ({ id }) => (priced.includes(id) ? listedModel() : undefined), replyTokensOf: () => 50 },
      attached,
    ).cost;

  it('is the most that it can be if all replies and prices are known', () => {
    assert.equal(costOf(limited, ['a', 'b']), 'at most 578.00');
  });

  it('is about what it usually is if replies have no limit or the attachments are estimated', () => {
    assert.equal(costOf({}, ['a', 'b']), '≈ 206.00');
    assert.equal(costOf(limited, ['a', 'b'], 10), '≈ 226.00');
  });

  it('is at least about what the others usually are if a model has no price, because a reply can be shorter', () => {
    assert.equal(costOf({}, ['a']), 'at least ≈ 103.00');
    assert.equal(costOf(limited, ['a']), 'at least ≈ 103.00');
    assert.equal(costOf(limited, []), undefined);
  });
});
