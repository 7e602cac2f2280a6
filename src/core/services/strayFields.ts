import { deriveNativeUrl, parseBaseUrl, parseNativeUrl } from '../../api/service/baseUrl.ts';
import type { ServiceEntry } from './serviceEntry.ts';

export type StrayField = 'nativeUrl' | 'fallbackBaseUrl';

type Addresses = Pick<ServiceEntry, 'baseUrl' | StrayField>;

/**
 * The fields of each service that lead to another one in the list, which would receive the first one's messages, and
 * its key if the user allowed that. Two services with the same native URL are the user's choice.
 */
export function strayFields(entries: readonly Addresses[]): readonly (readonly StrayField[])[] {
  const places = entries.map(placesOf);
  return places.map(({ native, fallback }, own) => {
    const others = places.toSpliced(own, 1);
    const isNativeStray = native.some((href) => others.some(({ base }) => base.includes(href)));
    const isFallbackStray = fallback.some((href) =>
      others.some((other) => other.base.includes(href) || other.native.includes(href)),
    );
    return [...(isNativeStray ? ['nativeUrl' as const] : []), ...(isFallbackStray ? ['fallbackBaseUrl' as const] : [])];
  });
}

/** The URLs that each field represents; none if it's empty or invalid. */
function placesOf(entry: Addresses) {
  const native = parseNativeUrl(entry.nativeUrl);
  return {
    base: withNative(entry.baseUrl),
    native: native.ok ? [native.url.href] : [],
    fallback: withNative(entry.fallbackBaseUrl),
  };
}

function withNative(baseUrl: string): readonly string[] {
  const parsed = parseBaseUrl(baseUrl);
  return parsed.ok ? [parsed.url.href, deriveNativeUrl(parsed.url).href] : [];
}
