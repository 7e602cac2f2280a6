import { ApiError } from '../apiError.ts';
import { mayTakeKey, ownOrigins } from '../service/hostForms.ts';
import type { Endpoint } from '../types.ts';

/**
 * The `authorization` header, created only here; undefined if the service needs no key. The key is only sent to those
 * of the endpoint's own origins that the user allowed it for. It's checked before it goes into a header, because errors
 * about invalid headers quote the header.
 * @throws {ApiError} `setup`: no key, a key that can't be in a header, or a target that it isn't allowed for.
 */
export function authorizationFor(endpoint: Endpoint, target: URL): { readonly authorization?: string } {
  const isWeb = target.protocol === 'https:' || target.protocol === 'http:';
  const isOwn = isWeb && ownOrigins(endpoint).includes(target.origin);
  if (!isOwn || !mayTakeKey(endpoint, target.origin)) {
    const { keyHosts } = endpoint;
    throw new ApiError({
      kind: 'setup',
      missing: 'apiKeyForThisHost',
      ...(keyHosts === undefined ? {} : { found: keyHosts }),
      target: isWeb ? target.origin : target.protocol,
    });
  }
  const { apiKey } = endpoint;
  if (apiKey === undefined) return {};
  if (apiKey === '') throw new ApiError({ kind: 'setup', missing: 'apiKey' });
  if (!/^[\x21-\x7e]+$/.test(apiKey)) throw new ApiError({ kind: 'setup', missing: 'validApiKey' });
  return { authorization: `Bearer ${apiKey}` };
}
