import type { ModelRef } from '../../shared/modelRef.ts';
import type { ModelAbility } from './modelAbilities.ts';
import type { IndexedModel } from './modelIndex.ts';

/** The only one of these that can do this; undefined if there are none or several. */
export function onlyModel(models: readonly IndexedModel[], ability: ModelAbility): ModelRef | undefined {
  const [first, ...others] = models.filter(({ abilities }) => abilities.has(ability));
  return others.length === 0 ? first?.model.id : undefined;
}
