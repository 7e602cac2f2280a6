import { type LineHunk, lineHunks } from './lineMerge.ts';

/** Keywords that declare a name, at the start of a line after modifiers like `export` and `pub`. */
const declaration =
  /^\s*(?:[\p{L}@][\p{L}\p{N}_@()]*\s+)*(?:class|interface|enum|struct|trait|type|record|object|module|namespace|mod|def|fn|func|fun|function|sub|const|let|var|val)\s+(?:\([^)]*\)\s*)?(?<name>[\p{L}_$][\p{L}\p{N}_$]*)/u;

/**
 * The changes that a user decides about, each of which makes sense without the others. Changed lines belong together if
 * only lines without words are between them, for example a lone `}`; if one opens a bracket that another closes; and if
 * one removes what another declares elsewhere. So whichever of them are kept, everything that both texts declare exists
 * exactly once.
 */
export function changeHunks(base: string, proposed: string): readonly LineHunk[] {
  const hunks = lineHunks(base, proposed);
  if (hunks.length < 2) return hunks;
  const old = base.split('\n');
  const groups: LineHunk[] = [];
  for (let first = 0; first < hunks.length;) {
    const last = lastOfGroup(old, hunks, first);
    groups.push(joined(old, hunks.slice(first, last + 1)));
    first = last + 1;
  }
  return groups;
}

function lastOfGroup(old: readonly string[], hunks: readonly LineHunk[], first: number): number {
  let last = first;
  for (let at = first; at <= last; at += 1) {
    const hunk = hunks[at];
    if (hunk === undefined) break;
    last = Math.max(last, lastWithSameNames(old, hunks, at), balancedAt(old, hunks, first, at));
    const next = hunks[at + 1];
    const isNear = next !== undefined && old.slice(hunk.to, next.from).every((line) => !/[\p{L}\p{N}_]/u.test(line));
    if (isNear) last = Math.max(last, at + 1);
  }
  return last;
}

/** The last change that adds what this one removes, or removes what this one adds. */
function lastWithSameNames(old: readonly string[], hunks: readonly LineHunk[], at: number): number {
  const hunk = hunks[at];
  if (hunk === undefined) return at;
  const removed = namesIn(old.slice(hunk.from, hunk.to));
  const added = namesIn(hunk.lines);
  return hunks.findLastIndex(({ from, to, lines }, index) => {
    if (index <= at) return index === at;
    return (
      namesIn(lines).some((name) => removed.includes(name)) ||
      namesIn(old.slice(from, to)).some((name) => added.includes(name))
    );
  });
}

/** The change after which a group's brackets are as balanced as before; the same one if there's none. */
function balancedAt(old: readonly string[], hunks: readonly LineHunk[], first: number, at: number): number {
  let depth = 0;
  for (let index = first; index < hunks.length; index += 1) {
    const hunk = hunks[index];
    if (hunk === undefined) break;
    depth += depthOf(hunk.lines) - depthOf(old.slice(hunk.from, hunk.to));
    if (index >= at && depth === 0) return index;
  }
  return at;
}

function joined(old: readonly string[], hunks: readonly LineHunk[]): LineHunk {
  const [first, last] = [hunks[0], hunks.at(-1)];
  if (first === undefined || last === undefined || first === last) return first ?? { from: 0, to: 0, lines: [] };
  const lines = hunks.flatMap((hunk, index) => [
    ...hunk.lines,
    ...old.slice(hunk.to, hunks[index + 1]?.from ?? hunk.to),
  ]);
  return { from: first.from, to: last.to, lines };
}

function namesIn(lines: readonly string[]): readonly string[] {
  return lines.flatMap((line) => declaration.exec(line)?.groups?.['name'] ?? []);
}

function depthOf(lines: readonly string[]): number {
  const text = lines.join('\n');
  return (text.match(/[([{]/g) ?? []).length - (text.match(/[)\]}]/g) ?? []).length;
}
