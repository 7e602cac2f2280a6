/** What was put right in an address that was not quite a base address. */
export type BaseUrlFix =
  /** It ended in an operation such as `/chat/completions`, which the client adds itself. */
  | 'removedOperation'
  /** It had no scheme: `https`, or `http` for this machine. */
  | 'addedScheme'
  /** It had no path: `/v1`. */
  | 'addedVersion';

export type BaseUrlResult =
  | { readonly ok: true; readonly url: URL; readonly fixed?: BaseUrlFix }
  | {
      readonly ok: false;
      readonly reason: 'empty' | 'notAnAddress' | 'scheme' | 'credentials' | 'query' | 'fragment';
    };

const operations = ['/chat/completions', '/completions', '/models', '/videos/generations', '/images/generations'];
const schemePattern = /^([a-z][a-z0-9+.-]*):\/\//i;
const thisMachinePattern = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:|\/|$)/i;

/**
 * Reads a base address as a person typed it. The result never ends in a slash, and never holds a
 * login, a query or a fragment. Where several things were put right, `fixed` names the weightiest.
 */
export function parseBaseUrl(input: string): BaseUrlResult {
  const text = input.trim();
  if (text === '') return { ok: false, reason: 'empty' };

  const scheme = schemePattern.exec(text)?.[1]?.toLowerCase();
  if (scheme !== undefined && scheme !== 'http' && scheme !== 'https') return { ok: false, reason: 'scheme' };

  const addedScheme = scheme === undefined ? (thisMachinePattern.test(text) ? 'http://' : 'https://') : '';
  // The URL parser drops tabs and newlines and encodes blanks: an address with a hole in it is a slip.
  if (/\s/.test(text)) return { ok: false, reason: 'notAnAddress' };
  const parsed = URL.parse(addedScheme + text);
  if (parsed === null || parsed.hostname === '') return { ok: false, reason: 'notAnAddress' };
  if (parsed.username !== '' || parsed.password !== '') return { ok: false, reason: 'credentials' };
  if (parsed.search !== '') return { ok: false, reason: 'query' };
  if (parsed.hash !== '') return { ok: false, reason: 'fragment' };

  const typedPath = parsed.pathname.replace(/\/+$/, '');
  const operation = operations.find((suffix) => typedPath.toLowerCase().endsWith(suffix));
  const basePath = operation === undefined ? typedPath : typedPath.slice(0, -operation.length).replace(/\/+$/, '');
  const url = new URL(parsed.origin);
  url.pathname = basePath === '' ? '/v1' : basePath;

  if (operation !== undefined) return { ok: true, url, fixed: 'removedOperation' };
  if (addedScheme !== '') return { ok: true, url, fixed: 'addedScheme' };
  if (basePath === '') return { ok: true, url, fixed: 'addedVersion' };
  return { ok: true, url };
}

/**
 * The native base that belongs to a base address: `…/v1` becomes `…/api`. `…/api/v1` becomes
 * `…/api`, because services that keep both under one path root the native one there.
 */
export function deriveNativeUrl(baseUrl: URL): URL {
  const url = new URL(baseUrl.origin);
  const path = baseUrl.pathname.replace(/\/+$/, '');
  const root = path.endsWith('/v1') ? path.slice(0, -'/v1'.length) : path;
  url.pathname = root.endsWith('/api') ? root : `${root}/api`;
  return url;
}

/** `operation` starts with a slash: `/chat/completions`. */
export function operationUrl(baseUrl: URL, operation: string): URL {
  const url = new URL(baseUrl.origin);
  url.pathname = baseUrl.pathname.replace(/\/+$/, '') + operation;
  return url;
}
