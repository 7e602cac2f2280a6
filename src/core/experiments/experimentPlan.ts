import { type ChatRequest, type ContentPart, chatCompletion } from '../../api/operations/chatCompletion.ts';
import type { ChatOptions } from '../../shared/chat.ts';
import { refParts } from '../../shared/modelRef.ts';
import { chatBody } from '../chat/chatRequest.ts';
import type { Experiment, ExperimentModel, ExperimentPrompt } from './experiment.ts';
import { uniquePrefix } from './uniquePrefix.ts';

/** One request that an experiment will send. */
export interface PlannedRequest {
  /** Identifies it in the experiment's record. The same in every plan of that experiment. */
  readonly key: string;
  readonly model: ExperimentModel;
  readonly prompt: ExperimentPrompt;
  /** Counted from 0. */
  readonly repeat: number;
  /** The level of concurrency it belongs to. */
  readonly concurrency: number;
  /** Maximum requests in flight at its service meanwhile, to this model and others. */
  readonly load: number;
  /** Sent and paid for, but not measured. */
  readonly isWarmUp: boolean;
}

/** Requests that are sent in this order, with at most `capacity` of them in flight. */
export interface Lane {
  readonly capacity: number;
  readonly requests: readonly PlannedRequest[];
}

/** Lanes that run side by side. The next stage starts when all of them have finished. */
export type Stage = readonly Lane[];

/** Everything that an experiment sends, in order. The same experiment always gives the same plan. */
export function experimentPlan(experiment: Experiment): readonly Stage[] {
  const { models, order } = experiment;
  if (order === 'oneAfterAnother') return models.flatMap((model) => stagesOf(experiment, [model]));
  return stagesOf(experiment, models);
}

/** In the order in which a single lane would send them. */
export function plannedRequests(experiment: Experiment): readonly PlannedRequest[] {
  return experimentPlan(experiment).flatMap((lanes) => lanes.flatMap(({ requests }) => requests));
}

/** How often a prompt is sent to each model, without making the plan, which can be long. */
export function timesPlanned({ prompts, warmUp, repeats, concurrency }: Experiment, prompt: ExperimentPrompt): number {
  const place = prompts.indexOf(prompt);
  const warmUps = Math.ceil(Math.max(0, warmUp - place) / prompts.length);
  return warmUps + repeats * new Set(concurrency).size;
}

function stagesOf(experiment: Experiment, models: readonly ExperimentModel[]): readonly Stage[] {
  const { concurrency, warmUp, prompts, repeats } = experiment;
  const [first = 1] = concurrency;
  const warmUps = times(warmUp).map((repeat) => ({ prompt: prompts[repeat % prompts.length], repeat }));
  const measured = times(repeats).flatMap((repeat) => prompts.map((prompt) => ({ prompt, repeat })));
  return [
    stage(experiment, models, warmUps, first, true),
    ...[...new Set(concurrency)].map((level) => stage(experiment, models, measured, level, false)),
  ].filter((lanes) => lanes.some(({ requests }) => requests.length > 0));
}

function stage(
  { models: all, prompts, order }: Experiment,
  models: readonly ExperimentModel[],
  turns: readonly { readonly prompt: ExperimentPrompt | undefined; readonly repeat: number }[],
  concurrency: number,
  isWarmUp: boolean,
): Stage {
  const services = models.map(({ id }) => refParts(id).service);
  const lanesAt = ({ id }: ExperimentModel) =>
    order === 'allAtOnce' ? services.filter((service) => service === refParts(id).service).length : 1;
  const request = (model: ExperimentModel, { prompt, repeat }: (typeof turns)[number]): readonly PlannedRequest[] => {
    if (prompt === undefined) return [];
    const numbers = `m${all.indexOf(model)}.p${prompts.indexOf(prompt)}.r${repeat}`;
    const key = isWarmUp ? `w.${numbers}` : `c${concurrency}.${numbers}`;
    return [{ key, model, prompt, repeat, concurrency, load: concurrency * lanesAt(model), isWarmUp }];
  };
  if (order === 'allAtOnce') {
    return models.map((model) => ({ capacity: concurrency, requests: turns.flatMap((turn) => request(model, turn)) }));
  }
  const requests = turns.flatMap((turn) => models.flatMap((model) => request(model, turn)));
  return [{ capacity: concurrency, requests }];
}

/**
 * The body of a request.
 * @param prefix unique text, for an experiment that uses it; it comes before everything else, because prompt caches
 * compare from the beginning.
 */
export function plannedBody(experiment: Experiment, { model, prompt }: PlannedRequest, prefix: string): ChatRequest {
  const options: ChatOptions = { ...experiment.options, ...prompt.options, ...model.options };
  const body = chatBody(model.id, options, [...(model.before ?? []), ...prompt.messages]);
  return experiment.hasUniquePrefix ? { ...body, messages: withPrefix(body.messages, uniquePrefix(prefix)) } : body;
}

/** The maximum tokens of a reply, if the request limits them. */
export function maxTokensOf(experiment: Experiment, { model, prompt }: PlannedRequest): number | undefined {
  return model.options?.maxTokens ?? prompt.options?.maxTokens ?? experiment.options?.maxTokens;
}

export function plannedOperation(body: ChatRequest, hasOwnTemperature = false) {
  // An unexpected retry would be one request too many, and would distort the measurement. The run itself decides
  // whether to resend a refused request.
  const operation = { ...chatCompletion(body), retried: 'probe' } as const;
  return hasOwnTemperature ? { ...operation, ownFields: ['temperature'] as const } : operation;
}

function withPrefix(messages: ChatRequest['messages'], prefix: string): ChatRequest['messages'] {
  const [first, ...rest] = messages;
  if (first === undefined) return messages;
  if (typeof first.content === 'string') return [{ ...first, content: prefix + first.content }, ...rest];
  const parts: readonly ContentPart[] = [{ type: 'text', text: prefix }, ...first.content];
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only messages of this form have parts
  return [{ ...first, content: parts } as ChatRequest['messages'][number], ...rest];
}

function times(count: number): readonly number[] {
  return Array.from({ length: count }, (_, number) => number);
}
