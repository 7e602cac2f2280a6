/** A share as a length in CSS: `66.67%`. Less than none and more than everything are cut off. */
export function cssShare(share: number): string {
  return `${(Math.min(1, Math.max(0, share)) * 100).toFixed(3)}%`;
}
