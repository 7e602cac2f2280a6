import type { Capability } from '../../api/service/serviceFacts.ts';
import type { ModelInfo } from '../../api/wire/decodeModels.ts';
import { keysOf } from '../../shared/mapTable.ts';

/** What a user can say that a model supports. */
export type ModelPurpose = Exclude<Capability, 'models'>;

/** What a list says about a model for each purpose. A model for several has the kind of the first. */
const listed: Readonly<
  Record<
    ModelPurpose,
    { readonly kind: string; readonly inputs: readonly string[]; readonly outputs: readonly string[] }
  >
> = {
  chat: { kind: 'chat', inputs: ['text'], outputs: ['text'] },
  imageInput: { kind: 'chat', inputs: ['text', 'image'], outputs: ['text'] },
  imageGeneration: { kind: 'image', inputs: ['text'], outputs: ['image'] },
  video: { kind: 'video', inputs: ['text'], outputs: ['video'] },
  audio: { kind: 'audio', inputs: ['audio'], outputs: ['text'] },
};

export const modelPurposes = keysOf(listed);

/** The user's own details about a model, if its service's list lacks them or is wrong. */
export interface StatedModel {
  /** In tokens. */
  readonly contextWindow?: number;
  /** Currency units per million tokens. */
  readonly inputPrice?: number;
  readonly outputPrice?: number;
  readonly supports?: readonly ModelPurpose[];
}

/** By the service's ID of the model. */
export type StatedModels = Readonly<Record<string, StatedModel>>;

/** A service's model, with the user's own details instead of the list's. */
export function withStated<Model extends Omit<ModelInfo, 'id'>>(model: Model, stated: StatedModel | undefined): Model {
  if (stated === undefined) return model;
  const { contextWindow, inputPrice, outputPrice, supports } = stated;
  return {
    ...model,
    ...(contextWindow !== undefined && { contextWindow }),
    ...(inputPrice !== undefined && { inputPricePerMillion: inputPrice }),
    ...(outputPrice !== undefined && { outputPricePerMillion: outputPrice }),
    ...(supports !== undefined && supports.length > 0 && fieldsFor(supports)),
  };
}

/** As a list would have it. */
function fieldsFor(supports: readonly ModelPurpose[]) {
  const rows = modelPurposes.filter((purpose) => supports.includes(purpose)).map((purpose) => listed[purpose]);
  return {
    ...(rows[0] !== undefined && { kind: rows[0].kind }),
    inputModalities: [...new Set(rows.flatMap(({ inputs }) => inputs))],
    outputModalities: [...new Set(rows.flatMap(({ outputs }) => outputs))],
  };
}
