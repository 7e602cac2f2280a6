import type { ApiFailure } from '../../shared/apiFailure.ts';
import { isUnknownModel, isUnknownPath } from '../wire/errorCodes.ts';
import type { ApiChoice, ApiForm } from '../types.ts';
import { type ImagesByModel, withImages } from './imageFacts.ts';
import { type RefusalsByModel, type RefusedField, withoutRefusal, withRefusal } from './refusedFields.ts';
import { type LearnedUsage, type UsageByModel, withUsage } from './usageFacts.ts';

export const capabilities = ['chat', 'models', 'imageInput', 'imageGeneration', 'audio', 'video'] as const;
/** What a service might support, each through one of its APIs, both, or neither. */
export type Capability = (typeof capabilities)[number];

/** The setting with which users choose the API of each; null if they can't. */
export const apiSettings = {
  chat: 'chatApi',
  models: null,
  imageInput: 'imageApi',
  imageGeneration: 'mediaApi',
  audio: 'mediaApi',
  video: null,
} as const satisfies Readonly<Record<Capability, string | null>>;

/** Whether an API of a service has the path of a capability. */
export interface PathFact {
  readonly isThere: boolean;
  /**
   * `answered`: a request succeeded. `rejected`: a request that no service carries out was refused. `noSuchPath`: the
   * path doesn't exist.
   */
  readonly why: 'answered' | 'rejected' | 'noSuchPath';
  /** A probe showed it; absent if one of the user's own requests did. */
  readonly by?: 'probe';
  /** The `nativePlace` where a native path was looked for. */
  readonly where?: string;
  /** Unix time in milliseconds. */
  readonly at: number;
}

/** What probes and real responses showed about a service. */
export interface ServiceFacts {
  readonly paths: { readonly [C in Capability]?: { readonly [A in ApiForm]?: PathFact } };
  readonly usageByModel?: UsageByModel;
  readonly fieldsByModel?: RefusalsByModel;
  readonly imagesByModel?: ImagesByModel;
}

/** Facts about services, each identified by its base URL. Reading never waits. Unknown facts are found out again. */
export interface FactStore {
  of(service: string): ServiceFacts;
  learnedPath(service: string, capability: Capability, api: ApiForm, fact: PathFact): void;
  learnedUsage(service: string, model: string, usage: LearnedUsage): void;
  /** @param at Unix time in milliseconds. */
  learnedRefusal(service: string, model: string, field: RefusedField, at: number): void;
  /** The model refuses what is sent instead. */
  forgotRefusal(service: string, model: string, field: RefusedField): void;
  /** @param at Unix time in milliseconds; undefined if the model refused an image */
  learnedImages(service: string, model: string, at: number | undefined): void;
}

/** What the user's settings say about where native paths are. A fact about another place says nothing about this one. */
export function nativePlace(nativeUrl: URL, segment = 'svcai'): string {
  return `${nativeUrl.href} ${segment}`;
}

/** Without the facts about native paths elsewhere. */
export function factsAt(facts: ServiceFacts, place: string): ServiceFacts {
  let here = facts;
  for (const capability of capabilities) {
    const { native, ...others } = facts.paths[capability] ?? {};
    if (native?.where === undefined || native.where === place) continue;
    here = { ...here, paths: { ...here.paths, [capability]: others } };
  }
  return here;
}

const missingMs = 7 * 24 * 60 * 60 * 1000;

/** Whether the path exists; undefined if that's unknown or out of date. */
export function isThere(fact: PathFact | undefined, nowMs: number): boolean | undefined {
  if (fact?.isThere !== false) return fact?.isThere;
  return nowMs - fact.at < missingMs ? false : undefined;
}

/** The compatible model list exists, and the native one doesn't. */
export function hasNoNativeList({ paths }: ServiceFacts, nowMs: number): boolean {
  return isThere(paths.models?.native, nowMs) === false && paths.models?.compatible?.isThere === true;
}

/**
 * The APIs to use, in order: the second is only tried if the first lacks the path. The native one comes first unless
 * its path, or its model list, was found missing.
 */
export function formsToAsk(
  facts: ServiceFacts,
  capability: Capability,
  choice: ApiChoice,
  nowMs: number,
): readonly ApiForm[] {
  if (choice !== 'auto') return [choice];
  const isNative = isThere(facts.paths[capability]?.native, nowMs) ?? !hasNoNativeList(facts, nowMs);
  return isNative ? ['native', 'compatible'] : ['compatible', 'native'];
}

/** The service has no such path, so nothing was done. A missing model is something else. */
export function isNoSuchPath(failure: ApiFailure): boolean {
  switch (failure.kind) {
    case 'redirected':
      // 303 points to the result of a request that was carried out.
      return failure.status !== 303;
    case 'modelNotFound':
      return failure.status === 404 && failure.param !== 'model' && !isUnknownModel(failure);
    case 'streamError':
      return isUnknownPath(failure);
    case 'unexpectedStatus':
    case 'notTheService':
      return failure.status === 404 || failure.status === 405 || failure.status === 501;
    default:
      return false;
  }
}

/** A reply proved that the path exists. Chats with and without images have the same one in the compatible API. */
export function hasReplied({ paths }: ServiceFacts, capability: Capability, api: ApiForm): boolean {
  return paths[capability]?.[api]?.why === 'answered' || isPathOfChat(paths, capability, api);
}

/** Whether a failure is reason enough to remember that the path is missing. */
export function provesMissing(failure: ApiFailure, facts: ServiceFacts, capability: Capability, api: ApiForm): boolean {
  if (!isNoSuchPath(failure) || isPathOfChat(facts.paths, capability, api)) return false;
  // After a reply, the service's own 404 is more likely about a model.
  const isServiceWord = 'body' in failure && failure.body === 'json';
  return !(isServiceWord && hasReplied(facts, capability, api));
}

function isPathOfChat(paths: ServiceFacts['paths'], capability: Capability, api: ApiForm): boolean {
  return capability === 'imageInput' && api === 'compatible' && paths.chat?.compatible?.isThere === true;
}

/** Facts that last as long as the client. */
export class FactsInMemory implements FactStore {
  readonly #facts = new Map<string, ServiceFacts>();

  of(service: string): ServiceFacts {
    return this.#facts.get(service) ?? { paths: {} };
  }

  learnedPath(service: string, capability: Capability, api: ApiForm, fact: PathFact): void {
    this.#facts.set(service, withPath(this.of(service), capability, api, fact));
  }

  learnedUsage(service: string, model: string, usage: LearnedUsage): void {
    const facts = this.of(service);
    this.#facts.set(service, { ...facts, usageByModel: withUsage(facts.usageByModel ?? {}, model, usage) });
  }

  learnedRefusal(service: string, model: string, field: RefusedField, at: number): void {
    const facts = this.of(service);
    this.#facts.set(service, { ...facts, fieldsByModel: withRefusal(facts.fieldsByModel ?? {}, model, field, at) });
  }

  forgotRefusal(service: string, model: string, field: RefusedField): void {
    const facts = this.of(service);
    this.#facts.set(service, { ...facts, fieldsByModel: withoutRefusal(facts.fieldsByModel ?? {}, model, field) });
  }

  learnedImages(service: string, model: string, at: number | undefined): void {
    const facts = this.of(service);
    this.#facts.set(service, { ...facts, imagesByModel: withImages(facts.imagesByModel ?? {}, model, at) });
  }
}

export function withPath(facts: ServiceFacts, capability: Capability, api: ApiForm, fact: PathFact): ServiceFacts {
  return { ...facts, paths: { ...facts.paths, [capability]: { ...facts.paths[capability], [api]: fact } } };
}
