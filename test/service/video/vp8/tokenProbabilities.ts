const yAfterY2 = 0;
const y2 = 1;
const chroma = 2;

/** Of a block's first coefficient: there or not, never the token for 0, and of any size. */
export const firstProbabilities = [128, 1, 110, 100, 128, 128, 110, 128, 128, 128, 128] as const;

/** Of what follows it: nothing. */
export const endProbabilities = [255, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128] as const;

/**
 * The probabilities of the token tree's eleven nodes at a place that flat blocks use, the same in every
 * context; undefined elsewhere: those keep the format's defaults, which nothing here reads.
 */
export function tokenProbabilities(plane: number, band: number, context: number): readonly number[] | undefined {
  if (plane === yAfterY2) return band === 1 && context === 0 ? endProbabilities : undefined;
  if (plane !== y2 && plane !== chroma) return undefined;
  if (band === 0) return firstProbabilities;
  return band === 1 && context > 0 ? endProbabilities : undefined;
}
