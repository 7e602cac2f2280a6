import type { ApiFailure } from '../../shared/apiFailure.ts';
import { isLengthEnding } from '../../shared/replyEnding.ts';
import { type Distribution, distributionOf, type Interval, medianInterval } from './distribution.ts';
import type { AttemptEnd } from './experimentRecord.ts';
import { arrivedTokens, type ReplySample } from './replySample.ts';

/**
 * The figures of one reply, in milliseconds unless the name says otherwise. A figure that can't be measured is absent.
 *
 * `firstMs` (TTFT) is the first token that isn't empty, as in GuideLLM and NVIDIA's AIPerf. `endToEndMs` runs to the
 * last token; vLLM's benchmark stops its clock there too. `perTokenMs` (TPOT) is (endToEnd − TTFT) / (tokens − 1), as
 * in vLLM's, where `tokens` are those that arrived. `tokensPerSecond` is the reciprocal of that, the speed at which the
 * reply is written, as everywhere in Parlance, and "output token throughput per user" in AIPerf.
 */
export interface ReplyFigures {
  readonly firstMs?: number;
  readonly endToEndMs: number;
  readonly perTokenMs?: number;
  readonly tokensPerSecond?: number;
}

export function replyFigures(sample: ReplySample): ReplyFigures {
  const { firstMs, lastMs, totalMs } = sample;
  const tokens = arrivedTokens(sample);
  const endToEndMs = lastMs ?? totalMs;
  const perTokenMs =
    firstMs === undefined || tokens === undefined || tokens < 2 || endToEndMs <= firstMs
      ? undefined
      : (endToEndMs - firstMs) / (tokens - 1);
  return {
    ...(firstMs !== undefined && { firstMs }),
    endToEndMs,
    ...(perTokenMs !== undefined && { perTokenMs, tokensPerSecond: 1000 / perTokenMs }),
  };
}

/** The limits that a reply must meet to count for goodput. Absent ones aren't checked. */
export interface GoodputTarget {
  readonly firstMs?: number;
  readonly perTokenMs?: number;
  readonly endToEndMs?: number;
}

/** A distribution with the 95% interval of its median, for 5 figures or more. */
export interface Measured extends Distribution {
  readonly interval?: Interval;
}

/**
 * Figures of a group of requests that were sent in the same way. All except the counts include only successful ones.
 */
export interface ExperimentFigures {
  /** Successful requests: complete replies, and those that reached the maximum length. */
  readonly done: number;
  readonly incomplete: number;
  readonly stopped: number;
  readonly failed: number;
  readonly failures: ReadonlyMap<ApiFailure['kind'], number>;
  readonly firstMs?: Measured;
  /**
   * Between arrivals of text (ITL), over all replies. vLLM's benchmark measures between chunks as well; NVIDIA and
   * GuideLLM call the average over a reply ITL, which is `perTokenMs` here.
   */
  readonly gapMs?: Measured;
  readonly perTokenMs?: Measured;
  readonly tokensPerSecond?: Measured;
  readonly endToEndMs?: Measured;
  /** From sending the first request to the end of the last one, without the time between two runs. */
  readonly seconds: number;
  /** Over all replies, per second of that time. */
  readonly overallTokensPerSecond?: number;
  readonly requestsPerSecond?: number;
  /** Successful requests that met the target, per second. */
  readonly goodRequestsPerSecond?: number;
  /** Some tokens were estimated from the text. */
  readonly isEstimate: boolean;
  /** Average of the successful requests, in currency units; absent if one of them has no price. */
  readonly costEach?: number;
}

/** How a request ended, and in which run. */
export type EndInRun = AttemptEnd & { readonly run?: string };

/**
 * Requests that were never sent don't count.
 * @param hasIntervals false during a run, because calculating them would delay the next replies
 */
export function experimentFigures(
  ends: readonly EndInRun[],
  target?: GoodputTarget,
  hasIntervals = true,
): ExperimentFigures {
  const sent = ends.filter(({ isOpen, failure }) => isOpen !== true || failure !== undefined);
  const count = (outcome: AttemptEnd['outcome']) =>
    sent.filter((end) => end.outcome === outcome && !isSuccessful(end)).length;
  const failures = new Map<ApiFailure['kind'], number>();
  for (const { failure } of sent) {
    if (failure !== undefined) failures.set(failure.kind, (failures.get(failure.kind) ?? 0) + 1);
  }
  const done = sent.filter(isSuccessful);
  const samples = done.flatMap(({ sample }) => (sample === undefined ? [] : [sample]));
  const figures = samples.map(replyFigures);
  const seconds = secondsOf(sent);
  const all = (name: keyof ReplyFigures) =>
    measured(
      figures.flatMap(({ [name]: value }) => value ?? []),
      hasIntervals,
    );
  const tokens = samples.reduce((sum, { replyTokens = 0 }) => sum + replyTokens, 0);
  const firstMs = all('firstMs');
  const perTokenMs = all('perTokenMs');
  const tokensPerSecond = all('tokensPerSecond');
  const endToEndMs = all('endToEndMs');
  const costs = done.flatMap(({ cost }) => cost ?? []);
  const gapMs = distributionOf(samples.flatMap(({ gapsMs }) => gapsMs));
  return {
    done: done.length,
    incomplete: count('incomplete'),
    stopped: count('stopped'),
    failed: count('failed'),
    failures,
    ...(firstMs !== undefined && { firstMs }),
    ...(gapMs !== undefined && { gapMs }),
    ...(perTokenMs !== undefined && { perTokenMs }),
    ...(tokensPerSecond !== undefined && { tokensPerSecond }),
    ...(endToEndMs !== undefined && { endToEndMs }),
    seconds,
    ...(seconds > 0 && {
      overallTokensPerSecond: tokens / seconds,
      requestsPerSecond: done.length / seconds,
      ...(target !== undefined && {
        goodRequestsPerSecond: figures.filter((each) => meets(each, target)).length / seconds,
      }),
    }),
    isEstimate: samples.some(({ isEstimate }) => isEstimate === true),
    ...(costs.length > 0 &&
      costs.length === done.length && { costEach: costs.reduce((sum, cost) => sum + cost, 0) / costs.length }),
  };
}

/** A reply that reached its maximum length is what was asked for, and can be measured like any other. */
function isSuccessful({ outcome, finishReason }: AttemptEnd): boolean {
  return outcome === 'done' || (outcome === 'incomplete' && isLengthEnding(finishReason));
}

/** A figure that couldn't be measured doesn't meet its target. */
function meets(figures: ReplyFigures, target: GoodputTarget): boolean {
  return (['firstMs', 'perTokenMs', 'endToEndMs'] as const).every((name) => {
    const limit = target[name];
    return limit === undefined || (figures[name] ?? Infinity) <= limit;
  });
}

function measured(figures: readonly number[], hasIntervals: boolean): Measured | undefined {
  const distribution = distributionOf(figures);
  if (distribution === undefined) return undefined;
  const interval = hasIntervals ? medianInterval(figures) : undefined;
  return { ...distribution, ...(interval !== undefined && { interval }) };
}

/** A run can be resumed days later, and nothing was measured in between. */
function secondsOf(ends: readonly EndInRun[]): number {
  const runs = new Map<string, { first: number; last: number }>();
  for (const { sample, run = '' } of ends) {
    if (sample === undefined) continue;
    const { first, last } = runs.get(run) ?? { first: Infinity, last: 0 };
    runs.set(run, {
      first: Math.min(first, sample.sentAt),
      last: Math.max(last, sample.sentAt + sample.totalMs),
    });
  }
  return [...runs.values()].reduce((sum, { first, last }) => sum + last - first, 0) / 1000;
}

/**
 * The difference between the service's figures for a reply and those measured here, in milliseconds; absent if the
 * service sends none.
 */
export function disagreement({ firstMs, lastMs, totalMs, service }: ReplySample): {
  readonly firstMs?: number;
  readonly endToEndMs?: number;
} {
  const { ttftSeconds, totalTimeSeconds } = service ?? {};
  return {
    ...(ttftSeconds !== undefined && firstMs !== undefined && { firstMs: firstMs - ttftSeconds * 1000 }),
    ...(totalTimeSeconds !== undefined && { endToEndMs: (lastMs ?? totalMs) - totalTimeSeconds * 1000 }),
  };
}
