import type { ApiFailure, NoApiFailure } from '../../shared/apiFailure.ts';
import { ApiError } from '../apiError.ts';
import { orCanceled } from '../calls/orCanceled.ts';
import { deriveNativeUrl } from './baseUrl.ts';
import { baseOf } from './hostForms.ts';
import type { WholeOperation } from '../operations/operation.ts';
import { discoverApi } from './serviceDiscovery.ts';
import {
  apiSettings,
  type Capability,
  type FactStore,
  factsAt,
  formsToAsk,
  hasNoNativeList,
  hasReplied,
  isNoSuchPath,
  isThere,
  nativePlace,
  type PathFact,
  provesMissing,
  type ServiceFacts,
} from './serviceFacts.ts';
import type { ApiChoice, ApiForm, ChatEvent, Endpoint } from '../types.ts';
import { unexpectedError } from '../unexpectedError.ts';

/** A confirmed fact gets a new date at most this often, in milliseconds: once a day. */
const renewedMs = 24 * 60 * 60 * 1000;

type ChatStream = AsyncGenerator<ChatEvent, void, undefined>;

/**
 * Decides which of a service's two APIs is used. The other one is only tried if the first lacks the path, so nothing is
 * done twice. The result is remembered.
 */
export class EitherApi {
  readonly #endpoint: () => Promise<Endpoint>;
  readonly #facts: FactStore;
  readonly #now: () => number;

  /** @param deps.now Unix time in milliseconds. */
  constructor(deps: {
    readonly endpoint: () => Promise<Endpoint>;
    readonly facts: FactStore;
    readonly now: () => number;
  }) {
    this.#endpoint = deps.endpoint;
    this.#facts = deps.facts;
    this.#now = deps.now;
  }

  /** @throws {ApiError} `noApi` if neither has the path. */
  async ask<Answer>(
    { capability, paths }: WholeOperation<Answer>,
    choice: ApiChoice,
    ask: (api: ApiForm) => Promise<Answer>,
    signal: AbortSignal | undefined,
  ): Promise<Answer> {
    if (capability === 'models' && choice === 'auto') return this.#list(ask, signal);
    if (capability === undefined) return ask('compatible');
    const endpoint = await orCanceled(this.#endpoint, signal);
    const lacking: ApiError[] = [];
    const forms = this.#formsToAsk(endpoint, capability, paths.native === undefined ? 'compatible' : choice);
    for (const api of forms) {
      try {
        const answer = await ask(api);
        this.#learned(endpoint, capability, api, { isThere: true, why: 'answered' });
        return answer;
      } catch (error) {
        if (!this.#isMissing(error, endpoint, capability, api)) throw error;
        lacking.push(error);
      }
    }
    throw this.#errorOfAll(endpoint, capability, forms, lacking);
  }

  /** @throws {ApiError} `noApi` if neither has the path. */
  async *chatWithImages(start: (api: ApiForm) => ChatStream, signal: AbortSignal | undefined): ChatStream {
    const endpoint = await orCanceled(this.#endpoint, signal);
    const lacking: ApiError[] = [];
    const forms = this.#formsToAsk(endpoint, 'imageInput', 'auto');
    for (const api of forms) {
      let hasOutput = false;
      try {
        for await (const event of start(api)) {
          hasOutput ||= event.type === 'text' || event.type === 'reasoning' || event.type === 'toolCall';
          yield event;
        }
        this.#learned(endpoint, 'imageInput', api, { isThere: true, why: 'answered' });
        return;
      } catch (error) {
        if (hasOutput || !this.#isMissing(error, endpoint, 'imageInput', api)) throw error;
        lacking.push(error);
      }
    }
    throw this.#errorOfAll(endpoint, 'imageInput', forms, lacking);
  }

  /** The model list of the native API, or of the compatible one if the native list doesn't exist. */
  async #list<List>(ask: (api: ApiForm) => Promise<List>, signal: AbortSignal | undefined): Promise<List> {
    const endpoint = await orCanceled(this.#endpoint, signal);
    const listed = async (api: ApiForm): Promise<List> => {
      const list = await ask(api);
      this.#learned(endpoint, 'models', api, { isThere: true, why: 'answered' });
      return list;
    };
    const isDerived = endpoint.nativeUrl.href === deriveNativeUrl(endpoint.baseUrl).href;
    // If a derived URL lacked the list once, there's no need to try it each time.
    if (isDerived && hasNoNativeList(this.#known(endpoint), this.#now())) return this.#lastList(listed);
    try {
      return await listed('native');
    } catch (error) {
      if (signal?.aborted === true || !(error instanceof ApiError)) throw error;
      if (!isNoCatalog(error.failure, isDerived)) throw error;
      const list = await this.#lastList(listed);
      this.#learned(endpoint, 'models', 'native', { isThere: false, why: 'noSuchPath' });
      return list;
    }
  }

  /** The compatible list, when there's no native one. @throws {ApiError} `noApi` if there's none at all. */
  async #lastList<List>(listed: (api: ApiForm) => Promise<List>): Promise<List> {
    try {
      return await listed('compatible');
    } catch (error) {
      // An HTML page isn't from an API, and a redirect says where to go.
      const isLacking = error instanceof ApiError && 'message' in error.failure && isNoSuchPath(error.failure);
      throw isLacking ? missingApiError('models', [error]) : error;
    }
  }

  /**
   * Probes both for everything they might have, with requests that cost nothing. Anything that can't be determined
   * stays unknown.
   */
  async discover(
    ask: <Answer>(operation: WholeOperation<Answer>, api: ApiForm) => Promise<Answer>,
    signal: AbortSignal | undefined,
  ): Promise<ServiceFacts> {
    const endpoint = await orCanceled(this.#endpoint, signal);
    const closed = new Set<string | undefined>();
    // One at a time, and a host that refuses once isn't asked again: a key that is wrong there isn't tried a dozen times.
    for (const api of ['compatible', 'native'] as const) {
      const origin = baseOf(endpoint, api, 'current')?.origin;
      if (closed.has(origin)) continue;
      const isOpen = await discoverApi(api, {
        ask,
        learned: (capability, fact) => this.#learned(endpoint, capability, api, { ...fact, by: 'probe' }),
      });
      if (!isOpen) closed.add(origin);
    }
    return this.#known(endpoint);
  }

  /** A chat got a reply. */
  replied(endpoint: Endpoint, capability: Capability, api: ApiForm): void {
    this.#learned(endpoint, capability, api, { isThere: true, why: 'answered' });
  }

  #known(endpoint: Endpoint): ServiceFacts {
    return factsAt(this.#facts.of(endpoint.baseUrl.href), placeOf(endpoint));
  }

  #formsToAsk(endpoint: Endpoint, capability: Capability, choice: ApiChoice): readonly ApiForm[] {
    return formsToAsk(this.#known(endpoint), capability, choice, this.#now());
  }

  /** True if the other API can be tried. */
  #isMissing(error: unknown, endpoint: Endpoint, capability: Capability, api: ApiForm): error is ApiError {
    if (!(error instanceof ApiError)) return false;
    const { failure } = error;
    if (isNativeClosed(failure)) return api === 'native';
    if (!isNoSuchPath(failure)) return false;
    if (provesMissing(failure, this.#known(endpoint), capability, api)) {
      this.#learned(endpoint, capability, api, { isThere: false, why: 'noSuchPath' });
    }
    return true;
  }

  /** The error of one that replied before, because that has the path. */
  #errorOfAll(
    endpoint: Endpoint,
    capability: Capability & NoApiFailure['what'],
    forms: readonly ApiForm[],
    lacking: readonly ApiError[],
  ): ApiError {
    const known = this.#known(endpoint);
    const at = forms.findIndex((api) => hasReplied(known, capability, api));
    return lacking[at] ?? missingApiError(capability, lacking);
  }

  #learned(endpoint: Endpoint, capability: Capability, api: ApiForm, fact: Omit<PathFact, 'at'>): void {
    const service = endpoint.baseUrl.href;
    const now = this.#now();
    const known = this.#known(endpoint).paths[capability]?.[api];
    const isSame = known?.why === fact.why && isThere(known, now) === fact.isThere;
    // A rejection is no better proof than a reply.
    const isBetterKnown = known?.why === 'answered' && fact.why === 'rejected';
    if (isBetterKnown || (isSame && now - known.at < renewedMs)) return;
    const where = api === 'native' ? { where: placeOf(endpoint) } : {};
    this.#facts.learnedPath(service, capability, api, { ...fact, ...where, at: now });
  }
}

/**
 * The key isn't approved for the native host, or that host is another service's. The base URL's host can still be
 * asked.
 */
function isNativeClosed(failure: ApiFailure): boolean {
  if (failure.kind !== 'setup') return false;
  return failure.missing === 'apiKeyForThisHost' || failure.missing === 'otherNativeUrl';
}

function placeOf({ nativeUrl, nativeSegment }: Endpoint): string {
  return nativePlace(nativeUrl, nativeSegment);
}

/**
 * Whether the compatible list is worth a try. If the native URL was only derived, a refusal there can mean anything, so
 * any 3xx or 4xx except 429 counts.
 */
function isNoCatalog(failure: ApiFailure, isDerived: boolean): boolean {
  switch (failure.kind) {
    case 'notTheService':
    case 'malformed':
    case 'emptyAnswer':
    case 'modelNotFound':
      return true;
    case 'setup':
      return isNativeClosed(failure);
    case 'redirected':
      return isDerived;
    case 'streamError':
      return isDerived || isNoSuchPath(failure);
    case 'rateLimited':
    case 'proxyAuthRequired':
      return false;
    default: {
      if (!('status' in failure) || failure.status === undefined) return false;
      const { status } = failure;
      return status === 405 || status === 501 || (isDerived && status >= 400 && status <= 499);
    }
  }
}

/**
 * The error when none of the APIs that were tried has the path.
 * @param lacking the response of each; if there's only one, the user selected it.
 */
function missingApiError(what: NoApiFailure['what'], lacking: readonly ApiError[]): ApiError {
  const last = lacking.at(-1);
  if (last === undefined) return unexpectedError(new Error('there was no API to send the request to'));
  const fixable = lacking.find(hasOwnRemedy);
  const isChosen = lacking.length === 1 && apiSettings[what] !== null;
  if (fixable !== undefined || isChosen) return fixable ?? last;
  const { failure } = last;
  const status = 'status' in failure ? (failure.status ?? 0) : 200;
  const message = 'message' in failure ? failure.message : '';
  const requestId = 'requestId' in failure ? failure.requestId : undefined;
  return new ApiError({ kind: 'noApi', what, status, message, ...(requestId !== undefined && { requestId }) }, last);
}

/** A host that the key isn't approved for, and a redirect, both suggest what to do. */
function hasOwnRemedy({ failure }: ApiError): boolean {
  return failure.kind === 'setup' || failure.kind === 'redirected';
}
