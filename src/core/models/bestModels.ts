import type { ModelRef } from '../../shared/modelRef.ts';
import type { ModelSpeed } from '../../shared/usage.ts';
import { type ModelGroup, tokenPrice } from './modelGroups.ts';
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
  const fastest = least(groups, ({ model }) => {
    const rate = speedOf(model.id)?.tokensPerSecond?.value;
    return rate === undefined ? undefined : -rate;
  });
  const cheapest = least(groups, ({ model }) => tokenPrice(model));
  return { ...(fastest !== undefined && { fastest }), ...(cheapest !== undefined && { cheapest }) };
}

/** One pass and no copies: there can be tens of thousands of models, and every list of them needs this. */
function least(
  groups: readonly ModelGroup[],
  figureOf: (entry: IndexedModel) => number | undefined,
): ModelRef | undefined {
  let first: ModelRef | undefined;
  let best: { readonly id: ModelRef; readonly figure: number } | undefined;
  let isOfSeveral = false;
  for (const { models } of groups) {
    for (const entry of models) {
      const figure = figureOf(entry);
      if (figure === undefined) continue;
      const { id } = entry.model;
      first ??= id;
      // A favorite is in its provider's group too.
      isOfSeveral ||= id !== first;
      if (best === undefined || figure < best.figure) best = { id, figure };
    }
  }
  return isOfSeveral ? best?.id : undefined;
}
