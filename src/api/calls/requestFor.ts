import { ApiError } from '../apiError.ts';
import type { Operation } from '../operations/operation.ts';
import { operationUrl } from '../service/baseUrl.ts';
import { baseOf, isDowngrade } from '../service/hostForms.ts';
import { authorizationFor } from '../transport/authorization.ts';
import type { TransportRequest } from '../transport/transport.ts';
import type { ApiForm, Endpoint, HostForm } from '../types.ts';

/** @throws {ApiError} `setup` if the endpoint has no such form of the host, its native URL is another service's, or the key isn't allowed there. */
export function requestFor(operation: Operation, api: ApiForm, endpoint: Endpoint, form: HostForm): TransportRequest {
  const path = operation.paths[api];
  if (path === undefined) throw new Error(`The ${api} API has no ${operation.name}`);
  if (api === 'native' && endpoint.isNativeElsewhere === true) {
    throw new ApiError({ kind: 'setup', missing: 'otherNativeUrl', found: endpoint.nativeUrl.href });
  }
  const base = baseOf(endpoint, api, form);
  if (base === undefined) throw legacyObstacle(endpoint);
  const segment = encodeURIComponent(endpoint.nativeSegment ?? 'svcai');
  const url = operationUrl(base, path.replace('{segment}', segment));
  // Before anything is reported about a request that won't be made.
  authorizationFor(endpoint, url);
  const { body } = operation;
  return {
    endpoint,
    url,
    method: operation.method,
    accept: operation.accept,
    patience: operation.patience,
    ...(operation.hasImages === true && { hasImages: true }),
    ...(body !== undefined && { body: body(api, endpoint.baseUrl.href) }),
  };
}

function legacyObstacle(endpoint: Endpoint): ApiError {
  const { fallbackBaseUrl, keyHosts } = endpoint;
  if (fallbackBaseUrl === undefined) return new ApiError({ kind: 'setup', missing: 'baseUrl' });
  const { origin } = fallbackBaseUrl;
  if (isDowngrade(endpoint, fallbackBaseUrl)) {
    return new ApiError({ kind: 'setup', missing: 'encryptedLegacyUrl', found: origin });
  }
  const found = keyHosts === undefined ? {} : { found: keyHosts };
  return new ApiError({ kind: 'setup', missing: 'apiKeyForThisHost', ...found, target: origin });
}
