import { transcriptionPaths } from './audioTranscription.ts';
import { chatPaths, pictureChatPaths } from './chatCompletion.ts';
import { imagePaths } from './imageGeneration.ts';
import { type ApiPaths, textBytes, type WholeOperation } from './operation.ts';
import { videoPaths } from './videoGeneration.ts';
import type { Capability } from '../service/serviceFacts.ts';
import type { ApiForm } from '../types.ts';

type Asked = Exclude<Capability, 'models'>;

const paths: { readonly [C in Asked]: ApiPaths } = {
  chat: chatPaths,
  imageInput: pictureChatPaths,
  imageGeneration: imagePaths,
  audio: transcriptionPaths,
  video: videoPaths,
};

/**
 * Asks whether a path exists, with a body that is not JSON: whoever has the path rejects it before any
 * work is done, and whoever lacks the path says so. Undefined where the API has no such path by the spec.
 */
export function pathProbe(capability: Asked, api: ApiForm): WholeOperation<'answered'> | undefined {
  return paths[capability][api] === undefined ? undefined : probeOf(paths[capability]);
}

/** The same of a path that no service has. */
export const unknownPathProbe = probeOf({ native: '/v1/{segment}/no/such/path', compatible: '/no/such/path' });

function probeOf(ofProbe: ApiPaths): WholeOperation<'answered'> {
  return {
    name: 'probe',
    paths: ofProbe,
    method: 'POST',
    accept: 'application/json',
    body: () => ({ contentType: 'application/json', content: '{' }),
    patience: 'catalog',
    retried: 'probe',
    answerBytes: textBytes,
    decode: () => 'answered',
    kept: () => ({}),
  };
}
