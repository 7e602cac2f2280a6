import { chatModels } from './chatModels.ts';
import { errorModels } from './errorModels.ts';
import { faultModels } from './faultModels.ts';
import type { ModelDefinition } from './modelDefinition.ts';
import { refusingModels } from './refusingModels.ts';

/** The models of one service, by id, in the order of the catalogue. Some remember what they were asked. */
export function createModels(now: () => number): ReadonlyMap<string, ModelDefinition> {
  const models = [...chatModels(), ...refusingModels(now), ...errorModels(), ...faultModels()];
  return new Map(models.map((model) => [model.id, model]));
}
