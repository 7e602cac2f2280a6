import { quantileSorted } from 'd3-array';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import type { SpreadView } from '../../shared/measuring.ts';

const RESAMPLES = 1000;
/** Any fixed seed, so that the same figures always give the same interval. */
const SEED = 20_261_122;

/** The spread of figures. Quantiles are interpolated between the two nearest figures, NumPy's default. */
export interface Distribution extends Omit<SpreadView, 'interval'> {
  readonly min: number;
  readonly max: number;
}

export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** Undefined without figures. */
export function distributionOf(figures: readonly number[]): Distribution | undefined {
  if (figures.length === 0) return undefined;
  const sorted = figures.toSorted((a, b) => a - b);
  const at = (share: number) => quantileSorted(sorted, share) ?? 0;
  return {
    count: sorted.length,
    median: at(0.5),
    p90: at(0.9),
    p95: at(0.95),
    p99: at(0.99),
    iqr: at(0.75) - at(0.25),
    min: at(0),
    max: at(1),
  };
}

/**
 * The percentile bootstrap intervals of statistics that are calculated together, each from 1,000 samples of the
 * same size, drawn with replacement.
 * @param statistics gets how often each item was drawn. It must not keep the array
 * @param level of each interval, from 0 to 1
 */
export function bootstrap(
  count: number,
  statistics: (timesDrawn: Uint32Array) => readonly number[],
  level = 0.95,
): readonly Interval[] {
  const random = xoroshiro128plus(SEED);
  const timesDrawn = new Uint32Array(count);
  const results: number[][] = [];
  if (count === 0) return [];
  for (let round = 0; round < RESAMPLES; round += 1) {
    timesDrawn.fill(0);
    for (let draw = 0; draw < count; draw += 1) timesDrawn[uniformInt(random, 0, count - 1)]! += 1;
    for (const [index, value] of statistics(timesDrawn).entries()) (results[index] ??= []).push(value);
  }
  return results.map((values) => {
    const sorted = values.toSorted((a, b) => a - b);
    const outside = (1 - level) / 2;
    return { low: quantileSorted(sorted, outside) ?? 0, high: quantileSorted(sorted, 1 - outside) ?? 0 };
  });
}

/** Fewer figures say nothing about their spread. */
const LEAST_FOR_INTERVAL = 5;

/** Undefined with fewer than 5 figures. */
export function medianInterval(figures: readonly number[]): Interval | undefined {
  const count = figures.length;
  if (count < LEAST_FOR_INTERVAL) return undefined;
  const sorted = figures.toSorted((a, b) => a - b);
  // The median of each sample, without sorting: ten thousand figures take a tenth of a second.
  const medianOf = (timesDrawn: Uint32Array): number => {
    let at = 0;
    let drawn = timesDrawn[0] ?? 0;
    const figureAt = (place: number): number => {
      while (drawn <= place) drawn += timesDrawn[(at += 1)] ?? Infinity;
      return sorted[at] ?? 0;
    };
    return (figureAt(Math.floor((count - 1) / 2)) + figureAt(Math.ceil((count - 1) / 2))) / 2;
  };
  return bootstrap(count, (timesDrawn) => [medianOf(timesDrawn)])[0];
}

/** A change is only claimed if the intervals don't overlap. */
export function overlap(a: Interval, b: Interval): boolean {
  return a.low <= b.high && b.low <= a.high;
}
