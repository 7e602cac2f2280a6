import type { ModelRef } from '../../shared/modelRef.ts';
import { quantileSorted } from 'd3-array';
import type { Figure } from '../../shared/chat.ts';
import type { ModelSpeed } from '../../shared/usage.ts';
import { addSum, emptySum, type RequestDigest, type RequestSum, type Speed } from '../requests/requestDigest.ts';

/** Number of latest replies that a model's figures are based on. */
const maxReplies = 200;
const maxLatest = 30;

export interface Spread {
  readonly p50: number;
  readonly p95: number;
  /** The least certain origin of the underlying figures. */
  readonly from: Figure['from'];
}

/** How a model performed on this machine, from the request history. Spreads are based on its latest 200 replies. */
export interface MeasuredFigures {
  /** In the history, with any outcome. */
  readonly requestCount: number;
  readonly failureCount: number;
  /** Absent without a streamed reply. */
  readonly timeToFirstTokenSeconds?: Spread;
  /** The p95 is at the slow end: 95% of the replies were faster. */
  readonly tokensPerSecond?: Spread;
  /** Number of replies that `tokensPerSecond` is based on. */
  readonly ratedCount?: number;
  /** Mean tokens of its complete replies to the user's own prompts. */
  readonly replyTokens?: number;
  /** The latest 30 replies, oldest first, for a sparkline. */
  readonly latest: readonly MeasuredReply[];
}

export interface MeasuredReply {
  /** Unix time in milliseconds. */
  readonly at: number;
  readonly timeToFirstTokenSeconds?: number;
  readonly tokensPerSecond?: number;
}

/** The measured history of every model. */
export interface MeasuredModels {
  /**
   * Undefined for a model that was never used, and until the history has been read, which the first call starts.
   * `onDidChange` reports that too.
   */
  figures(modelId: ModelRef): MeasuredFigures | undefined;
  /** Fires at most a few times per second. */
  readonly onDidChange: (listener: () => void) => { dispose(): void };
}

/**
 * The figures of each model, from these sums. Thousands of rows need them, and again when they're sorted, so each is
 * calculated once.
 */
export function figuresOf(digest: RequestDigest): (modelId: ModelRef) => MeasuredFigures | undefined {
  const sums = new Map<string, RequestSum>();
  for (const models of Object.values(digest)) {
    for (const [model, own] of Object.entries(models)) {
      const sum = sums.get(model) ?? emptySum();
      addSum(sum, own);
      sums.set(model, sum);
    }
  }
  const known = new Map<string, MeasuredFigures>();
  return (modelId) => {
    const sum = sums.get(modelId);
    if (sum === undefined) return undefined;
    const figures = known.get(modelId) ?? figuresIn(sum);
    known.set(modelId, figures);
    return figures;
  };
}

function figuresIn(sum: RequestSum): MeasuredFigures {
  const replies = sum.speeds.toSorted(([a], [b]) => a - b).slice(-maxReplies);
  const { first, rate } = figuresOfSpeeds(replies);
  return {
    requestCount: sum.requests,
    failureCount: sum.failed,
    ...(first.length > 0 && { timeToFirstTokenSeconds: spread(first, 0.95) }),
    ...(rate.length > 0 && { tokensPerSecond: spread(rate, 0.05), ratedCount: rate.length }),
    ...(sum.replyTokens > 0 && { replyTokens: Math.ceil(sum.replyTokens / sum.replies) }),
    latest: replies.slice(-maxLatest).map(measuredReply),
  };
}

/** The medians of these replies. */
export function medianSpeed(speeds: readonly Speed[]): ModelSpeed {
  const { first, rate } = figuresOfSpeeds(speeds);
  return {
    ...(first.length > 0 && { timeToFirstTokenSeconds: median(spread(first, 0.95)) }),
    ...(rate.length > 0 && { tokensPerSecond: median(spread(rate, 0.05)) }),
  };
}

/** The medians of the measured values. */
export function speedOf(figures: MeasuredFigures | undefined): ModelSpeed {
  const { timeToFirstTokenSeconds: first, tokensPerSecond: rate } = figures ?? {};
  return {
    ...(first !== undefined && { timeToFirstTokenSeconds: median(first) }),
    ...(rate !== undefined && { tokensPerSecond: median(rate) }),
  };
}

function median({ p50, from }: Spread): Figure {
  return { value: p50, from };
}

function spread(figures: readonly Figure[], slowEnd: number): Spread {
  const values = figures.map(({ value }) => value);
  const isFrom = (from: Figure['from']) => figures.some((figure) => figure.from === from);
  const from = isFrom('estimate') ? 'estimate' : isFrom('here') ? 'here' : 'service';
  return { p50: quantile(values, 0.5), p95: quantile(values, slowEnd), from };
}

function figuresOfSpeeds(speeds: readonly Speed[]): {
  readonly first: readonly Figure[];
  readonly rate: readonly Figure[];
} {
  return {
    first: speeds.flatMap(([, value, , from = 'service']) => (value === null ? [] : [{ value, from }])),
    rate: speeds.flatMap(([, , value, , from = 'service']) => (value === null ? [] : [{ value, from }])),
  };
}

/** Interpolated between the two nearest values, so that the median of two is their mean. */
export function quantile(values: readonly number[], share: number): number {
  return (
    quantileSorted(
      values.toSorted((a, b) => a - b),
      share,
    ) ?? 0
  );
}

function measuredReply([at, first, rate]: Speed): MeasuredReply {
  return {
    at,
    ...(first !== null && { timeToFirstTokenSeconds: first }),
    ...(rate !== null && { tokensPerSecond: rate }),
  };
}
