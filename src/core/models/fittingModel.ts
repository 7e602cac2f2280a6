import { modelRef, type ModelRef, refParts } from '../../shared/modelRef.ts';
import { abilitiesOf, type ModelAbility } from './modelAbilities.ts';
import type { ModelMarksView } from './modelGroups.ts';
import type { ModelIndex } from './modelIndex.ts';

/**
 * The model of a service to use instead of another one's: the same one if it has it, or one that was used there, or a
 * favorite. Undefined if none of them can do this.
 */
export function fittingModel(
  service: string,
  current: ModelRef | undefined,
  ability: ModelAbility,
  { index, marks }: { readonly index: ModelIndex; readonly marks: Pick<ModelMarksView, 'recent' | 'favorites'> },
): ModelRef | undefined {
  const isAble = (model: ModelRef): boolean => {
    const found = index.find(model)?.model;
    return found !== undefined && abilitiesOf(found).has(ability);
  };
  const same = current === undefined || current === '' ? [] : [modelRef(service, refParts(current).model)];
  const own = [...marks.recent, ...marks.favorites.toReversed()].filter((model) => refParts(model).service === service);
  return [...same, ...own].find(isAble);
}
