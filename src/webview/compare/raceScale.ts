/** Seconds; each is the end of an axis, and how far apart its marks are. */
const axes: readonly (readonly [end: number, step: number])[] = [
  [2, 0.5],
  [5, 1],
  [10, 2],
  [20, 5],
  [50, 10],
  [100, 20],
  [200, 50],
  [500, 100],
];
const LEAST_NOTCH_PX = 12;

export interface RaceScale {
  /** Seconds at the right end. */
  readonly end: number;
  /** Seconds, from 0. */
  readonly ticks: readonly number[];
}

/** The scale for bars that long. It grows in steps, so that bars grow between them rather than shrink. */
export function raceScale(longestSeconds: number): RaceScale {
  const [end, step] = axes.find(([most]) => longestSeconds <= most) ?? hours(longestSeconds);
  return { end, ticks: Array.from({ length: Math.round(end / step) + 1 }, (_, index) => index * step) };
}

function hours(seconds: number): readonly [number, number] {
  const end = Math.ceil(seconds / 1000) * 1000;
  return [end, end / 5];
}

/**
 * Every how many hundred tokens a notch is drawn: each, every second, every fifth, and so on, as soon as they would
 * otherwise stand closer than 12 px.
 *
 * @param marks seconds of every hundredth token, for each bar
 * @param pixelsPerSecond of the scale
 */
export function notchEvery(marks: readonly (readonly number[])[], pixelsPerSecond: number): number {
  const isWide = (every: number) =>
    marks.every((own) => {
      const shown = own.filter((_, index) => (index + 1) % every === 0);
      const [first = 0] = shown;
      const last = shown.at(-1) ?? first;
      return shown.length < 2 || ((last - first) / (shown.length - 1)) * pixelsPerSecond >= LEAST_NOTCH_PX;
    });
  return [1, 2, 5, 10, 20, 50].find(isWide) ?? 100;
}
