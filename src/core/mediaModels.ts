import type { ModelInfo } from '../api/types.ts';

/** What a model is wanted for. */
export type MediaModelKind = 'video' | 'image' | 'audio';

/** Whether a catalogue says that a model makes or hears this. */
export function isOfKind(model: ModelInfo, kind: MediaModelKind): boolean {
  const said = model.kind?.toLowerCase();
  if (kind === 'audio') {
    if (said !== undefined && ['audio', 'transcription', 'speech-to-text'].includes(said)) return true;
    return model.inputModalities?.includes('audio') === true && model.outputModalities?.includes('text') === true;
  }
  return said === kind || model.outputModalities?.includes(kind) === true;
}
