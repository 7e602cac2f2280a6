import { aliasModels, oddIdModels } from './aliasModels.ts';
import { chatModels, toolModels } from './chatModels.ts';
import { errorModels } from './errorModels.ts';
import { faultModels } from './faultModels.ts';
import { mediaModels, oddVideoModels } from './mediaModels.ts';
import type { ModelDefinition } from './modelDefinition.ts';
import { refusingModels } from './refusingModels.ts';

/**
 * The models of one service, by id, in the order of the catalog. Some remember what they were asked.
 * Other names of them fill the catalog up to `catalogSize`; the models with a use of their own are
 * there in any case.
 */
export function createModels(now: () => number, catalogSize: number): ReadonlyMap<string, ModelDefinition> {
  const own = [...chatModels(), ...mediaModels(), ...refusingModels(now)];
  const aliases = aliasModels(catalogSize - own.length);
  const unlisted = [...toolModels(), ...oddIdModels(), ...oddVideoModels(), ...errorModels(), ...faultModels()];
  const models = [...own, ...aliases, ...unlisted];
  return new Map(models.map((model) => [model.id, model]));
}
