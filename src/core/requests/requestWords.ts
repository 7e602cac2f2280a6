import * as l10n from '@vscode/l10n';
import type { ReplyMetrics } from '../../shared/chat.ts';
import { problemOf } from '../problems/problemOf.ts';
import { isOtherModel } from '../models/isOtherModel.ts';
import { isTokensEstimate } from '../chat/replyMetrics.ts';
import type { LoggedRequest, RequestState } from './requestLog.ts';
import { type RequestOperation, requestOperations } from './requestOperations.ts';
import type { RequestOrigin } from './requestRecord.ts';
import { costText } from '../../words/amount.ts';
import { inline } from '../../words/inline.ts';
import { endingText } from '../../words/ending.ts';
import { speedLines, speedParts } from '../../words/replySpeed.ts';
import { marksExplained } from '../../words/figureMark.ts';
import { modelLabel } from '../../words/modelLabel.ts';
import { refParts } from '../../shared/modelRef.ts';

/** The model, or what was asked where there is none. */
export function requestName(request: Pick<LoggedRequest, 'model' | 'operation'>): string {
  return request.model === undefined ? operationWord(request.operation) : modelLabel(request.model);
}

/** Names longer than this hide all else of a row. */
const longestTitle = 40;

/** What a row starts with: the prompt's name, what was asked, or where neither is known, the model. */
export function requestTitle(request: Pick<LoggedRequest, 'model' | 'operation' | 'origin' | 'asked'>): string {
  return request.origin.prompt ?? request.asked ?? requestName(request);
}

/** The same where there is little room. */
export function shortTitle(request: Parameters<typeof requestTitle>[0]): string {
  return inline(requestTitle(request), longestTitle);
}

export function operationWord(operation: RequestOperation): string {
  return requestOperations[operation].word();
}

/** How it goes, or how it ended. */
export function stateWord(state: RequestState, { end }: Pick<LoggedRequest, 'end'>): string {
  if (state === 'running') return l10n.t('running');
  return endingText({ state, finishReason: end?.finishReason }) ?? l10n.t('done');
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

/** `failed · Video · 0.31 s first token · 84 tok/s · 3.4 s total · 412 → 261 tokens`; what is not known is left out. */
export function requestFacts(request: LoggedRequest, state: RequestState): string {
  return facts(
    request,
    state,
    speedParts(request.end?.metrics ?? {}).map(({ text }) => text),
  );
}

/**
 * The same for a row, where there is little room: `failed · 84 tok/s · 0.31 s · 3.4 s · 412 → 261`.
 *
 * @param progress of a request that runs
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
    // The sign of what went well says enough.
    state === 'done' ? undefined : failureWord(request, state),
    isPlain ? undefined : operationWord(request.operation),
    ...speed,
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
      return l10n.t('an experiment');
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

/** How it went, for a page: `succeeded (200)`, `out of tokens`, `failed (402)`. */
export function endingWord(request: LoggedRequest, state: RequestState): string {
  const status = request.end?.status;
  const word = endingText({ state, finishReason: request.end?.finishReason });
  const said = word ?? (state === 'running' ? l10n.t('running') : l10n.t('succeeded'));
  return status === undefined ? said : `${said} (${status})`;
}

/** Marked where it was worked out from tokens that were counted from the text. */
export function costWord({ end }: LoggedRequest): string | undefined {
  return end?.cost === undefined ? undefined : costText(end.cost, { isEstimate: isTokensEstimate(end.metrics) });
}
