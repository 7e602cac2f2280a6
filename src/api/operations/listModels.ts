import { decodeModels, type ModelInfo } from '../wire/decodeModels.ts';
import { textBytes, type WholeOperation } from './operation.ts';
import { jsonOf } from '../wire/wholeAnswer.ts';

const maxKept = 1000;

/** `GET {native_url}/v1/models`; compatible services have `GET {base_url}/models`. */
export const listModels: WholeOperation<readonly ModelInfo[], 'catalog'> = {
  name: 'catalog',
  paths: { native: '/v1/models', compatible: '/models' },
  capability: 'models',
  method: 'GET',
  accept: 'application/json',
  patience: 'catalog',
  retried: 'catalog',
  answerBytes: textBytes,
  decode: (answer) => decodeModels(jsonOf(answer)),
  modelsIn: (models) => models,
  // Only the models' names: the Models view shows the rest, and all of it would fill the history.
  kept: (models) => ({ count: models.length, data: models.slice(0, maxKept).map(({ id }) => ({ id })) }),
};
