import { ApiError } from './apiError.ts';
import { ownOrigins } from './hostForms.ts';
import type { Endpoint } from './types.ts';

/**
 * The value of the `authorization` header, and the only place that makes one. The key goes to the
 * endpoint's own origins, those of the legacy host included, and to no other, and is checked before any header sees it, because errors
 * about bad headers quote the header.
 *
 * @throws {ApiError} `setup`: no key, a key that no header can carry, or a foreign target.
 */
export function authorizationFor(endpoint: Endpoint, target: URL): string {
  const isWeb = target.protocol === 'https:' || target.protocol === 'http:';
  if (!isWeb || !ownOrigins(endpoint).includes(target.origin)) {
    throw new ApiError({ kind: 'setup', missing: 'apiKeyForThisHost', found: target.host });
  }
  if (endpoint.apiKey === '') throw new ApiError({ kind: 'setup', missing: 'apiKey' });
  if (!/^[\x21-\x7e]+$/.test(endpoint.apiKey)) throw new ApiError({ kind: 'setup', missing: 'validApiKey' });
  return `Bearer ${endpoint.apiKey}`;
}
