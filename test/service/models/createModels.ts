import { aliasModels, oddIdModels } from './aliasModels.ts';
import { chatModels, forgetfulModels, toolModels } from './chatModels.ts';
import { errorModels } from './errorModels.ts';
import { faultModels } from './faultModels.ts';
import { mediaModels, oddVideoModels } from './mediaModels.ts';
import type { ModelDefinition } from './modelDefinition.ts';
import { refusingModels } from './refusingModels.ts';

/**
 * The models of one service, by ID, in catalog order. Some remember what they were asked. Aliases fill the catalog up
 * to `catalogSize`; models with their own purpose are always there.
 */
export function createModels(now: () => number, catalogSize: number): ReadonlyMap<string, ModelDefinition> {
  const own = [...chatModels(), ...mediaModels(), ...refusingModels(now)];
  const aliases = aliasModels(catalogSize - own.length);
  const unlisted = [
    ...toolModels(),
    ...forgetfulModels(),
    ...oddIdModels(),
    ...oddVideoModels(),
    ...errorModels(),
    ...faultModels(),
  ];
  const models = [...own, ...aliases, ...unlisted];
  return new Map(models.map((model) => [model.id, model]));
}
