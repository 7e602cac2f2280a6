import type { SpreadView } from '../../shared/measuring.ts';

/** A figure of a column. */
export interface ComparedCell {
  /** Absent if unknown. */
  readonly value?: number | undefined;
  /** Without the interval of its median, a difference might be chance. */
  readonly spread?: SpreadView | undefined;
  readonly isEstimate?: boolean;
}

/**
 * The place of the best figure; undefined if several share it, if only one is known, or if it might be chance: medians
 * whose 95% intervals overlap, or that have none. An estimate and a count can't be compared.
 */
export function bestCell(cells: readonly (ComparedCell | undefined)[], best: 'least' | 'most'): number | undefined {
  const known = cells.flatMap((cell) => (cell?.value === undefined ? [] : [{ ...cell, value: cell.value }]));
  const [first, ...others] = known.toSorted((a, b) => (best === 'least' ? a.value - b.value : b.value - a.value));
  if (first === undefined || others.length === 0 || others.some((other) => !isApart(first, other))) return undefined;
  return cells.findIndex((cell) => cell?.value === first.value);
}

function isApart(a: ComparedCell, b: ComparedCell): boolean {
  const [one, other] = [a.spread?.interval, b.spread?.interval];
  if (a.isEstimate !== b.isEstimate) return false;
  return one !== undefined && other !== undefined && (one.high < other.low || other.high < one.low);
}
