import type { ApiFailure } from '../shared/apiFailure.ts';
import type { ApiChoice, ApiForm } from './types.ts';

export const capabilities = ['chat', 'models', 'imageInput', 'imageGeneration', 'audio', 'video'] as const;
/** What a service may support, each through one of its APIs, both, or not at all. */
export type Capability = (typeof capabilities)[number];

/** Whether an API of a service has the path of a capability. */
export interface PathFact {
  readonly isThere: boolean;
  /** `answered`: a request went well; `rejected`: one that no service carries out was refused; `noSuchPath`. */
  readonly why: 'answered' | 'rejected' | 'noSuchPath';
  /** Unix time in milliseconds. */
  readonly at: number;
}

/** Whether streamed replies have usage: unasked, only on request, or not even then. */
export type UsageFact = 'sent' | 'onRequest' | 'never';

/** What was learned of a service from what costs nothing and from real answers. */
export interface ServiceFacts {
  readonly paths: { readonly [C in Capability]?: { readonly [A in ApiForm]?: PathFact } };
  readonly usage?: UsageFact;
}

/** Facts by service, which its base URL names. Reading waits for nothing; what is not known is learned again. */
export interface FactStore {
  of(service: string): ServiceFacts;
  learnedPath(service: string, capability: Capability, api: ApiForm, fact: PathFact): void;
  learnedUsage(service: string, usage: UsageFact): void;
}

/** How a capability of a service is used, or that it is not there. Undefined while that is not known. */
export type Support = { readonly through: ApiForm | 'not' } & Pick<PathFact, 'why' | 'at'>;

/** Native first; `not` only where no API that could have it does. */
export function supportOf({ paths }: ServiceFacts, capability: Capability): Support | undefined {
  const { native, compatible } = paths[capability] ?? {};
  if (native?.isThere === true) return { through: 'native', why: native.why, at: native.at };
  if (compatible?.isThere === true) return { through: 'compatible', why: compatible.why, at: compatible.at };
  const isNot = compatible?.isThere === false && (native?.isThere === false || capability === 'video');
  return isNot ? { through: 'not', why: compatible.why, at: compatible.at } : undefined;
}

/**
 * The APIs to ask, in order. The native one comes first where nothing speaks against it: the path is not
 * known to be missing, and the native model list was not found missing while the compatible one is there.
 */
export function formsToAsk(facts: ServiceFacts, capability: Capability, choice: ApiChoice): readonly ApiForm[] {
  if (choice !== 'auto') return [choice];
  const { native, compatible } = facts.paths[capability] ?? {};
  if (native?.isThere === true) return ['native'];
  if (compatible?.isThere === true) return native?.isThere === false ? ['compatible'] : ['compatible', 'native'];
  const { models } = facts.paths;
  const isForeign = models?.native?.isThere === false && models.compatible?.isThere === true;
  return isForeign || native?.isThere === false ? ['compatible', 'native'] : ['native', 'compatible'];
}

/** The service has no such path: nothing was done there. A model that is missing is no such thing. */
export function isNoSuchPath(failure: ApiFailure): boolean {
  switch (failure.kind) {
    case 'redirected':
      return true;
    case 'modelNotFound':
      return failure.status === 404 && failure.code !== 'model_not_found';
    case 'unexpectedStatus':
    case 'notTheService':
      return failure.status === 404 || failure.status === 405 || failure.status === 501;
    default:
      return false;
  }
}

/** Facts for as long as the client lives. */
export class FactsInMemory implements FactStore {
  readonly #facts = new Map<string, ServiceFacts>();

  of(service: string): ServiceFacts {
    return this.#facts.get(service) ?? { paths: {} };
  }

  learnedPath(service: string, capability: Capability, api: ApiForm, fact: PathFact): void {
    this.#facts.set(service, withPath(this.of(service), capability, api, fact));
  }

  learnedUsage(service: string, usage: UsageFact): void {
    this.#facts.set(service, { ...this.of(service), usage });
  }
}

export function withPath(facts: ServiceFacts, capability: Capability, api: ApiForm, fact: PathFact): ServiceFacts {
  return { ...facts, paths: { ...facts.paths, [capability]: { ...facts.paths[capability], [api]: fact } } };
}
