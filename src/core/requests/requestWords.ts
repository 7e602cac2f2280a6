import * as l10n from '@vscode/l10n';
import type { ReplyMetrics } from '../../shared/chat.ts';
import { problemOf } from '../problems/problemOf.ts';
import { isOtherModel } from '../models/isOtherModel.ts';
import { plainWords } from '../safety/plainWords.ts';
import { isTokensEstimate } from '../chat/replyMetrics.ts';
import { type LoggedRequest, type RequestState, serviceOf } from './requestLog.ts';
import { type RequestOperation, requestOperations } from './requestOperations.ts';
import type { RequestOrigin } from './requestRecord.ts';
import { costText, namedCost } from '../../words/amount.ts';
import { inline } from '../../words/inline.ts';
import { endingText } from '../../words/ending.ts';
import { speedLines, speedParts } from '../../words/replySpeed.ts';
import { marksExplained } from '../../words/figureMark.ts';
import { modelLabel, withService } from '../../words/modelLabel.ts';
import { refParts } from '../../shared/modelRef.ts';

/** The model, or the operation if there's none. */
export function requestName(request: Pick<LoggedRequest, 'model' | 'operation' | 'service'>): string {
  if (request.model !== undefined) return modelLabel(request.model);
  return withService(operationWord(request.operation), serviceOf(request));
}

/** How a row starts: the prompt's name, the question, or, if neither is known, the model. */
export function requestTitle(
  request: Pick<LoggedRequest, 'model' | 'operation' | 'service' | 'origin' | 'asked'>,
): string {
  const { asked = '' } = request;
  // The Markdown of a short question might be nothing but markup.
  return request.origin.prompt ?? (plainWords(asked) || asked || requestName(request));
}

/** The same for a row of about 300 pixels, where a longer question would leave no room for the speed after it. */
export function rowTitle(request: Parameters<typeof requestTitle>[0]): string {
  return cutTitle(request, 26);
}

/** The same for a tab. */
export function shortTitle(request: Parameters<typeof requestTitle>[0]): string {
  return cutTitle(request, 40);
}

/** A model's name stays whole: its end tells it from others of its family. */
function cutTitle(request: Parameters<typeof requestTitle>[0], longest: number): string {
  const title = requestTitle(request);
  return inline(title, title === requestName(request) ? 256 : longest);
}

export function operationWord(operation: RequestOperation): string {
  return requestOperations[operation].word();
}

/** The current state, or the outcome. */
export function stateWord(state: RequestState, { end }: Pick<LoggedRequest, 'end'>): string {
  if (state === 'running') return l10n.t('running');
  return endingText({ state, finishReason: end?.finishReason }) ?? l10n.t('done');
}

/** The outcome of a failed request, in a few words: `Out of credits`. */
export function failureTitle({ end, model }: Pick<LoggedRequest, 'end' | 'model'>): string | undefined {
  if (end?.failure === undefined) return undefined;
  const context = { hasPartialText: false, pages: {}, now: end.at, ...(model !== undefined && { model }) };
  try {
    return problemOf(end.failure, context).title;
  } catch {
    // A record from another version might lack part of this, but its row is still shown.
    return undefined;
  }
}

/** `failed · Video · 84 tok/s · 0.31 s first token · 3.4 s total · 412 → 261 tokens`, without unknown figures. */
export function requestFacts(request: LoggedRequest, state: RequestState): string {
  return facts(
    request,
    state,
    speedParts(request.end?.metrics ?? {}).map(({ text }) => text),
  );
}

/**
 * The same for a row with little space: `failed · 84 tok/s · 0.31 s · 3.4 s · 412 → 261`.
 * @param progress of a running request
 */
export function rowFacts(request: LoggedRequest, state: RequestState, progress: ReplyMetrics = {}): string {
  return facts(
    request,
    state,
    speedParts(request.end?.metrics ?? progress).map(({ short }) => short),
  );
}

function facts(request: LoggedRequest, state: RequestState, speed: readonly string[]): string {
  const cost = costWord(request);
  const isPlain = request.operation === 'chat' || request.operation === 'catalog';
  return [
    // For a success, the icon says enough.
    state === 'done' ? undefined : failureWord(request, state),
    isPlain ? undefined : operationWord(request.operation),
    ...speed,
    cost && namedCost(cost),
  ]
    .filter((fact) => fact !== undefined)
    .join(' · ');
}

/** Everything known about a request, one fact per line. */
export function requestLines(request: LoggedRequest, state: RequestState): readonly string[] {
  const { end, model } = request;
  const answeredBy = end?.answeredBy;
  const cost = costWord(request);
  const [word, failure] = [stateWord(state, request), failureTitle(request)];
  const lines = [
    l10n.t('{0}: {1}', operationWord(request.operation), failure === undefined ? word : `${word}, ${failure}`),
    model === undefined ? undefined : l10n.t('Model: {0}', modelLabel(model)),
    l10n.t('Sent by: {0}', originWord(request.origin)),
    ...speedLines(end?.metrics ?? {}),
    cost && l10n.t('Cost: {0}, at list price', cost),
    end?.finishReason === undefined ? undefined : l10n.t('Finish reason: {0}', end.finishReason),
    isOtherModel(answeredBy, refParts(model ?? '').model) ? l10n.t('Reply from: {0}', answeredBy) : undefined,
    end?.attempts === undefined ? undefined : l10n.t('Attempts: {0}', end.attempts),
    end?.status === undefined ? undefined : l10n.t('Status: {0}', end.status),
    end?.requestId === undefined ? undefined : l10n.t('Request ID: {0}', end.requestId),
  ].filter((line) => line !== undefined);
  return [...lines, ...marksExplained(...lines)];
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
    case 'experiment':
      return l10n.t('a comparison, measurement, or check');
    case 'again':
      return l10n.t('the Requests view');
    case 'other':
      return l10n.t('Parlance');
  }
}

function failureWord(request: LoggedRequest, state: RequestState): string {
  const status = request.end?.status;
  const isRefusal = state === 'failed' && status !== undefined && status >= 400;
  const word = stateWord(state, request);
  return isRefusal ? `${word} (${status})` : word;
}

/** The outcome, for a page: `succeeded (200)`, `out of tokens`, `failed (402)`. */
export function endingWord(request: LoggedRequest, state: RequestState): string {
  const status = request.end?.status;
  const word = endingText({ state, finishReason: request.end?.finishReason });
  const said = word ?? (state === 'running' ? l10n.t('running') : l10n.t('succeeded'));
  return status === undefined ? said : `${said} (${status})`;
}

/** Marked if it was calculated from estimated tokens. */
export function costWord({ end }: LoggedRequest): string | undefined {
  return end?.cost === undefined ? undefined : costText(end.cost, { isEstimate: isTokensEstimate(end.metrics) });
}
