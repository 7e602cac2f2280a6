import type { ModelInfo } from '../../api/wire/decodeModels.ts';

export const modelPurposes = ['chat', 'imageInput', 'imageGeneration', 'video', 'audio'] as const;
export type ModelPurpose = (typeof modelPurposes)[number];

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
  const has = (purpose: ModelPurpose) => supports.includes(purpose);
  const chats = has('chat') || has('imageInput');
  const [kind] = [
    ...(chats ? ['chat'] : []),
    ...(has('imageGeneration') ? ['image'] : []),
    ...(has('video') ? ['video'] : []),
    'audio',
  ];
  const isForSoundAlone = has('audio') && supports.length === 1;
  return {
    kind,
    inputModalities: [
      ...(isForSoundAlone ? [] : ['text']),
      ...(has('imageInput') ? ['image'] : []),
      ...(has('audio') ? ['audio'] : []),
    ],
    outputModalities: [
      ...(chats || has('audio') ? ['text'] : []),
      ...(has('imageGeneration') ? ['image'] : []),
      ...(has('video') ? ['video'] : []),
    ],
  };
}
