import type { ModelInfo } from '../../api/wire/decodeModels.ts';
import { keysOf } from '../../shared/mapTable.ts';
import { mediaKinds } from '../../shared/media.ts';

/** The abilities that users look for in a model. */
export type ModelAbility = (typeof modelAbilities)[number];

export const modelAbilities = ['chat', 'multimodal', 'image', 'video', 'audio'] as const;

/** A model's main kind; `unknown` if the model list doesn't say. */
export type ModelKind = ModelAbility | 'unknown';

/** Whether a model can reply to a chat, according to the model list. True if the list doesn't say. */
export function mayChat(model: ModelInfo): boolean {
  const { inputModalities: inputs = [], outputModalities: outputs = [] } = model;
  if (outputs.length > 0) {
    // A transcription model outputs text too, but accepts none.
    return outputs.includes('text') && (inputs.length === 0 || inputs.includes('text'));
  }
  return model.kind === undefined || !notChat.has(model.kind.toLowerCase());
}

const soundKinds: ReadonlySet<string> = new Set(['audio', 'speech', 'transcription', 'tts', 'stt']);

const notChat: ReadonlySet<string> = new Set([
  ...soundKinds,
  ...mediaKinds,
  'embedding',
  'embeddings',
  'rerank',
  'reranker',
  'moderation',
]);

const pictureReaders: ReadonlySet<string> = new Set(['multimodal', 'vision', 'vlm']);

/** Whether a model's messages can contain images; undefined if the model list doesn't say. */
export function takesPictures({ kind, inputModalities: inputs = [] }: ModelInfo): boolean | undefined {
  if (inputs.length > 0) return inputs.includes('image');
  return pictureReaders.has(kind?.toLowerCase() ?? '') ? true : undefined;
}

/** Whether a model has each ability. The rarest abilities come first. */
const isAble = {
  video: makes('video'),
  image: makes('image'),
  audio: (model) => {
    const { kind = '', inputModalities: inputs = [], outputModalities: outputs = [] } = model;
    // A video model might accept audio, but nobody looks for it because of that.
    const hears = inputs.includes('audio') && outputs.includes('text');
    return soundKinds.has(kind.toLowerCase()) || outputs.includes('audio') || hears;
  },
  multimodal: (model) => mayChat(model) && takesPictures(model) === true,
  chat: mayChat,
} as const satisfies Readonly<Record<ModelAbility, (model: ModelInfo) => boolean>>;

const rarestFirst = keysOf(isAble);

function makes(what: string): (model: ModelInfo) => boolean {
  return ({ kind, outputModalities: outputs = [] }) => kind?.toLowerCase() === what || outputs.includes(what);
}

/** A model's abilities. If the model list says nothing, it's assumed to chat. */
export function abilitiesOf(model: ModelInfo): ReadonlySet<ModelAbility> {
  return new Set(modelAbilities.filter((ability) => isAble[ability](model)));
}

/** The rarest of its abilities, which distinguishes it from a plain chat model. */
export function kindOf(model: ModelInfo): ModelKind {
  if (model.kind === undefined && model.outputModalities === undefined) return 'unknown';
  return rarestFirst.find((ability) => isAble[ability](model)) ?? 'unknown';
}
