import * as l10n from '@vscode/l10n';
import type { Figure, ReplyMetrics } from '../../shared/chat.ts';
import { withEstimateMark } from '../../shared/estimateMark.ts';
import { numberText } from '../../words/numberText.ts';
import { problemOf } from '../problems/problemOf.ts';
import { isOtherModel } from '../models/isOtherModel.ts';
import { isTokensEstimate } from '../chat/replyMetrics.ts';
import type { LoggedRequest, RequestState } from './requestLog.ts';
import { type RequestOperation, requestOperations } from './requestOperations.ts';
import type { RequestOrigin } from './requestRecord.ts';

/** The model, or what was asked where there is none. */
export function requestName(request: Pick<LoggedRequest, 'model' | 'operation'>): string {
  return request.model ?? operationWord(request.operation);
}

export function operationWord(operation: RequestOperation): string {
  return requestOperations[operation].word();
}

export function stateWord(state: RequestState): string {
  switch (state) {
    case 'running':
      return l10n.t('running');
    case 'done':
      return l10n.t('done');
    case 'incomplete':
      return l10n.t('done, might be incomplete');
    case 'stopped':
      return l10n.t('stopped');
    case 'failed':
      return l10n.t('failed');
    case 'unknown':
      return l10n.t('outcome unknown');
  }
}

/** What a request that failed came to, in a few words: `Out of credits`. */
export function failureTitle({ end, model }: Pick<LoggedRequest, 'end' | 'model'>): string | undefined {
  if (end?.failure === undefined) return undefined;
  const context = { hasPartialText: false, pages: {}, now: end.at, ...(model !== undefined && { model }) };
  try {
    return problemOf(end.failure, context).title;
  } catch {
    // A record of another version may lack what the words are made of; its row is there all the same.
    return undefined;
  }
}

/** `failed · Video · 0.31 s first token · 84 tok/s · 3.4 s · 412 → 261 tokens`; what is not known is left out. */
export function requestFacts(request: LoggedRequest, state: RequestState): string {
  const metrics = request.end?.metrics ?? {};
  const first = metrics.timeToFirstTokenSeconds;
  return facts(request, state, metrics, first && l10n.t('{0} first token', seconds(first.value)), tokenWords(metrics));
}

/**
 * The same for a row, where there is little room: `failed · 0.31 s · 84 tok/s · 3.4 s · 412 → 261`.
 *
 * @param progress of a request that runs
 */
export function rowFacts(request: LoggedRequest, state: RequestState, progress: ReplyMetrics = {}): string {
  const metrics = request.end?.metrics ?? progress;
  const { timeToFirstTokenSeconds: first, promptTokens: prompt, completionTokens: completion } = metrics;
  const sofar = request.end === undefined ? completion && l10n.t('{0} tokens', count(completion)) : undefined;
  const tokens = prompt && completion ? `${count(prompt)} → ${count(completion)}` : sofar;
  return facts(request, state, metrics, first && seconds(first.value), tokens);
}

function facts(
  request: LoggedRequest,
  state: RequestState,
  { tokensPerSecond: rate, totalSeconds: total }: ReplyMetrics,
  first: string | undefined,
  tokens: string | undefined,
): string {
  const cost = costWord(request);
  const isPlain = request.operation === 'chat' || request.operation === 'catalogue';
  return [
    // The sign of what went well says enough.
    state === 'done' ? undefined : failureWord(request, state),
    isPlain ? undefined : operationWord(request.operation),
    first,
    rate && l10n.t('{0} tok/s', marked(rate, numberText(rate.value, rate.value < 9.95 ? 1 : 0))),
    total && seconds(total.value),
    tokens,
    cost && l10n.t('cost {0}', cost),
  ]
    .filter((fact) => fact !== undefined)
    .join(' · ');
}

/** All that is known of a request, one fact a line. */
export function requestLines(request: LoggedRequest, state: RequestState): readonly string[] {
  const { end, model } = request;
  const answeredBy = end?.answeredBy;
  const cost = costWord(request);
  const [word, failure] = [stateWord(state), failureTitle(request)];
  const { timeToFirstTokenSeconds: first, tokensPerSecond: rate, totalSeconds: total } = end?.metrics ?? {};
  return [
    l10n.t('{0}: {1}', operationWord(request.operation), failure === undefined ? word : `${word}, ${failure}`),
    model === undefined ? undefined : l10n.t('Model: {0}', model),
    l10n.t('Sent by: {0}', originWord(request.origin)),
    measured(l10n.t('Time to first token'), first, seconds),
    measured(l10n.t('Tokens per second'), rate, (value) => numberText(value, 1)),
    measured(l10n.t('Total time'), total, seconds),
    measured(l10n.t('Prompt tokens'), end?.metrics.promptTokens, (value) => numberText(value)),
    measured(l10n.t('Completion tokens'), end?.metrics.completionTokens, (value) => numberText(value)),
    cost && l10n.t('Cost: {0}, at list price', cost),
    end?.finishReason === undefined ? undefined : l10n.t('Finish reason: {0}', end.finishReason),
    isOtherModel(answeredBy, model ?? '') ? l10n.t('Answered by: {0}', answeredBy) : undefined,
    end?.attempts === undefined ? undefined : l10n.t('Attempts: {0}', end.attempts),
    end?.status === undefined ? undefined : l10n.t('Status: {0}', end.status),
    end?.requestId === undefined ? undefined : l10n.t('Request ID: {0}', end.requestId),
  ].filter((line) => line !== undefined);
}

export function originWord(origin: RequestOrigin): string {
  switch (origin.kind) {
    case 'chat':
      return l10n.t('chat');
    case 'prompt':
      return l10n.t('a prompt on code');
    case 'languageModel':
      return l10n.t('VS Code or another extension');
    case 'connectionTest':
      return l10n.t('the connection test');
    case 'models':
      return l10n.t('the model list');
    case 'media':
      return l10n.t('the Media view');
    case 'again':
      return l10n.t('the Requests view');
    case 'other':
      return l10n.t('Parlance');
  }
}

/** Two decimals that say something: cheap models cost thousandths. */
export function costText(cost: number): string {
  if (cost === 0) return '0';
  const decimals = cost >= 1 ? 2 : Math.min(8, 1 - Math.floor(Math.log10(cost)));
  return numberText(cost, decimals);
}

/** `0.31 s`, `3.4 s`, `42 s`, `2 min 5 s`. */
export function seconds(value: number): string {
  if (value < 9.95) return l10n.t('{0} s', numberText(value, value < 0.995 ? 2 : 1));
  const whole = Math.round(value);
  return whole < 60 ? l10n.t('{0} s', whole) : l10n.t('{0} min {1} s', Math.floor(whole / 60), whole % 60);
}

function failureWord(request: LoggedRequest, state: RequestState): string {
  const status = request.end?.status;
  const isRefusal = state === 'failed' && status !== undefined && status >= 400;
  return isRefusal ? `${stateWord(state)} (${status})` : stateWord(state);
}

function tokenWords({ promptTokens: prompt, completionTokens: completion }: ReplyMetrics): string | undefined {
  if (completion === undefined) return undefined;
  return prompt === undefined
    ? l10n.t('{0} tokens', count(completion))
    : l10n.t('{0} → {1} tokens', count(prompt), count(completion));
}

function count(figure: Figure): string {
  return marked(figure, numberText(figure.value));
}

function marked({ from }: Figure, text: string): string {
  return withEstimateMark(text, from === 'estimate');
}

/** Marked where it was worked out from tokens that were counted from the text. */
function costWord({ end }: LoggedRequest): string | undefined {
  if (end?.cost === undefined) return undefined;
  return withEstimateMark(costText(end.cost), isTokensEstimate(end.metrics));
}

function measured(name: string, figure: Figure | undefined, write: (value: number) => string): string | undefined {
  if (figure === undefined) return undefined;
  const value = write(figure.value);
  switch (figure.from) {
    case 'service':
      return l10n.t('{0}: {1}', name, value);
    case 'here':
      return l10n.t('{0}: {1} (measured here)', name, value);
    case 'estimate':
      return l10n.t('{0}: {1} (estimated)', name, value);
  }
}
