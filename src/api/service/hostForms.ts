import { deriveNativeUrl } from './baseUrl.ts';
import type { ApiForm, Endpoint, HostForm } from '../types.ts';

/**
 * The base URL of an API on a form of the host; undefined if the endpoint has no usable legacy form. The legacy form's
 * native URL is derived like the current one's, with the configured path if one was set (spec, Versioning: only the
 * host differs).
 */
export function baseOf(endpoint: Endpoint, api: ApiForm, form: HostForm): URL | undefined {
  const { baseUrl, nativeUrl } = endpoint;
  if (form === 'current') return api === 'compatible' ? baseUrl : nativeUrl;
  const legacy = usableLegacy(endpoint);
  if (legacy === undefined || api === 'compatible') return legacy;
  if (nativeUrl.href === deriveNativeUrl(baseUrl).href) return deriveNativeUrl(legacy);
  return new URL(nativeUrl.pathname, legacy.origin);
}

/** Every origin of the endpoint. Requests are sent to these only. */
export function ownOrigins(endpoint: Endpoint): readonly string[] {
  const origins = [endpoint.baseUrl.origin, endpoint.nativeUrl.origin];
  const legacy = legacyUrl(endpoint);
  return legacy === undefined ? origins : [...origins, legacy.origin];
}

/** Whether the user allowed the key for this origin. Always true without a key. */
export function mayTakeKey(endpoint: Endpoint, origin: string): boolean {
  return endpoint.apiKey === undefined || (endpoint.keyOrigins?.includes(origin) ?? true);
}

/** An attacker who blocks the current host must not be able to get the key sent unencrypted to the other one. */
export function isDowngrade(endpoint: Pick<Endpoint, 'baseUrl' | 'nativeUrl'>, fallbackBaseUrl: URL): boolean {
  const { baseUrl, nativeUrl } = endpoint;
  return fallbackBaseUrl.protocol !== 'https:' && [baseUrl, nativeUrl].some((url) => url.protocol === 'https:');
}

function legacyUrl(endpoint: Endpoint): URL | undefined {
  const { fallbackBaseUrl } = endpoint;
  return fallbackBaseUrl === undefined || isDowngrade(endpoint, fallbackBaseUrl) ? undefined : fallbackBaseUrl;
}

/** Without the older host if the key isn't allowed there: the user is asked about that separately. */
function usableLegacy(endpoint: Endpoint): URL | undefined {
  const url = legacyUrl(endpoint);
  return url !== undefined && mayTakeKey(endpoint, url.origin) ? url : undefined;
}
