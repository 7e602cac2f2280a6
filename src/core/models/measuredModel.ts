import type { ModelRef } from '../../shared/modelRef.ts';
import { quantileSorted } from 'd3-array';
import type { Figure } from '../../shared/chat.ts';
import type { ModelSpeed } from '../../shared/usage.ts';
import { addSum, emptySum, type RequestDigest, type RequestSum, type Speed } from '../requests/requestDigest.ts';

/** The latest replies of a model that its figures are taken from. */
const maxReplies = 200;
const maxLatest = 30;

export interface Spread {
  readonly p50: number;
  readonly p95: number;
  /** The least certain of the figures behind them. */
  readonly from: Figure['from'];
}

/** How a model did on this machine, from the request log. Spreads are of its latest 200 replies. */
export interface MeasuredFigures {
  /** In the log, however they ended. */
  readonly requestCount: number;
  readonly failureCount: number;
  /** Absent until a streamed reply came. */
  readonly timeToFirstTokenSeconds?: Spread;
  /** The p95 is that of the slow end: 95 % of the replies were faster. */
  readonly tokensPerSecond?: Spread;
  /** Replies that `tokensPerSecond` is of. */
  readonly ratedCount?: number;
  /** Of the latest 30 replies, oldest first, for a sparkline. */
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
   * Undefined for a model that was never asked, and until the log has been read, which the first call
   * begins; `onDidChange` tells of that too.
   */
  figures(modelId: ModelRef): MeasuredFigures | undefined;
  /** At most a few times a second. */
  readonly onDidChange: (listener: () => void) => { dispose(): void };
}

/** The figures of each model, from these sums. Thousands of rows ask, and again when they are sorted: each is worked out once. */
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

/** The medians of what was measured. */
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

/** Between the two values nearest to it, so that the median of two is their middle. */
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
