import { changeHunks } from './changeHunks.ts';
import { type LineHunk, lineHunks, linesWith } from './lineMerge.ts';

/** A proposed change, seen from a text that may have changed meanwhile. */
export interface MergedHunk {
  /** In the base. */
  readonly hunk: LineHunk;
  /** `conflict`: someone changed these lines, or the ones next to them, in another way. */
  readonly state: 'pending' | 'conflict';
  /** Lines of the present text. */
  readonly from: number;
  readonly to: number;
}

/**
 * The proposed changes against the present text. What has been made already is left out. As with git,
 * changes that touch are a conflict: only a person knows what both together should be.
 */
export function mergeHunks(base: string, proposed: string, present: string): readonly MergedHunk[] {
  const made = lineHunks(base, present);
  const old = base.split('\n');
  const merged: MergedHunk[] = [];
  for (const hunk of changeHunks(base, proposed)) {
    const near = made.filter(({ from, to }) => from <= hunk.to && to >= hunk.from);
    if (near.length > 0 && makes(near, hunk, old)) continue;
    const shift = (line: number) => {
      let by = 0;
      for (const other of made) if (other.to <= line) by += other.lines.length - (other.to - other.from);
      return line + by;
    };
    const from = shift(hunk.from);
    merged.push({
      hunk,
      state: near.length === 0 ? 'pending' : 'conflict',
      from,
      to: Math.max(from, near.length === 0 ? from + hunk.to - hunk.from : shift(hunk.to)),
    });
  }
  return merged;
}

/** Whether these changes of the present text are what the proposed one would make. */
function makes(made: readonly LineHunk[], { from, to, lines }: LineHunk, old: readonly string[]): boolean {
  if (made.some((each) => each.from < from || each.to > to)) return false;
  const here = made.map((each) => ({ ...each, from: each.from - from, to: each.to - from }));
  const result = linesWith(old.slice(from, to), here);
  return result.length === lines.length && result.join('\n') === lines.join('\n');
}
