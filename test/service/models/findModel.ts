import { ServiceError } from '../serviceError.ts';
import type { ModelDefinition } from './modelDefinition.ts';

/** `<any model>:error-402`, `<any model>:fault-reset`. */
const withFault = /^(.+):((?:error|fault)-[a-z0-9-]+)$/;

/**
 * The model with this name; a model's name with an error or a fault after a colon is that error or fault.
 * @throws {ServiceError} 404 if there's none, or the error that the model always returns
 */
export function findModel(models: ReadonlyMap<string, ModelDefinition>, id: string): ModelDefinition {
  const model = models.get(id) ?? findFault(models, id);
  if (!model) throw new ServiceError(404, `The model ${id} does not exist.`);
  if (model.behavior.type === 'refusing') throw model.behavior.refusal();
  return model;
}

function findFault(models: ReadonlyMap<string, ModelDefinition>, id: string): ModelDefinition | undefined {
  const [, base, fault] = withFault.exec(id) ?? [];
  if (base === undefined || !models.has(base)) return undefined;
  const model = models.get(`local/${fault}`);
  return model && { ...model, id };
}

/** For an existing model that doesn't support the operation. */
export function unable(model: ModelDefinition, task: string): ServiceError {
  return new ServiceError(404, `The model ${model.id} cannot ${task}.`);
}
