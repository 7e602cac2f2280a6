import { diffArrays } from 'diff';

/** Lines of a base that a change replaces, counted from 0; `to` is after the last. */
export interface LineHunk {
  readonly from: number;
  readonly to: number;
  readonly lines: readonly string[];
}

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

// Far apart texts are one change: to find the shortest way between them would take seconds.
const maxEdits = 1000;

/** The changes that lead from one text to another, in order, each with an unchanged line between it and the next. */
export function lineHunks(base: string, changed: string): readonly LineHunk[] {
  const [old, next] = [base.split('\n'), changed.split('\n')];
  const parts = diffArrays(old, next, { maxEditLength: maxEdits });
  if (parts === undefined) return [{ from: 0, to: old.length, lines: next }];
  const hunks: LineHunk[] = [];
  let line = 0;
  let open: { from: number; to: number; lines: string[] } | undefined;
  for (const { added, removed, value } of parts) {
    if (!added && !removed) {
      line += value.length;
      open = undefined;
      continue;
    }
    if (open === undefined) {
      open = { from: line, to: line, lines: [] };
      hunks.push(open);
    }
    if (added) open.lines.push(...value);
    else {
      line += value.length;
      open.to = line;
    }
  }
  return hunks;
}

/** The text with these changes made; they are in order and do not overlap. */
export function applyHunks(text: string, hunks: readonly LineHunk[]): string {
  const lines = text.split('\n');
  const result: string[] = [];
  let line = 0;
  for (const { from, to, lines: put } of hunks) {
    result.push(...lines.slice(line, from), ...put);
    line = to;
  }
  return [...result, ...lines.slice(line)].join('\n');
}

/**
 * The proposed changes against the present text. What has been made already is left out. As with git,
 * changes that touch are a conflict: only a person knows what both together should be.
 */
export function mergeHunks(base: string, proposed: string, present: string): readonly MergedHunk[] {
  const made = lineHunks(base, present);
  const merged: MergedHunk[] = [];
  for (const hunk of lineHunks(base, proposed)) {
    const near = made.filter(({ from, to }) => from <= hunk.to && to >= hunk.from);
    const [only] = near;
    if (only !== undefined && near.length === 1 && isSame(only, hunk)) continue;
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

/** The part in which two texts differ: offsets in the old one, and what stands there in the new one. */
export function changedPart(old: string, next: string): { from: number; to: number; text: string } {
  const least = Math.min(old.length, next.length);
  let from = 0;
  while (from < least && old.charCodeAt(from) === next.charCodeAt(from)) from += 1;
  // Not between the halves of a character.
  if (from > 0 && isHigh(old.charCodeAt(from - 1))) from -= 1;
  let end = 0;
  while (end < least - from && old.charCodeAt(old.length - 1 - end) === next.charCodeAt(next.length - 1 - end))
    end += 1;
  if (end > 0 && isLow(old.charCodeAt(old.length - end))) end -= 1;
  return { from, to: old.length - end, text: next.slice(from, next.length - end) };
}

function isSame(one: LineHunk, other: LineHunk): boolean {
  return one.from === other.from && one.to === other.to && one.lines.join('\n') === other.lines.join('\n');
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
