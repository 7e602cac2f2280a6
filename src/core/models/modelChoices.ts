import { type MeasuredModels, speedOf } from './measuredModel.ts';
import type { ModelAbility } from './modelAbilities.ts';
import type { ModelCatalogs } from './modelCatalogs.ts';
import { groupModels, type ModelGroup, type ModelSort, plainView } from './modelGroups.ts';
import type { AllMarks } from './allMarks.ts';

/** What is known about the models to select from. */
export interface ChoiceSources {
  readonly catalog: Pick<ModelCatalogs, 'index'>;
  readonly marks: Pick<AllMarks, 'view'>;
  readonly measured: Pick<MeasuredModels, 'figures'>;
}

/**
 * The models that a user can select from, for every list of them: favorites, recently used ones, then by provider. Each
 * is only in the first of its groups, because finding it twice would be confusing.
 * @param wanted what the model is for; undefined for all kinds. If no listed model fits, all are returned, because
 * model lists don't always say what a model is for.
 * @param sort by a figure: one group, best first
 */
export function modelChoices(
  { catalog, marks, measured }: ChoiceSources,
  wanted: ModelAbility | undefined,
  sort: ModelSort = 'name',
): readonly ModelGroup[] {
  const groupsOf = (abilities: readonly ModelAbility[]): readonly ModelGroup[] => {
    const view = { ...plainView, abilities, sort };
    return groupModels(catalog.index, marks.view, view, (id) => speedOf(measured.figures(id))).groups;
  };
  const fitting = wanted === undefined ? [] : groupsOf([wanted]);
  const seen = new Set<string>();
  return (fitting.length > 0 ? fitting : groupsOf([]))
    .map((group) => {
      const models = group.models.filter(({ model }) => !seen.has(model.id));
      for (const { model } of models) seen.add(model.id);
      return { ...group, models };
    })
    .filter(({ models }) => models.length > 0);
}
