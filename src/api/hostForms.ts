import { deriveNativeUrl } from './baseUrl.ts';
import type { ApiForm, Endpoint, HostForm } from './types.ts';

/**
 * The base address of an API on a form of the host; undefined where the endpoint has no legacy form
 * that may be used. The native one of the legacy form is derived as that of the current one is, and
 * where that was set, has its path (spec, Versioning: only the host differs).
 */
export function baseOf(endpoint: Endpoint, api: ApiForm, form: HostForm): URL | undefined {
  const { baseUrl, nativeUrl } = endpoint;
  if (form === 'current') return api === 'compatible' ? baseUrl : nativeUrl;
  const legacy = usableLegacy(endpoint);
  if (legacy === undefined || api === 'compatible') return legacy;
  if (nativeUrl.href === deriveNativeUrl(baseUrl).href) return deriveNativeUrl(legacy);
  return new URL(nativeUrl.pathname, legacy.origin);
}

/** Every origin that the key may go to. */
export function ownOrigins(endpoint: Endpoint): readonly string[] {
  const origins = [endpoint.baseUrl.origin, endpoint.nativeUrl.origin];
  const legacy = usableLegacy(endpoint);
  return legacy === undefined ? origins : [...origins, legacy.origin];
}

/** Whoever can block the current host must not thereby get the key sent unencrypted to the other one. */
function usableLegacy(endpoint: Endpoint): URL | undefined {
  const { baseUrl, nativeUrl, legacyBaseUrl } = endpoint;
  if (legacyBaseUrl === undefined || legacyBaseUrl.protocol === 'https:') return legacyBaseUrl;
  return baseUrl.protocol === 'https:' || nativeUrl.protocol === 'https:' ? undefined : legacyBaseUrl;
}
