import { ApiError } from '../apiError.ts';
import { mayTakeKey, ownOrigins } from '../service/hostForms.ts';
import type { Endpoint } from '../types.ts';

/**
 * The `authorization` header, and the only place that makes one; none where the service needs no key.
 * The key goes to those of the endpoint's own origins that the user allowed it for and to no other,
 * and is checked before any header sees it, because errors about bad headers quote the header.
 *
 * @throws {ApiError} `setup`: no key, a key that no header can carry, or a target it may not go to.
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
