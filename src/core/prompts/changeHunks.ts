import { declaredName, depthOf } from './declaredName.ts';
import { type LineHunk, lineHunks } from './lineMerge.ts';

/**
 * The changes that a user decides about, each of which makes sense without the others. Changed lines belong together if
 * only lines without words are between them, for example a lone `}`; if one opens a bracket that another closes; and if
 * one removes what another adds elsewhere: a declaration, or a line of which none might be left. So whichever of them
 * are kept, everything that both texts declare exists exactly as often as in one of them, and no line with words that
 * both texts have is lost.
 */
export function changeHunks(base: string, proposed: string): readonly LineHunk[] {
  const hunks = lineHunks(base, proposed);
  if (hunks.length < 2) return hunks;
  const old = base.split('\n');
  const reach = reachOfMoves(old, hunks);
  const groups: LineHunk[] = [];
  for (let first = 0; first < hunks.length;) {
    const last = lastOfGroup(old, hunks, reach, first);
    groups.push(joined(old, hunks.slice(first, last + 1)));
    first = last + 1;
  }
  return groups;
}

function lastOfGroup(old: readonly string[], hunks: readonly LineHunk[], reach: readonly number[], first: number) {
  let last = first;
  for (let at = first; at <= last; at += 1) {
    const hunk = hunks[at];
    if (hunk === undefined) break;
    last = Math.max(last, reach[at] ?? at, balancedAt(old, hunks, first, at));
    const next = hunks[at + 1];
    const isNear = next !== undefined && old.slice(hunk.to, next.from).every((line) => !hasWords(line));
    if (isNear) last = Math.max(last, at + 1);
  }
  return last;
}

/** For each change, the last one that adds what it removes, or removes what it adds. */
function reachOfMoves(old: readonly string[], hunks: readonly LineHunk[]): readonly number[] {
  const reach = hunks.map((_, index) => index);
  const join = (nets: ReadonlyMap<number, number>) => {
    const moving = [...nets].filter(([, net]) => net !== 0);
    if (!moving.some(([, net]) => net < 0) || !moving.some(([, net]) => net > 0)) return;
    const last = Math.max(...moving.map(([index]) => index));
    for (const [index] of moving) reach[index] = Math.max(reach[index] ?? index, last);
  };
  for (const nets of netsOf(old, hunks, declaredIn).values()) join(nets);
  const before = counted(wordsIn(old));
  for (const [line, nets] of netsOf(old, hunks, wordsIn)) {
    const removed = [...nets.values()].reduce((sum, net) => sum + Math.min(net, 0), 0);
    // A common line like `return null;` isn't moved: others of it remain.
    if ((before.get(line) ?? 0) + removed <= 0) join(nets);
  }
  return reach;
}

/** For each key, by how much each change changes the number of its occurrences. */
function netsOf(
  old: readonly string[],
  hunks: readonly LineHunk[],
  keysIn: (lines: readonly string[], below: string | undefined) => readonly string[],
): ReadonlyMap<string, ReadonlyMap<number, number>> {
  const all = new Map<string, Map<number, number>>();
  const add = (key: string, index: number, by: number) => {
    const nets = all.get(key) ?? new Map<number, number>();
    all.set(key, nets.set(index, (nets.get(index) ?? 0) + by));
  };
  for (const [index, { from, to, lines }] of hunks.entries()) {
    for (const key of keysIn(old.slice(from, to), old[to])) add(key, index, -1);
    for (const key of keysIn(lines, old[to])) add(key, index, 1);
  }
  return all;
}

/** The change after which a group's brackets are as balanced as before; the same one if there's none. */
function balancedAt(old: readonly string[], hunks: readonly LineHunk[], first: number, at: number): number {
  let depth = 0;
  for (let index = first; index < hunks.length; index += 1) {
    const hunk = hunks[index];
    if (hunk === undefined) break;
    depth += depthOf(hunk.lines.join('\n')) - depthOf(old.slice(hunk.from, hunk.to).join('\n'));
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

function declaredIn(lines: readonly string[], below: string | undefined): readonly string[] {
  return lines.flatMap((line, index) => declaredName(line, index + 1 < lines.length ? lines[index + 1] : below) ?? []);
}

/** Lines with words. Moved ones can have another indentation, and a comma or none at the end. */
function wordsIn(lines: readonly string[]): readonly string[] {
  return lines.filter(hasWords).map((line) => line.trim().replace(/[,;]$/, ''));
}

function hasWords(line: string): boolean {
  return /[\p{L}\p{N}_]/u.test(line);
}

function counted(keys: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}
