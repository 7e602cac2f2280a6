import { refParts } from '../../shared/modelRef.ts';
import type { ModelInfo } from '../../api/wire/decodeModels.ts';
import type { Settings } from '../settings/settings.ts';
import { RequestTap } from './requestTap.ts';
import type { RequestTapDeps } from './tappedCall.ts';
import type { InferenceCalls } from '../../core/requests/inferenceCalls.ts';
import { LogSums } from './log/logSums.ts';
import { RequestHistory } from './requestHistory.ts';
import type { LogLimits } from './log/currentLogFile.ts';
import { LogStore } from './log/logStore.ts';

export interface RequestLogDeps extends Pick<RequestTapDeps, 'keepsBodies' | 'clean' | 'cleanBody'> {
  /** A service's own calls, not recorded, by its ID. */
  readonly callsOf: (service: string) => InferenceCalls;
  /** Where the history's files are. Nothing is read or written there before the first request or view. */
  readonly folder: string;
  readonly limits: () => LogLimits;
  /** Known prices from elsewhere, for example a stored model list. */
  readonly priceOf?: RequestTapDeps['priceOf'];
  /** A request was sent: its price is needed when it ends. */
  readonly onSent?: () => unknown;
  /** A model has responded, to any kind of request. */
  readonly onAnswered?: (...answer: Parameters<RequestTapDeps['answered']>) => unknown;
  /** A chat has ended, and wasn't stopped. */
  readonly onChatEnded?: RequestTapDeps['chatEnded'];
  /** Something couldn't be written; it's kept and retried. */
  readonly onUnsaved?: (error: unknown) => void;
  readonly onError: (error: unknown) => void;
}

/** The request history of this window, and the service's operations, recorded in it. */
export interface OpenRequestLog {
  readonly calls: RequestTap;
  readonly history: RequestHistory;
}

export function openRequestLog(deps: RequestLogDeps): OpenRequestLog {
  const { folder, limits, onError, callsOf } = deps;
  const writer = crypto.randomUUID();
  const digests: LogSums = new LogSums({ store: () => store, onError });
  const store = new LogStore({
    folder,
    writer,
    limits,
    onError: deps.onUnsaved ?? onError,
    countOf: (file) => digests.countOf(file),
  });
  const history = new RequestHistory({ store, digests, onError });
  const listed = new Map<string, ReadonlyMap<string, ModelInfo>>();
  const calls = new RequestTap(callsOf, {
    history: {
      started: (record, figures) => history.started(record, figures),
      sent: (record, request) => {
        history.sent(record, request);
        deps.onSent?.();
      },
      changed: (id, request) => history.changed(id, request),
      dropped: (id) => history.dropped(id),
      ended: (record, response) => history.ended(record, response),
    },
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
  return { calls, history };
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
