import type { ModelInfo } from '../../api/wire/decodeModels.ts';

/** What a person looks for in a model. */
export type ModelAbility = (typeof modelAbilities)[number];

export const modelAbilities = ['chat', 'multimodal', 'image', 'video', 'audio'] as const;

/** What a model mainly is; `unknown` where the catalog says nothing of use. */
export type ModelKind = ModelAbility | 'unknown';

/** Whether a model can answer a chat, as far as the catalog tells; where it says nothing, it may. */
export function mayChat(model: ModelInfo): boolean {
  const { inputModalities: inputs = [], outputModalities: outputs = [] } = model;
  if (outputs.length > 0) {
    // A transcriber puts out text too, and takes none.
    return outputs.includes('text') && (inputs.length === 0 || inputs.includes('text'));
  }
  return model.kind === undefined || !notChat.has(model.kind.toLowerCase());
}

const soundKinds: ReadonlySet<string> = new Set(['audio', 'speech', 'transcription', 'tts', 'stt']);

const notChat: ReadonlySet<string> = new Set([
  ...soundKinds,
  'image',
  'video',
  'embedding',
  'embeddings',
  'rerank',
  'reranker',
  'moderation',
]);

const pictureReaders: ReadonlySet<string> = new Set(['multimodal', 'vision', 'vlm']);

/** Whether a model's messages may hold pictures; undefined where the catalog says nothing about it. */
export function takesPictures({ kind, inputModalities: inputs = [] }: ModelInfo): boolean | undefined {
  if (inputs.length > 0) return inputs.includes('image');
  return pictureReaders.has(kind?.toLowerCase() ?? '') ? true : undefined;
}

/** What a model can do. Of one that the catalog says nothing about: that it may chat. */
export function abilitiesOf(model: ModelInfo): ReadonlySet<ModelAbility> {
  const kind = model.kind?.toLowerCase() ?? '';
  const { inputModalities: inputs = [], outputModalities: outputs = [] } = model;
  const abilities = new Set<ModelAbility>();
  const chats = mayChat(model);
  if (chats) abilities.add('chat');
  if (chats && takesPictures(model) === true) abilities.add('multimodal');
  if (kind === 'image' || outputs.includes('image')) abilities.add('image');
  if (kind === 'video' || outputs.includes('video')) abilities.add('video');
  // A maker of videos may take a sound: that is not what it is looked for.
  const hears = inputs.includes('audio') && outputs.includes('text');
  if (soundKinds.has(kind) || outputs.includes('audio') || hears) abilities.add('audio');
  return abilities;
}

/** The rarest of its abilities: every kind of model is told from a plain chat model by it. */
export function kindOf(model: ModelInfo): ModelKind {
  if (model.kind === undefined && model.outputModalities === undefined) return 'unknown';
  const abilities = abilitiesOf(model);
  const rarestFirst: readonly ModelAbility[] = ['video', 'image', 'audio', 'multimodal', 'chat'];
  return rarestFirst.find((ability) => abilities.has(ability)) ?? 'unknown';
}
