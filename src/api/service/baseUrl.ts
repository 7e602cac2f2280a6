/** What was put right in an address that was not quite a base address. */
export type BaseUrlFix =
  /** It ended in an operation such as `/chat/completions`, which the client adds itself. */
  | 'removedOperation'
  /** It had no scheme: `https`, or `http` for this machine. */
  | 'addedScheme'
  /** It had no path: `/v1`. */
  | 'addedVersion';

/** What was put right in an address that was not quite a native one. */
export type NativeUrlFix =
  /** It ended in `/v1` or in an operation, which the client adds itself. */
  | 'removedOperation'
  | 'addedScheme'
  /** It had no path: `/api`. */
  | 'addedPath';

export type BaseUrlResult = AddressResult<BaseUrlFix>;
export type NativeUrlResult = AddressResult<NativeUrlFix>;

type AddressResult<Fix> =
  | { readonly ok: true; readonly url: URL; readonly fixed?: Fix }
  | {
      readonly ok: false;
      readonly reason: 'empty' | 'notAnAddress' | 'scheme' | 'credentials' | 'query' | 'fragment';
    };

const operations = ['/chat/completions', '/completions', '/models', '/videos/generations', '/images/generations'];
const nativeOperation =
  /\/v1(\/models|\/[^/]+\/(chat\/completions|image\/generation|audio\/transcribe|multimodal\/chat))?$/i;
const schemePattern = /^([a-z][a-z0-9+.-]*):\/\//i;
const thisMachinePattern = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:|\/|$)/i;

/**
 * Reads a base address as a person typed it. The result never ends in a slash, and never holds a
 * login, a query or a fragment. Where several things were put right, `fixed` names the weightiest.
 */
export function parseBaseUrl(input: string): BaseUrlResult {
  return parseAddress<BaseUrlFix>(input, '/v1', 'addedVersion', withoutOperation);
}

/** Reads a native base address, `…/api`, in the same way. */
export function parseNativeUrl(input: string): NativeUrlResult {
  return parseAddress<NativeUrlFix>(input, '/api', 'addedPath', withoutNativeOperation);
}

function parseAddress<Fix extends string>(
  input: string,
  pathWhereNone: string,
  addedPath: Fix,
  shortened: (path: string) => string,
): AddressResult<Fix | 'addedScheme' | 'removedOperation'> {
  const text = input.trim();
  if (text === '') return { ok: false, reason: 'empty' };

  const scheme = schemePattern.exec(text)?.[1]?.toLowerCase();
  if (scheme !== undefined && scheme !== 'http' && scheme !== 'https') return { ok: false, reason: 'scheme' };

  // A colon without a port is a scheme with a slip in it (`htps:/host`), and would be read as a host.
  if (scheme === undefined && /^[^/?#]*:(?:[/?#]|$)/.test(text)) return { ok: false, reason: 'notAnAddress' };
  const addedScheme = scheme === undefined ? (thisMachinePattern.test(text) ? 'http://' : 'https://') : '';
  // The URL parser drops tabs and newlines and encodes blanks: an address with a hole in it is a slip.
  if (/\s/.test(text)) return { ok: false, reason: 'notAnAddress' };
  const parsed = URL.parse(addedScheme + text);
  if (parsed === null || parsed.hostname === '') return { ok: false, reason: 'notAnAddress' };
  if (parsed.username !== '' || parsed.password !== '') return { ok: false, reason: 'credentials' };
  if (parsed.search !== '') return { ok: false, reason: 'query' };
  if (parsed.hash !== '') return { ok: false, reason: 'fragment' };

  const typedPath = parsed.pathname.replace(/\/+$/, '');
  const basePath = shortened(typedPath);
  const url = new URL(parsed.origin);
  url.pathname = basePath === '' ? pathWhereNone : basePath;

  if (basePath !== typedPath) return { ok: true, url, fixed: 'removedOperation' };
  if (addedScheme !== '') return { ok: true, url, fixed: 'addedScheme' };
  if (basePath === '') return { ok: true, url, fixed: addedPath };
  return { ok: true, url };
}

function withoutOperation(path: string): string {
  const operation = operations.find((suffix) => path.toLowerCase().endsWith(suffix));
  return operation === undefined ? path : path.slice(0, -operation.length).replace(/\/+$/, '');
}

/** Native operations lie under `/v1` (spec, Native API paths), so the base ends before it. */
function withoutNativeOperation(path: string): string {
  return path.replace(nativeOperation, '').replace(/\/+$/, '');
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
