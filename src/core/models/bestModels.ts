import type { ModelRef } from '../../shared/modelRef.ts';
import type { ModelSpeed } from '../../shared/usage.ts';
import { type ModelGroup, mixedPrice } from './modelGroups.ts';
import type { IndexedModel } from './modelIndex.ts';

/** Each absent if fewer than two models have the figure: the only one isn't the best of anything. */
export interface BestModels {
  readonly fastest?: ModelRef;
  readonly cheapest?: ModelRef;
}

/** The fastest by measured tokens per second, and the cheapest by list price; the first of those that are equal. */
export function bestModels(
  groups: readonly ModelGroup[],
  speedOf: (model: ModelRef) => ModelSpeed | undefined,
): BestModels {
  const models = [...new Map(groups.flatMap((group) => group.models.map((entry) => [entry.model.id, entry]))).values()];
  const fastest = least(models, ({ model }) => {
    const rate = speedOf(model.id)?.tokensPerSecond?.value;
    return rate === undefined ? undefined : -rate;
  });
  const cheapest = least(models, ({ model }) => mixedPrice(model.inputPricePerMillion, model.outputPricePerMillion));
  return { ...(fastest !== undefined && { fastest }), ...(cheapest !== undefined && { cheapest }) };
}

function least(
  models: readonly IndexedModel[],
  figureOf: (entry: IndexedModel) => number | undefined,
): ModelRef | undefined {
  const figures = models.flatMap((entry) => {
    const figure = figureOf(entry);
    return figure === undefined ? [] : [{ id: entry.model.id, figure }];
  });
  if (figures.length < 2) return undefined;
  return figures.reduce((best, next) => (next.figure < best.figure ? next : best)).id;
}
