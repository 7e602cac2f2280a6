import { type ModelRef, refParts } from '../../shared/modelRef.ts';
import type { ModelInfo } from '../../api/wire/decodeModels.ts';
import { messagesTokens, mostTokensOf } from '../chat/messagesTokens.ts';
import { mayChat } from '../models/modelAbilities.ts';
import { type Experiment, type ExperimentModel, type ExperimentPrompt, modelKey } from './experiment.ts';
import { maxTokensOf, type PlannedRequest, plannedBody, plannedRequests, timesPlanned } from './experimentPlan.ts';
import type { ReplySample } from './replySample.ts';

/** Assumed tokens of a reply that nothing is known about. */
export const USUAL_REPLY_TOKENS = 400;
/** Tokens after which a service ends a reply if neither the request nor the model list has a maximum. */
const SERVICE_REPLY_TOKENS = 4096;
/** As long as the prompt. */
const ANY_PREFIX = '0'.repeat(36);

export interface ForecastDeps {
  /** What the model list says about a model; undefined if it isn't listed. */
  readonly modelOf: (model: ExperimentModel) => ModelInfo | undefined;
  /** Tokens of a usual reply, for example from the request history. */
  readonly replyTokensOf?: (model: ExperimentModel) => number | undefined;
}

/** What a request will use, as far as that's known in advance. */
export interface RequestForecast {
  /** Estimated from the text. */
  readonly promptTokens: number;
  readonly replyTokens: number;
  /** Absent if neither the request nor the model list has it. */
  readonly maxReplyTokens?: number;
  /** In currency units; absent if a price is missing. */
  readonly cost?: number;
  /** Absent if a price is missing, or if neither the request nor the model list limits the reply. */
  readonly maxCost?: number;
  /** What it can't exceed. */
  readonly most: {
    readonly promptTokens: number;
    readonly replyTokens: number;
    /** Whether the request or the model list has the maximum of a reply. Otherwise it's the service's usual one. */
    readonly isLimited: boolean;
    /** In currency units; 0 if a price is missing. */
    readonly cost: number;
    readonly pricePerReplyToken: number;
  };
}

/** What an experiment will send. All counts are maximums, apart from refused requests, which are sent again. */
export interface ExperimentForecast {
  readonly requests: number;
  readonly promptTokens: number;
  readonly replyTokens: number;
  /** Absent if the length of a reply has no known limit. */
  readonly maxReplyTokens?: number;
  /** In currency units, for replies of the usual length. */
  readonly cost: number;
  /** A price is missing, so the cost is "at least". */
  readonly isCostAtLeast: boolean;
  /** Absent if the length of a reply has no known limit, or if a price is missing. */
  readonly maxCost?: number;
}

/** Why an experiment can't start, or what would certainly fail. */
export type ExperimentFault =
  | { readonly kind: 'noModel' | 'noPrompt' | 'noMessage' | 'noConcurrency' }
  | { readonly kind: 'sameModelTwice'; readonly model: ModelRef }
  | ModelFault;

/** What's wrong with a model, or with a prompt for it, whatever the experiment is for. */
export type ModelFault =
  /** `noPrice`: a cost limit can't be enforced without a price. */
  | { readonly kind: 'cannotChat' | 'noPrice'; readonly model: ModelRef }
  | {
      readonly kind: 'overContextWindow';
      readonly model: ModelRef;
      readonly promptTokens: number;
      readonly contextWindow: number;
    };

/** Calculates each pair of model and prompt once, because its repeats are identical. */
export class Forecaster {
  readonly #experiment: Experiment;
  readonly #deps: ForecastDeps;
  readonly #known = new Map<ExperimentModel, Map<ExperimentPrompt, RequestForecast>>();

  constructor(experiment: Experiment, deps: ForecastDeps) {
    this.#experiment = experiment;
    this.#deps = deps;
  }

  of(request: PlannedRequest): RequestForecast {
    const ofModel = this.#known.get(request.model) ?? new Map<ExperimentPrompt, RequestForecast>();
    this.#known.set(request.model, ofModel);
    const forecast = ofModel.get(request.prompt) ?? this.#workOut(request);
    ofModel.set(request.prompt, forecast);
    return forecast;
  }

  #workOut(request: PlannedRequest): RequestForecast {
    const info = this.#deps.modelOf(request.model);
    const { messages } = plannedBody(this.#experiment, request, ANY_PREFIX);
    const promptTokens = messagesTokens(messages);
    const maxReplyTokens = maxTokensOf(this.#experiment, request) ?? info?.maxOutputTokens;
    const usual = this.#deps.replyTokensOf?.(request.model) ?? USUAL_REPLY_TOKENS;
    const replyTokens = Math.min(usual, maxReplyTokens ?? usual);
    const cost = costOf(info, promptTokens, replyTokens);
    const mostPrompt = mostTokensOf(messages);
    const mostReply = maxReplyTokens ?? SERVICE_REPLY_TOKENS;
    const mostCost = costOf(info, mostPrompt, mostReply) ?? 0;
    return {
      promptTokens,
      replyTokens,
      ...(maxReplyTokens !== undefined && { maxReplyTokens }),
      ...(cost !== undefined && { cost }),
      ...(cost !== undefined && maxReplyTokens !== undefined && { maxCost: mostCost }),
      most: {
        promptTokens: mostPrompt,
        replyTokens: mostReply,
        isLimited: maxReplyTokens !== undefined,
        cost: mostCost,
        pricePerReplyToken: costOf(info, 0, 1) ?? 0,
      },
    };
  }
}

export function experimentForecast(experiment: Experiment, deps: ForecastDeps): ExperimentForecast {
  const forecaster = new Forecaster(experiment, deps);
  const all = onePerPrompt(experiment).map((request) => ({
    ...forecaster.of(request),
    times: timesPlanned(experiment, request.prompt),
  }));
  const sum = (value: (of: RequestForecast) => number) =>
    all.reduce((total, forecast) => total + forecast.times * value(forecast), 0);
  const isBounded = all.every(({ maxReplyTokens }) => maxReplyTokens !== undefined);
  return {
    requests: sum(() => 1),
    promptTokens: sum(({ promptTokens }) => promptTokens),
    replyTokens: sum(({ replyTokens }) => replyTokens),
    ...(isBounded && { maxReplyTokens: sum(({ maxReplyTokens = 0 }) => maxReplyTokens) }),
    cost: sum(({ cost = 0 }) => cost),
    isCostAtLeast: all.some(({ cost, times }) => times > 0 && cost === undefined),
    ...(all.every(({ maxCost }) => maxCost !== undefined) && { maxCost: sum(({ maxCost = 0 }) => maxCost) }),
  };
}

/** The cost per service ID in currency units, for replies of the usual length. */
export function costsOfServices(experiment: Experiment, deps: ForecastDeps): ReadonlyMap<string, number> {
  const byService = Map.groupBy(experiment.models, ({ id }) => refParts(id).service);
  return new Map(
    [...byService].map(([service, models]) => [service, experimentForecast({ ...experiment, models }, deps).cost]),
  );
}

/** A request for each model and prompt, because its repeats are identical. */
function onePerPrompt(experiment: Experiment): readonly PlannedRequest[] {
  return plannedRequests({ ...experiment, repeats: 1, warmUp: 0, concurrency: [1] });
}

/** Empty for an experiment that can start. */
export function experimentFaults(experiment: Experiment, { modelOf }: ForecastDeps): readonly ExperimentFault[] {
  const { models, prompts, concurrency, limits } = experiment;
  const keys = models.map((model) => identityOf(experiment, model));
  const twice = models.filter((_, index) => keys.indexOf(keys[index] ?? '') < index);
  const forecaster = new Forecaster(experiment, { modelOf });
  const tooLong = onePerPrompt(experiment).flatMap((request) => {
    const contextWindow = modelOf(request.model)?.contextWindow;
    const { promptTokens } = forecaster.of(request);
    if (contextWindow === undefined || promptTokens <= contextWindow) return [];
    return [{ kind: 'overContextWindow', model: request.model.id, promptTokens, contextWindow } as const];
  });
  return [
    ...(models.length === 0 ? [{ kind: 'noModel' } as const] : []),
    ...(prompts.length === 0 ? [{ kind: 'noPrompt' } as const] : []),
    ...(prompts.some(({ messages }) => messages.length === 0) ? [{ kind: 'noMessage' } as const] : []),
    ...(concurrency.length === 0 ? [{ kind: 'noConcurrency' } as const] : []),
    ...twice.map(({ id }) => ({ kind: 'sameModelTwice', model: id }) as const),
    ...models.flatMap((model) => {
      const info = modelOf(model);
      return info !== undefined && !mayChat(info) ? [{ kind: 'cannotChat', model: model.id } as const] : [];
    }),
    ...tooLong,
    ...(limits.cost === undefined
      ? []
      : models
          .filter((model) => costOf(modelOf(model), 1, 1) === undefined)
          .map(({ id }) => ({ kind: 'noPrice', model: id }) as const)),
  ];
}

/** In currency units; undefined if a price is missing. */
export function costOf(info: ModelInfo | undefined, promptTokens: number, replyTokens: number): number | undefined {
  const { inputPricePerMillion: input, outputPricePerMillion: output } = info ?? {};
  if (input === undefined || output === undefined) return undefined;
  return (promptTokens * input + replyTokens * output) / 1_000_000;
}

/** What a reply cost, at these prices; undefined if a price or a number of tokens is missing. */
export function costOfSample(sample: ReplySample | undefined, info: ModelInfo | undefined): number | undefined {
  const { promptTokens, replyTokens } = sample ?? {};
  return promptTokens === undefined || replyTokens === undefined ? undefined : costOf(info, promptTokens, replyTokens);
}

/** Selecting the same model twice only makes sense with different parameters. */
function identityOf({ options: shared }: Experiment, model: ExperimentModel): string {
  const used = Object.entries({ ...shared, ...model.options });
  return JSON.stringify([modelKey(model), used.toSorted(([a], [b]) => (a < b ? -1 : 1))]);
}
