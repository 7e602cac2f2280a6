export interface Bounds {
  readonly integer?: true;
  readonly min?: number;
  readonly above?: number;
  readonly max?: number;
}

/** The kinds of numbers that a user can set. */
export const numberKinds = {
  count: { integer: true, min: 1 },
  whole: { integer: true },
  fromZero: { min: 0 },
  share: { above: 0, max: 1 },
} as const satisfies Readonly<Record<string, Bounds>>;

export type NumberKind = keyof typeof numberKinds;

/** Always false for numbers that aren't finite, and for whole numbers beyond the safe range. */
export function isWithin(value: number, { integer, min, above, max }: Bounds): boolean {
  if (integer === true ? !Number.isSafeInteger(value) : !Number.isFinite(value)) return false;
  return (
    (min === undefined || value >= min) && (above === undefined || value > above) && (max === undefined || value <= max)
  );
}
