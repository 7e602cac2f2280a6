import { changeHunks } from './changeHunks.ts';
import { type LineHunk, lineHunks, linesWith } from './lineMerge.ts';

/** A proposed change, relative to a text that might have been edited since. */
export interface MergedHunk {
  /** Lines in the base text. */
  readonly hunk: LineHunk;
  /** `conflict`: these lines, or the ones next to them, were changed in another way. */
  readonly state: 'pending' | 'conflict';
  /** Lines in the current text. */
  readonly from: number;
  readonly to: number;
}

/**
 * The proposed changes relative to the current text, without those that have already been made. As in git, changes that
 * touch are a conflict, because only the user knows what the result should be.
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

/** Whether these edits of the current text equal the proposed change. */
function makes(made: readonly LineHunk[], { from, to, lines }: LineHunk, old: readonly string[]): boolean {
  if (made.some((each) => each.from < from || each.to > to)) return false;
  const here = made.map((each) => ({ ...each, from: each.from - from, to: each.to - from }));
  const result = linesWith(old.slice(from, to), here);
  return result.length === lines.length && result.join('\n') === lines.join('\n');
}
