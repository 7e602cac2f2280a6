import type { ModelInfo } from '../../api/wire/decodeModels.ts';

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
  'image',
  'video',
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

/** A model's abilities. If the model list says nothing, it's assumed to chat. */
export function abilitiesOf(model: ModelInfo): ReadonlySet<ModelAbility> {
  const kind = model.kind?.toLowerCase() ?? '';
  const { inputModalities: inputs = [], outputModalities: outputs = [] } = model;
  const abilities = new Set<ModelAbility>();
  const chats = mayChat(model);
  if (chats) abilities.add('chat');
  if (chats && takesPictures(model) === true) abilities.add('multimodal');
  // oxlint-disable-next-line parlance/compared-kinds -- the service's own word
  if (kind === 'image' || outputs.includes('image')) abilities.add('image');
  // oxlint-disable-next-line parlance/compared-kinds -- as above
  if (kind === 'video' || outputs.includes('video')) abilities.add('video');
  // A video model might accept audio, but nobody looks for it because of that.
  const hears = inputs.includes('audio') && outputs.includes('text');
  if (soundKinds.has(kind) || outputs.includes('audio') || hears) abilities.add('audio');
  return abilities;
}

/** The rarest of its abilities, which distinguishes it from a plain chat model. */
export function kindOf(model: ModelInfo): ModelKind {
  if (model.kind === undefined && model.outputModalities === undefined) return 'unknown';
  const abilities = abilitiesOf(model);
  const rarestFirst: readonly ModelAbility[] = ['video', 'image', 'audio', 'multimodal', 'chat'];
  return rarestFirst.find((ability) => abilities.has(ability)) ?? 'unknown';
}
