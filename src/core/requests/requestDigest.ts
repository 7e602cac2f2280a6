import { mayHaveBeenMade } from '../../api/calls/mayHaveBeenMade.ts';
import { isComparisonId } from '../experiments/experimentId.ts';
import { isTokensEstimate, writingRate } from '../chat/replyMetrics.ts';
import type { Figure } from '../../shared/chat.ts';
import { mainServiceId, modelRef, type ModelRef, refParts } from '../../shared/modelRef.ts';
import { type LoggedRequest, serviceOf } from './requestLog.ts';
import { requestOperations } from './requestOperations.ts';

/** Number of the newest speeds stored for each model and day of a file. A median needs no more. */
const maxSpeeds = 50;

/**
 * One reply's speed: Unix time in milliseconds, seconds to the first token, tokens per second, and the origin of these
 * two, unless the service sent both.
 */
export type Speed = [
  at: number,
  firstTokenSeconds: number | null,
  tokensPerSecond: number | null,
  firstTokenFrom?: Figure['from'],
  rateFrom?: Figure['from'],
];

/** The sums for the requests of one model on one day. */
export interface RequestSum {
  requests: number;
  failed: number;
  promptTokens: number;
  completionTokens: number;
  cost: number;
  /** Complete replies that tell how long the model's replies usually are, and their tokens. */
  replies: number;
  replyTokens: number;
  /** Requests that `cost` lacks, although they might have been charged. */
  unpriced: number;
  /** Requests whose tokens were estimated from the text; absent for none. */
  estimated?: number;
  /** Those of them that `cost` includes; absent for none. */
  estimatedCosts?: number;
  speeds: Speed[];
}

/** Sums by day (`2030-01-31`), then by model of a service; its ID is empty if a request has no model. */
export type RequestDigest = Record<string, Record<string, RequestSum>>;

/** Sums of requests, and apart from them those of experiments that are withheld, by their IDs. */
export interface SumsApart {
  readonly digest: RequestDigest;
  readonly withheld: Readonly<Record<string, RequestDigest>>;
}

/** @param dayOf the day of a time, in the user's time zone. */
export function digestOf(requests: Iterable<LoggedRequest>, dayOf: (at: number) => string): RequestDigest {
  const digest: RequestDigest = {};
  for (const request of requests) {
    addRequest(sumFor(digest, dayOf(request.at), request.model ?? modelRef(serviceOf(request), '')), request);
  }
  return digest;
}

function addRequest(sum: RequestSum, request: LoggedRequest): void {
  const { at, origin, end } = request;
  sum.requests += 1;
  if (end === undefined) return;
  if (end.outcome === 'failed') sum.failed += 1;
  const { promptTokens, completionTokens, timeToFirstTokenSeconds: first } = end.metrics;
  sum.promptTokens += promptTokens?.value ?? 0;
  sum.completionTokens += completionTokens?.value ?? 0;
  if (completionTokens !== undefined && hasUsualLength(request)) {
    sum.replies += 1;
    sum.replyTokens += completionTokens.value;
  }
  const isEstimated = isTokensEstimate(end.metrics);
  if (isEstimated) sum.estimated = (sum.estimated ?? 0) + 1;
  if (end.cost !== undefined) {
    if (isEstimated) sum.estimatedCosts = (sum.estimatedCosts ?? 0) + 1;
    sum.cost += end.cost;
  } else if (mightBeCharged(request)) sum.unpriced += 1;
  const rate = writingRate(end.metrics);
  if (first === undefined && rate === undefined) return;
  // A failed request might have been slow for reasons other than the model.
  if (end.outcome !== 'done' && end.outcome !== 'incomplete') return;
  // Under load, a reply is as slow as the load makes it, and those of Measure Models would outnumber all others.
  const { load = 1, isWarmUp = false } = origin.experiment ?? {};
  if (load > 1 || isWarmUp) return;
  const speed: Speed = [at, first?.value ?? null, rate?.value ?? null];
  const [firstFrom, rateFrom] = [first?.from ?? 'service', rate?.from ?? 'service'];
  if (firstFrom !== 'service' || rateFrom !== 'service') speed.push(firstFrom, rateFrom);
  sum.speeds.push(speed);
  if (sum.speeds.length > maxSpeeds) sum.speeds.splice(0, sum.speeds.length - maxSpeeds);
}

/** The prompts of tests, checks, and measurements aren't a user's usual ones, and limit the reply. */
function hasUsualLength({ origin: { kind, experiment }, end }: LoggedRequest): boolean {
  const isTest = kind === 'connectionTest' || kind === 'models';
  return end?.outcome === 'done' && !isTest && (experiment === undefined || isComparisonId(experiment.id));
}

/** A generated file has no tokens, and a stopped chat might have none yet. */
function mightBeCharged({ operation, end }: LoggedRequest): boolean {
  if (requestOperations[operation].gives === 'list') return false;
  const { promptTokens, completionTokens } = end?.metrics ?? {};
  if (promptTokens !== undefined || completionTokens !== undefined) return true;
  return end?.failure === undefined || mayHaveBeenMade(end.failure);
}

/** No service has a model of that name. */
const blindName = '\u0000';

/**
 * Only by day, for requests whose models a user must not know yet. Their services would reveal them: with a model of
 * each, they'd have their own tokens and cost.
 */
export function blindDigest(digest: RequestDigest): RequestDigest {
  const blind: RequestDigest = {};
  for (const [day, models] of Object.entries(digest)) {
    for (const sum of Object.values(models)) addSum(sumFor(blind, day, modelRef(mainServiceId, blindName)), sum);
  }
  return blind;
}

/** Whether it's the key of a blind digest. */
export function isBlindModel(model: ModelRef): boolean {
  return refParts(model).model === blindName;
}

export function mergeDigests(digests: Iterable<RequestDigest>): RequestDigest {
  const merged: RequestDigest = {};
  for (const digest of digests) {
    for (const [day, models] of Object.entries(digest)) {
      for (const [model, sum] of Object.entries(models)) addSum(sumFor(merged, day, model), sum);
    }
  }
  return merged;
}

export function emptySum(): RequestSum {
  return {
    requests: 0,
    failed: 0,
    promptTokens: 0,
    completionTokens: 0,
    cost: 0,
    replies: 0,
    replyTokens: 0,
    unpriced: 0,
    speeds: [],
  };
}

export function addSum(to: RequestSum, from: RequestSum): void {
  to.requests += from.requests;
  to.failed += from.failed;
  to.promptTokens += from.promptTokens;
  to.completionTokens += from.completionTokens;
  to.cost += from.cost;
  to.replies += from.replies;
  to.replyTokens += from.replyTokens;
  to.unpriced += from.unpriced;
  if (from.estimated !== undefined) to.estimated = (to.estimated ?? 0) + from.estimated;
  if (from.estimatedCosts !== undefined) to.estimatedCosts = (to.estimatedCosts ?? 0) + from.estimatedCosts;
  to.speeds.push(...from.speeds);
}

function sumFor(digest: RequestDigest, day: string, model: string): RequestSum {
  const models = own(digest, day) ?? (digest[day] = {});
  return own(models, model) ?? (models[model] = emptySum());
}

// A model could be called `constructor`, because names come from the service.
function own<T>(record: Record<string, T>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}
