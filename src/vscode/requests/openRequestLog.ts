import { refParts } from '../../shared/modelRef.ts';
import type { ModelInfo } from '../../api/wire/decodeModels.ts';
import type { Settings } from '../settings/settings.ts';
import { RequestTap } from './requestTap.ts';
import type { RequestTapDeps } from './tappedCall.ts';
import type { InferenceCalls } from '../../core/requests/inferenceCalls.ts';
import { type HistoryDeps, openHistory, type OpenHistory } from './openHistory.ts';

export interface RequestLogDeps
  extends Omit<HistoryDeps, 'writer'>, Pick<RequestTapDeps, 'keepsBodies' | 'clean' | 'cleanBody'> {
  /** A service's own calls, not recorded, by its ID. */
  readonly callsOf: (service: string) => InferenceCalls;
  /** Known prices from elsewhere, for example a stored model list. */
  readonly priceOf?: RequestTapDeps['priceOf'];
  readonly onSent?: RequestTapDeps['onSent'];
  /** A model has responded, to any kind of request. */
  readonly onAnswered?: (...answer: Parameters<RequestTapDeps['answered']>) => unknown;
  /** A chat has ended, and wasn't stopped. */
  readonly onChatEnded?: RequestTapDeps['chatEnded'];
}

/** The request history of this window, and the service's operations, recorded in it. */
export interface OpenRequestLog extends OpenHistory {
  readonly calls: RequestTap;
}

export function openRequestLog(deps: RequestLogDeps): OpenRequestLog {
  const { callsOf } = deps;
  const writer = crypto.randomUUID();
  const { history, withheld } = openHistory({ ...deps, writer });
  const listed = new Map<string, ReadonlyMap<string, ModelInfo>>();
  const calls = new RequestTap(callsOf, {
    history,
    onSent: () => deps.onSent?.(),
    answered: (...answer) => deps.onAnswered?.(...answer),
    chatEnded: (...end) => deps.onChatEnded?.(...end),
    writer,
    keepsBodies: deps.keepsBodies,
    clean: deps.clean,
    cleanBody: deps.cleanBody,
    priceOf: (ref) => {
      const { service, model } = refParts(ref);
      return deps.priceOf?.(ref) ?? listed.get(service)?.get(model);
    },
    modelsListed: (models, service) => listed.set(service, new Map(models.map((model) => [model.id, model]))),
  });
  return { calls, history, withheld };
}

const MEGABYTE = 1_000_000;

/** The user's settings for the history. */
export function requestLogSettings(
  settings: Pick<Settings, 'requestsSaveContent' | 'requestsMaxCount' | 'requestsMaxMegabytes'>,
): Pick<RequestLogDeps, 'keepsBodies' | 'limits'> {
  return {
    keepsBodies: () => settings.requestsSaveContent.value,
    limits: () => ({
      maxCount: settings.requestsMaxCount.value,
      maxBytes: settings.requestsMaxMegabytes.value * MEGABYTE,
    }),
  };
}
