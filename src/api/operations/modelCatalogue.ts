import { decodeModels } from '../wire/decodeModels.ts';
import { textBytes, type WholeOperation } from './operation.ts';
import type { ApiForm, ModelInfo } from '../types.ts';
import { jsonOf } from '../wire/wholeAnswer.ts';

/** `GET {native_url}/v1/models`; compatible services have `GET {base_url}/models`. */
export function modelCatalogue(api: ApiForm): WholeOperation<readonly ModelInfo[]> {
  return {
    api,
    path: api === 'native' ? '/v1/models' : '/models',
    method: 'GET',
    accept: 'application/json',
    patience: 'catalogue',
    retried: 'catalogue',
    answerBytes: textBytes,
    decode: (answer) => decodeModels(jsonOf(answer)),
  };
}
