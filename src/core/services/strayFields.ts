import { deriveNativeUrl, operationUrl, parseBaseUrl, parseNativeUrl } from '../../api/service/baseUrl.ts';
import type { ServiceEntry } from './serviceEntry.ts';

export type StrayField = 'nativeUrl' | 'fallbackBaseUrl';

type Addresses = Pick<ServiceEntry, 'baseUrl' | StrayField>;

/** Which of a service's URLs leads to another service. */
export interface Stray {
  readonly fields: readonly StrayField[];
  /** The native URL that is derived from the base URL does, so the service can only have the other API. */
  readonly isDerivedNative: boolean;
}

/**
 * What leads to another service in the list, which would receive the first one's messages, and its key if the user
 * allowed that: the host might be the same. Two services with the same native URL are the user's choice.
 */
export function strayFields(entries: readonly Addresses[]): readonly Stray[] {
  const places = entries.map(placesOf);
  return places.map(({ native, derived, fallback }, own) => {
    const others = places.toSpliced(own, 1);
    const isBase = (url: URL) => others.some(({ base }) => base.some((other) => other.href === url.href));
    const isNative = (url: URL) => others.some((other) => other.native.some(({ href }) => href === url.href));
    const isInside = (url: URL) => others.some(({ base: [base] }) => base !== undefined && isUnderUrl(url, base));
    const isNativeStray = native.some((url) => isBase(url) || isInside(asked(url)));
    const isFallbackStray =
      fallback.base.some((url) => isBase(url) || isNative(url) || isInside(url)) ||
      fallback.native.some((url) => isBase(url) || isNative(url) || isInside(asked(url)));
    return {
      fields: [
        ...(isNativeStray ? ['nativeUrl' as const] : []),
        ...(isFallbackStray ? ['fallbackBaseUrl' as const] : []),
      ],
      isDerivedNative: derived.some((url) => isInside(asked(url))),
    };
  });
}

/** Whether requests to a URL go to what another URL stands for: the same path, or one below it. */
export function isUnderUrl(url: URL, place: URL): boolean {
  const path = place.pathname.replace(/\/+$/, '');
  return url.origin === place.origin && (url.pathname === path || url.pathname.startsWith(`${path}/`));
}

/** The URLs that each field represents; none if it's empty or invalid. */
function placesOf(entry: Addresses) {
  const own = parseNativeUrl(entry.nativeUrl);
  const native = own.ok ? [own.url] : [];
  const base = baseUrls(entry.baseUrl);
  const fallback = baseUrls(entry.fallbackBaseUrl);
  // With a native URL of its own, its path is also used on the other host.
  const onFallback = fallback.flatMap(({ origin }) => native.map(({ pathname }) => new URL(pathname, origin)));
  const derived = base.map(deriveNativeUrl);
  return {
    base: [...base, ...derived],
    native,
    // Without a native URL of its own; or if that's dropped.
    derived,
    fallback: { base: fallback, native: [...fallback.map(deriveNativeUrl), ...onFallback] },
  };
}

function baseUrls(text: string): readonly URL[] {
  const parsed = parseBaseUrl(text);
  return parsed.ok ? [parsed.url] : [];
}

/** Where requests of the native API go: all of its paths begin with this. */
function asked(nativeUrl: URL): URL {
  return operationUrl(nativeUrl, '/v1');
}
