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
 * Checks whether a path exists, with a body that isn't JSON: a service that has the path rejects the body before any
 * work is done, and one that lacks the path says so. Undefined if the spec defines no such path for the API.
 *
 * OPTIONS wouldn't help: CORS code in front of the paths usually answers it, with 200 or 204 for any path. Without such
 * code the response is 404 or 405, just like here, so it would cost a request and show nothing more.
 */
export function pathProbe(capability: Asked, api: ApiForm): WholeOperation<'answered'> | undefined {
  return paths[capability][api] === undefined ? undefined : probeOf(paths[capability]);
}

/** The same for a path that no service has. */
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
