import { textBytes, type WholeOperation } from './operation.ts';
import type { Capability } from '../service/serviceFacts.ts';
import type { ApiForm } from '../types.ts';

type Asked = Exclude<Capability, 'models'>;

const paths: { readonly [C in Asked]: { readonly [A in ApiForm]?: string } } = {
  chat: { native: '/v1/{segment}/chat/completions', compatible: '/chat/completions' },
  imageInput: { native: '/v1/{segment}/multimodal/chat', compatible: '/chat/completions' },
  imageGeneration: { native: '/v1/{segment}/image/generation', compatible: '/images/generations' },
  audio: { native: '/v1/{segment}/audio/transcribe', compatible: '/audio/transcriptions' },
  video: { compatible: '/videos/generations' },
};

/**
 * Asks whether a path exists, with a body that is not JSON: whoever has the path rejects it before any
 * work is done, and whoever lacks the path says so. Undefined where the API has no such path by the spec.
 */
export function pathProbe(capability: Asked, api: ApiForm): WholeOperation<'answered'> | undefined {
  const path = paths[capability][api];
  return path === undefined ? undefined : probeOf(path, api);
}

/** The same of a path that no service has. */
export function unknownPathProbe(api: ApiForm): WholeOperation<'answered'> {
  return probeOf(api === 'native' ? '/v1/{segment}/no/such/path' : '/no/such/path', api);
}

function probeOf(path: string, api: ApiForm): WholeOperation<'answered'> {
  return {
    api,
    path,
    method: 'POST',
    accept: 'application/json',
    body: { contentType: 'application/json', content: '{' },
    patience: 'catalogue',
    retried: 'probe',
    answerBytes: textBytes,
    decode: () => 'answered',
  };
}
