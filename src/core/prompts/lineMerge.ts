import { diffArrays } from 'diff';

/** Lines of a base text that a change replaces, counted from 0; `to` is after the last. */
export interface LineHunk {
  readonly from: number;
  readonly to: number;
  readonly lines: readonly string[];
}

// Very different texts become one change, because the shortest difference would take seconds to find.
const maxEdits = 1000;

/** The changes that turn one text into another, in order, each separated from the next by an unchanged line. */
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

/** The text with these changes made. They must be in order and not overlap. */
export function applyHunks(text: string, hunks: readonly LineHunk[]): string {
  return linesWith(text.split('\n'), hunks).join('\n');
}

/** Like `applyHunks`, for lines; there can be none. */
export function linesWith(lines: readonly string[], hunks: readonly LineHunk[]): readonly string[] {
  const result: string[] = [];
  let line = 0;
  for (const { from, to, lines: put } of hunks) {
    result.push(...lines.slice(line, from), ...put);
    line = to;
  }
  return [...result, ...lines.slice(line)];
}

/** The part in which two texts differ: offsets in the old one, and the new text. */
export function changedPart(old: string, next: string): { from: number; to: number; text: string } {
  const least = Math.min(old.length, next.length);
  let from = 0;
  while (from < least && old.charCodeAt(from) === next.charCodeAt(from)) from += 1;
  // Not between the halves of a surrogate pair.
  if (from > 0 && isHigh(old.charCodeAt(from - 1))) from -= 1;
  let end = 0;
  while (end < least - from && old.charCodeAt(old.length - 1 - end) === next.charCodeAt(next.length - 1 - end))
    end += 1;
  if (end > 0 && isLow(old.charCodeAt(old.length - end))) end -= 1;
  return { from, to: old.length - end, text: next.slice(from, next.length - end) };
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
