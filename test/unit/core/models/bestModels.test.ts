import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { bestModels } from '../../../../src/core/models/bestModels.ts';
import type { ModelGroup } from '../../../../src/core/models/modelGroups.ts';
import { ModelIndex } from '../../../../src/core/models/modelIndex.ts';
import { modelRef } from '../../../../src/shared/modelRef.ts';

const priced = (service: string, name: string, inputPricePerMillion?: number) => ({
  id: modelRef(service, name),
  ...(inputPricePerMillion !== undefined && { inputPricePerMillion }),
  raw: {},
});

/** Each list as a group. */
function groupsOf(...lists: readonly (readonly ReturnType<typeof priced>[])[]): readonly ModelGroup[] {
  return lists.map((models) => ({ kind: 'all', provider: '', models: new ModelIndex(models).models }));
}

const noSpeed = () => undefined;

describe('The best of the models to select from', () => {
  it('are looked for among all services', () => {
    const groups = groupsOf([priced('one', 'a/x', 3), priced('one', 'a/y', 2)], [priced('two', 'a/x', 1)]);
    const rates: Readonly<Record<string, number>> = { [modelRef('one', 'a/y')]: 40, [modelRef('two', 'a/x')]: 30 };
    const speedOf = (id: string) => {
      const value = rates[id];
      return value === undefined ? undefined : { tokensPerSecond: { value, isEstimated: false } };
    };
    assert.deepEqual(bestModels(groups, speedOf as never), {
      fastest: modelRef('one', 'a/y'),
      cheapest: modelRef('two', 'a/x'),
    });
  });

  it('need two models with the figure: a favorite in two groups is one', () => {
    const favorite = priced('one', 'a/x', 1);
    assert.deepEqual(bestModels(groupsOf([favorite], [favorite, priced('one', 'a/y')]), noSpeed), {});
    assert.deepEqual(bestModels(groupsOf([favorite], [favorite, priced('one', 'a/y', 2)]), noSpeed), {
      cheapest: favorite.id,
    });
  });

  it('leave out a model without a price for tokens that costs something per request', () => {
    const perRequest = { ...priced('one', 'a/x', 0), raw: { pricing: { prompt: '0', request: '0.5' } } };
    const free = { ...priced('one', 'a/z', 0), raw: { pricing: { prompt: '0', request: '0' } } };
    const other = priced('one', 'a/y', 2);
    const cheapest = (...models: readonly ReturnType<typeof priced>[]) =>
      bestModels(groupsOf(models), noSpeed).cheapest;
    assert.equal(cheapest(perRequest, priced('one', 'a/w', 3), other), other.id);
    assert.equal(cheapest(perRequest, other, free), free.id);
  });

  it('are the first ones if several are equal', () => {
    const groups = groupsOf([priced('two', 'a/x', 1), priced('two', 'a/y', 1)], [priced('one', 'a/x', 1)]);
    assert.equal(bestModels(groups, noSpeed).cheapest, modelRef('two', 'a/x'));
  });
});
