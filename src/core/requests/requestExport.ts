import { refParts, type WireModel } from '../../shared/modelRef.ts';
import { serviceName } from '../../words/modelLabel.ts';
import type { Figure, ReplyMetrics } from '../../shared/chat.ts';
import { isTokensEstimate } from '../chat/replyMetrics.ts';
import { serviceOf, type LoggedRequest } from './requestLog.ts';

/** One row of an export: flat, with units in the names. */
export interface RequestRow {
  readonly id: string;
  /** ISO 8601, UTC. */
  readonly started_at: string;
  readonly operation: string;
  readonly asked_by: string;
  /** Name of the service, or its ID if it was removed. */
  readonly service: string;
  readonly model: WireModel | null;
  readonly outcome: string;
  readonly status: number | null;
  readonly failure: string | null;
  readonly finish_reason: string | null;
  readonly attempts: number | null;
  readonly ttft_seconds: number | null;
  /** `service`: sent by it. `here`: measured in VS Code. */
  readonly ttft_from: Figure['from'] | null;
  readonly tokens_per_second: number | null;
  /** `estimate`: measured in VS Code, with tokens that were estimated from the text. */
  readonly rate_from: Figure['from'] | null;
  readonly total_seconds: number | null;
  readonly total_from: Figure['from'] | null;
  readonly prompt_tokens: number | null;
  readonly completion_tokens: number | null;
  /**
   * `service`: counted by the service. `estimate`: at least one count was estimated from the text, so the cost is an
   * estimate too.
   */
  readonly tokens_from: 'service' | 'estimate' | null;
  readonly cost: number | null;
  readonly request_id: string | null;
}

/** @param startedAt the request's time as ISO 8601. */
export function requestRow(request: LoggedRequest, startedAt: string): RequestRow {
  const { end } = request;
  return {
    id: request.id,
    started_at: startedAt,
    operation: request.operation,
    asked_by: request.origin.kind,
    service: serviceName(serviceOf(request)),
    model: request.model === undefined ? null : refParts(request.model).model,
    outcome: end?.outcome ?? 'unknown',
    status: end?.status ?? null,
    failure: end?.failure?.kind ?? null,
    finish_reason: end?.finishReason ?? null,
    attempts: end?.attempts ?? (end === undefined ? null : 1),
    ttft_seconds: end?.metrics.timeToFirstTokenSeconds?.value ?? null,
    ttft_from: end?.metrics.timeToFirstTokenSeconds?.from ?? null,
    tokens_per_second: end?.metrics.tokensPerSecond?.value ?? null,
    rate_from: end?.metrics.tokensPerSecond?.from ?? null,
    total_seconds: end?.metrics.totalSeconds?.value ?? null,
    total_from: end?.metrics.totalSeconds?.from ?? null,
    prompt_tokens: end?.metrics.promptTokens?.value ?? null,
    completion_tokens: end?.metrics.completionTokens?.value ?? null,
    tokens_from: tokensOrigin(end?.metrics),
    // Without the rounding errors of binary fractions.
    cost: end?.cost === undefined ? null : Number(end.cost.toPrecision(12)),
    request_id: end?.requestId ?? null,
  };
}

function tokensOrigin(metrics: ReplyMetrics | undefined): RequestRow['tokens_from'] {
  if (metrics?.promptTokens === undefined && metrics?.completionTokens === undefined) return null;
  return isTokensEstimate(metrics) ? 'estimate' : 'service';
}

export const requestColumns: readonly (keyof RequestRow)[] = [
  'id',
  'started_at',
  'operation',
  'asked_by',
  'service',
  'model',
  'outcome',
  'status',
  'failure',
  'finish_reason',
  'attempts',
  'ttft_seconds',
  'ttft_from',
  'tokens_per_second',
  'rate_from',
  'total_seconds',
  'total_from',
  'prompt_tokens',
  'completion_tokens',
  'tokens_from',
  'cost',
  'request_id',
];
