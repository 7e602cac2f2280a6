import { deriveNativeUrl } from './baseUrl.ts';
import type { ApiForm, Endpoint, HostForm } from '../types.ts';

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

/** Every origin of the endpoint: requests go to these and to no other. */
export function ownOrigins(endpoint: Endpoint): readonly string[] {
  const origins = [endpoint.baseUrl.origin, endpoint.nativeUrl.origin];
  const legacy = legacyUrl(endpoint);
  return legacy === undefined ? origins : [...origins, legacy.origin];
}

/** Whether the user allowed the key for this origin; always where there is no key to send. */
export function mayTakeKey(endpoint: Endpoint, origin: string): boolean {
  return endpoint.apiKey === undefined || (endpoint.keyOrigins?.includes(origin) ?? true);
}

/** Whoever can block the current host must not thereby get the key sent unencrypted to the other one. */
export function isDowngrade(endpoint: Pick<Endpoint, 'baseUrl' | 'nativeUrl'>, fallbackBaseUrl: URL): boolean {
  const { baseUrl, nativeUrl } = endpoint;
  return fallbackBaseUrl.protocol !== 'https:' && [baseUrl, nativeUrl].some((url) => url.protocol === 'https:');
}

function legacyUrl(endpoint: Endpoint): URL | undefined {
  const { fallbackBaseUrl } = endpoint;
  return fallbackBaseUrl === undefined || isDowngrade(endpoint, fallbackBaseUrl) ? undefined : fallbackBaseUrl;
}

/** The older host is left out where the key may not go there: the user is asked about it apart. */
function usableLegacy(endpoint: Endpoint): URL | undefined {
  const url = legacyUrl(endpoint);
  return url !== undefined && mayTakeKey(endpoint, url.origin) ? url : undefined;
}
