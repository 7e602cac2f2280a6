import * as l10n from '@vscode/l10n';
import type { ReplyMetrics } from '../../shared/chat.ts';
import type { Problem } from '../../shared/problem.ts';
import type { NamedValue, RequestAct, RequestView } from '../../shared/protocol/requestProtocol.ts';
import { type UsualRate, usualSpeedText } from '../../words/usualSpeed.ts';
import { writingRate } from '../chat/replyMetrics.ts';
import { isOtherModel } from '../models/isOtherModel.ts';
import type { ReceivedBody, SentBody } from './requestBody.ts';
import { refParts } from '../../shared/modelRef.ts';
import { hasSeveralServices, serviceName } from '../../words/modelLabel.ts';
import { type LoggedRequest, type RequestState, serviceOf } from './requestLog.ts';
import { requestOperations } from './requestOperations.ts';
import { costWord, endingWord, operationWord, originWord, requestName } from './requestWords.ts';
import { receivedParts, sentTurns } from './sentTurns.ts';

/** What a page about a request shows besides the request. */
export interface RequestViewContext {
  readonly state: RequestState;
  readonly sent: SentBody | undefined;
  /** For a running request, what has arrived so far. */
  readonly received: ReceivedBody | undefined;
  /** For a running request, what has been measured so far. */
  readonly progress: ReplyMetrics;
  /** The usual speed of its model. */
  readonly usual: UsualRate | undefined;
  readonly problem: Problem | undefined;
  readonly acts: readonly RequestAct[];
  /** Content is saved from now on, but might be missing for earlier requests. */
  readonly savesContent: boolean;
}

/** A request as its page draws it. */
export function requestView(request: LoggedRequest, context: RequestViewContext): RequestView {
  const { state, sent, received, progress, usual, problem, acts, savesContent } = context;
  const { end } = request;
  const metrics = end?.metrics ?? progress;
  const parts = sentTurns(sent);
  const reply = receivedParts(received);
  const host = sent === undefined ? undefined : URL.parse(sent.url)?.host;
  const isMissing = isContentMissing(request, state, sent, received);
  const note = isMissing ? l10n.t("The content isn't saved.") : noteOf(request, state, reply);
  const cost = costWord(request);
  const usualWords = end === undefined ? undefined : usualSpeedText(writingRate(metrics), usual);
  return {
    id: request.id,
    name: requestName(request),
    at: request.at,
    ...(host !== undefined && { host }),
    state,
    ending: endingWord(request, state),
    ...(end?.finishReason !== undefined && { finishReason: end.finishReason }),
    metrics,
    ...(cost !== undefined && { cost }),
    ...(end?.cost !== undefined && { costValue: end.cost }),
    ...(usualWords !== undefined && { usual: usualWords }),
    ...(note !== undefined && { note }),
    isContentOff: isMissing && !savesContent,
    ...(parts.system !== undefined && { system: parts.system }),
    earlier: parts.earlier,
    ...(parts.question !== undefined && { question: parts.question }),
    reply,
    parameters: parts.parameters,
    service: serviceFacts(request, sent),
    ...(end?.requestId !== undefined && { requestId: end.requestId }),
    ...(problem !== undefined && { problem }),
    acts,
  };
}

function isContentMissing(
  request: LoggedRequest,
  state: RequestState,
  sent: SentBody | undefined,
  received: ReceivedBody | undefined,
): boolean {
  if (requestOperations[request.operation].gives === 'list') return false;
  if (sent?.body === undefined) return true;
  return received === undefined && (state === 'done' || state === 'incomplete');
}

/** Why there's no text. */
function noteOf(
  { operation }: LoggedRequest,
  state: RequestState,
  { text, reasoning, calls }: ReturnType<typeof receivedParts>,
): string | undefined {
  if (text !== '' || reasoning !== '' || calls.length > 0 || state === 'running' || state === 'failed')
    return undefined;
  if (state === 'unknown') return l10n.t('The window closed before the response arrived.');
  if (state === 'stopped') return l10n.t('Nothing was received before it was stopped.');
  switch (requestOperations[operation].gives) {
    case 'file':
      return l10n.t('Generated files are in the Media view.');
    case 'list':
      return l10n.t('The list is in the Models view.');
    case 'reply':
    case 'text':
      return l10n.t('The reply is empty.');
  }
}

function serviceFacts(request: LoggedRequest, sent: SentBody | undefined): readonly NamedValue[] {
  const { end, model, operation, origin } = request;
  const facts: readonly (readonly [string, string | undefined])[] = [
    [l10n.t('Operation'), operationWord(operation)],
    [l10n.t('Service'), hasSeveralServices() ? serviceName(serviceOf(request)) : undefined],
    [l10n.t('Sent by'), originWord(origin)],
    [l10n.t('URL'), sent?.url],
    [l10n.t('Reply from'), isOtherModel(end?.answeredBy, refParts(model ?? '').model) ? end?.answeredBy : undefined],
    [l10n.t('Finish reason'), end?.finishReason],
    [l10n.t('Attempts'), end?.attempts === undefined ? undefined : String(end.attempts)],
    [l10n.t('Request ID'), end?.requestId],
  ];
  return facts.flatMap(([name, value]) => (value === undefined ? [] : [{ name, value }]));
}
