/** What was corrected in a text that wasn't quite a base URL. */
export type BaseUrlFix =
  /** It ended with an operation, for example `/chat/completions`, which the client adds itself. */
  | 'removedOperation'
  /** It had no scheme: `https`, or `http` for this machine. */
  | 'addedScheme'
  /** It had no path: `/v1`. */
  | 'addedVersion';

/** What was corrected in a text that wasn't quite a native base URL. */
export type NativeUrlFix =
  /** It ended with `/v1` or with an operation, which the client adds itself. */
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

/** Also of those that Parlance doesn't use, because a service's documentation shows them as whole URLs. */
const operations = [
  '/chat/completions',
  '/completions',
  '/models',
  '/videos/generations',
  '/images/generations',
  '/images/edits',
  '/audio/transcriptions',
  '/audio/speech',
  '/responses',
  '/messages',
  '/embeddings',
];
const nativeOperation =
  /\/v1(\/models|\/[^/]+\/(chat\/completions|image\/generation|audio\/transcribe|multimodal\/chat))?$/i;
const schemePattern = /^([a-z][a-z0-9+.-]*):\/\//i;
/**
 * A resource of Azure: its portal shows the URL of a deployment with a dated `api-version`, which needs another header
 * for the key. Under `/openai/v1` the same resource is compatible, and the deployment's name is the model
 * (learn.microsoft.com/azure/foundry/openai/api-version-lifecycle).
 */
const azureResource = /\.(openai|cognitiveservices|services\.ai)\.azure\.com$/;
const azurePath = /^(\/openai(\/deployments(\/[^/]+)?|\/v1)?)?$/i;
/** Services whose base URL has no path (docs.perplexity.ai, "Chat Completions"). */
const withoutPath: ReadonlySet<string> = new Set(['api.perplexity.ai']);
const thisMachinePattern = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:|\/|$)/i;

/**
 * Parses a base URL as a user typed it. The path of the result never ends with a slash, and there's no login, query, or
 * fragment. If several things were corrected, `fixed` is the most important one.
 */
export function parseBaseUrl(input: string): BaseUrlResult {
  return parseAddress<BaseUrlFix>(
    input,
    (host) => (withoutPath.has(host) ? '' : '/v1'),
    'addedVersion',
    withoutOperation,
    atAzure,
  );
}

/** Parses a native base URL, `…/api`, in the same way. */
export function parseNativeUrl(input: string): NativeUrlResult {
  return parseAddress<NativeUrlFix>(input, () => '/api', 'addedPath', withoutNativeOperation);
}

function parseAddress<Fix extends string>(
  input: string,
  pathWhereNone: (host: string) => string,
  addedPath: Fix,
  shortened: (path: string) => string,
  rewritten: (url: URL) => URL = (url) => url,
): AddressResult<Fix | 'addedScheme' | 'removedOperation'> {
  const text = input.trim();
  if (text === '') return { ok: false, reason: 'empty' };

  const scheme = schemePattern.exec(text)?.[1]?.toLowerCase();
  if (scheme !== undefined && scheme !== 'http' && scheme !== 'https') return { ok: false, reason: 'scheme' };

  // A colon without a port is a mistyped scheme (`htps:/host`) and would be parsed as a host.
  if (scheme === undefined && /^[^/?#]*:(?:[/?#]|$)/.test(text)) return { ok: false, reason: 'notAnAddress' };
  const addedScheme = scheme === undefined ? (thisMachinePattern.test(text) ? 'http://' : 'https://') : '';
  // The URL parser drops tabs and newlines and encodes spaces, but a URL with a gap in it is a typo.
  if (/\s/.test(text)) return { ok: false, reason: 'notAnAddress' };
  const parsed = URL.parse(addedScheme + text);
  if (parsed === null || parsed.hostname === '') return { ok: false, reason: 'notAnAddress' };
  if (parsed.username !== '' || parsed.password !== '') return { ok: false, reason: 'credentials' };
  const { search, pathname } = rewritten(parsed);
  if (search !== '') return { ok: false, reason: 'query' };
  if (parsed.hash !== '') return { ok: false, reason: 'fragment' };

  const typedPath = parsed.pathname.replace(/\/+$/, '');
  const basePath = shortened(pathname.replace(/\/+$/, ''));
  const url = new URL(parsed.origin);
  url.pathname = basePath === '' ? pathWhereNone(url.hostname) : basePath;

  const isShorter = typedPath !== '' && basePath !== typedPath;
  if (isShorter || search !== parsed.search) return { ok: true, url, fixed: 'removedOperation' };
  if (addedScheme !== '') return { ok: true, url, fixed: 'addedScheme' };
  if (typedPath === '' && url.pathname !== '/') return { ok: true, url, fixed: addedPath };
  return { ok: true, url };
}

function atAzure(url: URL): URL {
  const path = withoutOperation(url.pathname.replace(/\/+$/, ''));
  if (!azureResource.test(url.hostname) || !azurePath.test(path)) return url;
  const rewritten = new URL(url);
  rewritten.pathname = '/openai/v1';
  rewritten.searchParams.delete('api-version');
  return rewritten;
}

function withoutOperation(path: string): string {
  const operation = operations.find((suffix) => path.toLowerCase().endsWith(suffix));
  return operation === undefined ? path : path.slice(0, -operation.length).replace(/\/+$/, '');
}

/** Native operations are under `/v1` (spec, Native API paths), so the base ends before it. */
function withoutNativeOperation(path: string): string {
  return path.replace(nativeOperation, '').replace(/\/+$/, '');
}

/**
 * The native base URL that belongs to a base URL: `…/v1` becomes `…/api`. `…/api/v1` also becomes `…/api`, because
 * services that have both APIs under one path put the native one there.
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
