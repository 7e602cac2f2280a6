import { mainServiceId, type ModelRef, refParts } from '../../shared/modelRef.ts';
import { ApiError } from '../../api/apiError.ts';
import type { ModelInfo } from '../../api/wire/decodeModels.ts';
import { closestModels } from '../../core/models/closestModels.ts';
import type { ModelAbility } from '../../core/models/modelAbilities.ts';
import { ModelIndex } from '../../core/models/modelIndex.ts';
import { problemOfDisk } from '../../core/problems/fileProblems.ts';
import { problemOf, type ProblemContext } from '../../core/problems/problemOf.ts';
import { disposedCode } from '../../api/transport/disposedCode.ts';
import { serviceName } from '../../words/modelLabel.ts';
import type { ApiFailure } from '../../shared/apiFailure.ts';
import { type Problem, problemLine } from '../../shared/problem.ts';
import type { EndpointSource } from '../service/endpoint.ts';
import type { Log } from '../platform/log.ts';
import type { Redactor } from '../platform/redactor.ts';
import type { ServicePages } from '../service/service.ts';

/** What the place that shows a problem knows about it. */
export type Circumstances = Pick<ProblemContext, 'during' | 'model' | 'attempts' | 'isUpload' | 'waysOut'> & {
  /** ID of the service that the request was sent to, if no model identifies it. */
  readonly service?: string;
  readonly hasPartialText?: boolean;
  /** When it failed, as Unix time in milliseconds; now by default. */
  readonly at?: number;
  /** What the model was used for; a chat by default. */
  readonly wanted?: ModelAbility;
};

type ExplainedEndpoint = Pick<EndpointSource, 'host' | 'keySource'> &
  Partial<Pick<EndpointSource, 'redirectedToHttps'>>;

interface ExplainedService {
  readonly endpoint: ExplainedEndpoint;
  readonly pages: () => ServicePages;
}

type ClosestModels = (model: ModelRef, wanted?: ModelAbility) => readonly string[];

interface ExplainerDeps {
  /** The service of failures that belong to none in particular. */
  readonly main: () => ExplainedService;
  /** By its ID; undefined for one that isn't in the list. */
  readonly serviceOf?: (id: string) => ExplainedService | undefined;
  readonly redactor: Redactor;
  readonly log: Pick<Log, 'error'>;
  /** Similar IDs in the model list. */
  readonly closestModels: ClosestModels;
}

/** Describes failures, with everything that settings and URLs add, and without secrets. */
export class Explainer {
  readonly #deps: ExplainerDeps;
  readonly #serviceOf: (id: string) => ExplainedService | undefined;

  constructor(deps: ExplainerDeps) {
    this.#deps = deps;
    this.#serviceOf = deps.serviceOf ?? (() => undefined);
  }

  /** For another service: nothing of the user's own service is used, neither its key nor its pages or models. */
  elsewhere(host: string, models: () => readonly ModelInfo[]): Explainer {
    return new Explainer({
      main: () => unknownService(host),
      redactor: this.#deps.redactor,
      log: this.#deps.log,
      closestModels: (model, wanted) => closestModels(new ModelIndex(models()), model, 3, wanted),
    });
  }

  problem(failure: ApiFailure, circumstances: Circumstances = {}): Problem {
    if (failure.kind === 'redirected' && failure.isToHttps && failure.to !== undefined) {
      this.#aboutOf(circumstances).about.endpoint.redirectedToHttps?.(new URL(failure.to).origin);
    }
    const told = this.#isOfRemoved(failure, circumstances) ?? failure;
    const problem = problemOf(this.#deps.redactor.cleanData(told), this.context(circumstances));
    const { service } = this.#aboutOf(circumstances);
    return service === undefined ? problem : { ...problem, service };
  }

  /**
   * For caught errors: anything but an ApiError or an error of the file system is a bug in Parlance, shown as unexpected.
   * Everything but an ApiError is logged with its stack.
   */
  problemOfError(error: unknown, circumstances: Circumstances = {}): Problem {
    if (error instanceof ApiError) {
      const { failure, service } = error;
      return this.problem(failure, { ...(service !== undefined && { service }), ...circumstances });
    }
    const ofDisk = problemOfDisk(error, process.platform);
    this.#deps.log.error(ofDisk === undefined ? 'Unexpected' : 'File system', error);
    return ofDisk ?? this.problem({ kind: 'unexpected', message: String(error) }, circumstances);
  }

  /**
   * For VS Code's own surfaces, which show an error's message. An error that already has readable text stays unchanged.
   */
  toldError(error: unknown, model?: ModelRef): Error {
    if (error instanceof Error && error.constructor === Error) return error;
    return new Error(
      problemLine(this.problemOfError(error, { during: 'command', ...(model !== undefined && { model }) })),
    );
  }

  context(circumstances: Circumstances): ProblemContext {
    const { about } = this.#aboutOf(circumstances);
    const { host, keySource } = about.endpoint;
    const { at = Date.now(), wanted, service: _, ...known } = circumstances;
    return {
      hasPartialText: false,
      ...known,
      pages: about.pages(),
      now: at,
      closestModels: (model) => this.#deps.closestModels(model, wanted),
      ...(host === '' ? {} : { host }),
      ...(keySource === undefined ? {} : { keySource }),
    };
  }

  /** A request that ended because its service was removed. */
  #isOfRemoved(failure: ApiFailure, { model, service }: Circumstances): ApiFailure | undefined {
    if (failure.kind !== 'network' || failure.code !== disposedCode) return undefined;
    const id = service ?? (model === undefined ? undefined : refParts(model).service);
    if (id === undefined || this.#serviceOf(id) !== undefined) return undefined;
    return { kind: 'setup', missing: 'service', found: serviceName(id) };
  }

  /** The service that a failure is about; its ID unless it's the first one and the main one. */
  #aboutOf({ model, service }: Circumstances): { readonly about: ExplainedService; readonly service?: string } {
    const id = service ?? (model === undefined ? undefined : refParts(model).service);
    const found = id === undefined ? undefined : this.#serviceOf(id);
    // The failure doesn't name a service: it's about the main one, or about none.
    if (id === undefined || (found === undefined && id === mainServiceId)) return { about: this.#deps.main() };
    const isMain = id === mainServiceId && found === this.#deps.main();
    return { about: found ?? unknownService(''), ...(!isMain && { service: id }) };
  }
}

/** Nothing that is known about another service is used. */
function unknownService(host: string): ExplainedService {
  return { endpoint: { host, keySource: undefined }, pages: () => ({}) };
}
