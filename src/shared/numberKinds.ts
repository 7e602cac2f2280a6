export interface Bounds {
  readonly integer?: true;
  readonly min?: number;
  readonly above?: number;
  readonly max?: number;
}

/** What a number that a person sets may be. */
export const numberKinds = {
  count: { integer: true, min: 1 },
  whole: { integer: true },
  fromZero: { min: 0 },
  share: { above: 0, max: 1 },
} as const satisfies Readonly<Record<string, Bounds>>;

export type NumberKind = keyof typeof numberKinds;

/** Never true of what isn't finite, or of a whole number that can't be told from the next one. */
export function isWithin(value: number, { integer, min, above, max }: Bounds): boolean {
  if (integer === true ? !Number.isSafeInteger(value) : !Number.isFinite(value)) return false;
  return (
    (min === undefined || value >= min) && (above === undefined || value > above) && (max === undefined || value <= max)
  );
}
