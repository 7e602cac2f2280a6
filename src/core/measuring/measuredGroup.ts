import type { ApiFailure } from '../../shared/apiFailure.ts';
import {
  type DotView,
  type MeasuredGroup,
  type ServiceSays,
  type SpreadName,
  spreadNames,
  type SpreadView,
} from '../../shared/measuring.ts';
import { quantile } from '../models/measuredModel.ts';
import {
  disagreement,
  type EndInRun,
  experimentFigures,
  type ExperimentFigures,
  type GoodputTarget,
  replyFigures,
} from '../experiments/experimentFigures.ts';
import type { AttemptEnd } from '../experiments/experimentRecord.ts';

/** Tolerance for the network and both machines, which lie between a service's clock and what is measured here. */
const explainedMs = 50;
const explainedShare = 0.1;

export interface GroupSource {
  readonly model: number;
  readonly load: number;
  readonly ends: readonly EndInRun[];
  readonly target?: GoodputTarget | undefined;
  /** False during the run. */
  readonly hasIntervals: boolean;
  /** The title of what went wrong. */
  readonly titleOf: (failure: ApiFailure) => string;
}

/** Everything that is shown about one model at one level of concurrency. */
export function measuredGroup({ model, load, ends, target, hasIntervals, titleOf }: GroupSource): MeasuredGroup {
  const figures = experimentFigures(ends, target, hasIntervals);
  const { requestsPerSecond, overallTokensPerSecond, goodRequestsPerSecond, costEach } = figures;
  const service = serviceSays(ends, figures);
  const spreads: Partial<Record<SpreadName, SpreadView>> = {};
  for (const name of spreadNames) {
    const spread = figures[name];
    if (spread !== undefined) spreads[name] = spreadView(spread);
  }
  const { tokensPerSecond: rate, perTokenMs } = spreads;
  if (rate !== undefined && perTokenMs !== undefined) {
    // For a speed, the slow end counts: 90% of the replies were faster.
    const slow = (share: 'p90' | 'p95' | 'p99') => 1000 / perTokenMs[share];
    spreads.tokensPerSecond = { ...rate, p90: slow('p90'), p95: slow('p95'), p99: slow('p99') };
  }
  return {
    model,
    load,
    done: figures.done,
    incomplete: figures.incomplete,
    stopped: figures.stopped,
    failed: figures.failed,
    failures: failuresOf(ends, titleOf),
    spreads,
    ...(requestsPerSecond !== undefined && { requestsPerSecond }),
    ...(overallTokensPerSecond !== undefined && { overallTokensPerSecond }),
    ...(goodRequestsPerSecond !== undefined && { goodRequestsPerSecond }),
    ...(costEach !== undefined && { costPer1000: costEach * 1000 }),
    isEstimate: figures.isEstimate,
    ...(service !== undefined && { service }),
    dots: ends.map((end) => dotOf(end, titleOf)),
  };
}

function spreadView({
  count,
  median,
  p90,
  p95,
  p99,
  iqr,
  ...rest
}: NonNullable<ExperimentFigures['firstMs']>): SpreadView {
  return { count, median, p90, p95, p99, iqr, ...(rest.interval !== undefined && { interval: rest.interval }) };
}

function dotOf(end: AttemptEnd, titleOf: GroupSource['titleOf']): DotView {
  const { attempt, failure, sample } = end;
  if (failure !== undefined) return { attempt, failure: titleOf(failure) };
  if (sample === undefined || end.outcome === 'stopped') return { attempt };
  const { firstMs, tokensPerSecond, endToEndMs } = replyFigures(sample);
  return {
    attempt,
    ...(firstMs !== undefined && { firstMs }),
    ...(tokensPerSecond !== undefined && { tokensPerSecond }),
    endToEndMs,
  };
}

function failuresOf(ends: readonly AttemptEnd[], titleOf: GroupSource['titleOf']): MeasuredGroup['failures'] {
  const counts = new Map<string, number>();
  for (const { failure } of ends) {
    if (failure === undefined) continue;
    const title = titleOf(failure);
    counts.set(title, (counts.get(title) ?? 0) + 1);
  }
  return [...counts].map(([title, count]) => ({ title, count }));
}

/** For the replies that the service sent figures for. */
function serviceSays(ends: readonly AttemptEnd[], { tokensPerSecond }: ExperimentFigures): ServiceSays | undefined {
  const samples = ends.flatMap(({ sample }) => (sample?.service === undefined ? [] : [sample]));
  if (samples.length === 0) return undefined;
  const firstMs = medianOf(samples.map(({ service }) => inMs(service?.ttftSeconds)));
  const endToEndMs = medianOf(samples.map(({ service }) => inMs(service?.totalTimeSeconds)));
  const rate = medianOf(samples.map(({ service }) => service?.tokensPerSecond));
  const differences = samples.map(disagreement);
  const isRateOff =
    rate !== undefined && tokensPerSecond !== undefined && isOff(tokensPerSecond.median - rate, rate, 0);
  return {
    ...(firstMs !== undefined && { firstMs }),
    ...(endToEndMs !== undefined && { endToEndMs }),
    ...(rate !== undefined && { tokensPerSecond: rate }),
    isOff:
      isOff(medianOf(differences.map((each) => each.firstMs)), firstMs) ||
      isOff(medianOf(differences.map((each) => each.endToEndMs)), endToEndMs) ||
      isRateOff,
  };
}

function isOff(difference: number | undefined, said: number | undefined, explained = explainedMs): boolean {
  if (difference === undefined || said === undefined) return false;
  return Math.abs(difference) > Math.max(explained, Math.abs(said) * explainedShare);
}

export function inMs(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : seconds * 1000;
}

function medianOf(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length === 0 ? undefined : quantile(known, 0.5);
}
