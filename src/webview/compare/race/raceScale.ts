/** In seconds: possible ends of an axis, with the distance between its marks. */
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
  /** In seconds, at the right end. */
  readonly end: number;
  /** In seconds, from 0. */
  readonly ticks: readonly number[];
}

/** The scale for bars of this length. It grows in steps, so that bars grow between them instead of shrinking. */
export function raceScale(longestSeconds: number): RaceScale {
  const [end, step] = axes.find(([most]) => longestSeconds <= most) ?? hours(longestSeconds);
  return { end, ticks: Array.from({ length: Math.round(end / step) + 1 }, (_, index) => index * step) };
}

function hours(seconds: number): readonly [number, number] {
  const end = Math.ceil(seconds / 1000) * 1000;
  return [end, end / 5];
}

/**
 * Which notches are drawn: every hundred tokens, every 200, every 500, and so on, so that they're at least 12 px apart.
 * @param marks seconds of each hundredth token, for each bar
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
