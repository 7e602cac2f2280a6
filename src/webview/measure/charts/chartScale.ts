/** An axis that starts at 0 and ends at or above the largest value, so that nothing is cut off. */
export interface Axis {
  readonly ticks: readonly number[];
  /** The end of the axis: its last tick. */
  readonly top: number;
}

const STEPS = [1, 2, 2.5, 5, 10];

/** @param wanted approximate number of steps */
export function axisTo(greatest: number, wanted = 4): Axis {
  if (!(greatest > 0) || !Number.isFinite(greatest)) return { ticks: [0, 1], top: 1 };
  const rough = greatest / wanted;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = (STEPS.find((each) => each * power >= rough * (1 - 1e-9)) ?? 10) * power;
  const count = Math.max(1, Math.ceil(greatest / step - 1e-9));
  // Multiplied, because sums of steps have rounding errors.
  const ticks = Array.from({ length: count + 1 }, (_, index) => Number((index * step).toPrecision(12)));
  return { ticks, top: ticks.at(-1) ?? 1 };
}

/** Number of decimals that distinguish the ticks of such an axis: 0.25 needs two. */
export function decimalsOf(step: number): number {
  const needed = [0, 1, 2, 3, 4].find((count) => Math.abs(step - Number(step.toFixed(count))) < step * 1e-6);
  return needed ?? 4;
}

/** The centers of equal steps along an axis: 1, 4, and 32 at once are as far apart as 1, 2, and 3. */
export function equalSteps(count: number, length: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => ((index + 0.5) * length) / count);
}

/**
 * How far dots of about the same height are moved apart: the first stays in the center, the next alternate right and
 * left of it. The same values always give the same result.
 * @param places heights, in pixels
 * @param size of a dot, in pixels
 * @param room maximum offset to either side, in pixels
 */
export function asides(places: readonly number[], size: number, room: number): readonly number[] {
  const inSlot = new Map<number, number>();
  return places.map((place) => {
    const slot = Math.round(place / size);
    const before = inSlot.get(slot) ?? 0;
    inSlot.set(slot, before + 1);
    const out = Math.ceil(before / 2) * size * (before % 2 === 1 ? 1 : -1);
    const turns = Math.max(1, Math.floor(room / size));
    // If there isn't enough room, they start again in the center.
    return Math.abs(out) <= room ? out : ((before % (2 * turns + 1)) - turns) * size;
  });
}
