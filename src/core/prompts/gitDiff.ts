import { looksSecret } from '../safety/secretName.ts';

/** One file of a diff. */
export interface FileDiff {
  /** From its first line to the next file's, with no colors. */
  readonly text: string;
  /** What the file is and was called, as git writes it, with or without `a/` and `b/`; empty where nobody can tell. */
  readonly names: readonly string[];
  /** Whether it must not be sent unasked: by one of its names, or because it has none that can be read. */
  readonly isSecret: boolean;
}

// What git's own colors are made of.
// oxlint-disable-next-line no-control-regex -- the escape character is what is looked for
const colors = /\u001B\[[\d;]*[mK]/g;
const firstLine = /^(?:diff --(?:git|cc|combined)|\* Unmerged path|Submodule) /;
const oneParent = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/;
const severalParents = /^(@{3,}) .+ \1/;

/**
 * The files of what `git diff` says. It says it as the person's settings have it: with colors, other prefixes or
 * none, or by a program of their own. What cannot be read as a file's diff is a file of its own that has no name.
 */
export function fileDiffs(diff: string): readonly FileDiff[] {
  const lines = diff.replace(colors, '').split(/(?<=\n)/);
  const files: FileDiff[] = [];
  let from = 0;
  while (from < lines.length) {
    const isKnown = firstLine.test(lines[from] ?? '');
    const { to, head } = isKnown ? ownLines(lines, from) : { to: nextFile(lines, from), head: [] };
    const text = lines.slice(from, to).join('');
    const { names, isSecret } = namesIn(head);
    if (isKnown || text.trim() !== '') files.push({ text, names, isSecret });
    from = to;
  }
  return files;
}

/** A diff holds files that nobody named: those that look secret are left out, and those whose name is not known. */
export function withoutSecrets(diff: string): { readonly text: string; readonly leftOut: number } {
  const files = fileDiffs(diff);
  const kept = files.filter(({ isSecret }) => !isSecret);
  return { text: kept.map(({ text }) => text).join(''), leftOut: files.length - kept.length };
}

/**
 * Where a file's diff ends, counted out: behind it there may be what another program wrote of the next file.
 *
 * @returns `head` are the lines before its changes
 */
function ownLines(lines: readonly string[], from: number): { readonly to: number; readonly head: readonly string[] } {
  const end = nextFile(lines, from + 1);
  let at = from + 1;
  // The commits of a submodule, where they are asked for in place of their ids.
  if (lines[from]?.startsWith('Submodule ') === true) while (at < end && /^ {2}[<>] /.test(lines[at] ?? '')) at += 1;
  while (at < end && isHead(lines[at] ?? '')) at += 1;
  const head = lines.slice(from, at).map((line) => line.replace(/\r?\n$/, ''));
  while (at < end) {
    const line = lines[at] ?? '';
    const one = oneParent.exec(line);
    const several = severalParents.exec(line);
    if (one !== null) at = afterChanges(lines, at + 1, Number(one[1] ?? 1), Number(one[2] ?? 1));
    else if (several !== null) {
      const columns = new RegExp(`^(?:[ +-]{${(several[1]?.length ?? 3) - 1}}|\\\\|\\r?\\n?$)`);
      at += 1;
      while (at < end && columns.test(lines[at] ?? '')) at += 1;
    } else break;
  }
  return { to: Math.min(at, end), head };
}

function isHead(line: string): boolean {
  return /^(?:index |(?:old|new) mode |mode |(?:new|deleted) file mode |(?:dis)?similarity index |(?:rename|copy) (?:from|to) |--- |\+\+\+ |Binary files )/.test(
    line,
  );
}

/** @param old,now how many lines are still to come of what was there, and of what is there */
function afterChanges(lines: readonly string[], from: number, old: number, now: number): number {
  let at = from;
  let [oldLeft, nowLeft] = [old, now];
  while (at < lines.length && (oldLeft > 0 || nowLeft > 0)) {
    const kind = lines[at]?.[0];
    if (kind === '-') oldLeft -= 1;
    else if (kind === '+') nowLeft -= 1;
    else if (kind === ' ' || kind === '\n' || kind === '\r') [oldLeft, nowLeft] = [oldLeft - 1, nowLeft - 1];
    else if (kind !== '\\') return at;
    at += 1;
  }
  while (lines[at]?.startsWith('\\') === true) at += 1;
  return at;
}

function nextFile(lines: readonly string[], from: number): number {
  let at = from;
  while (at < lines.length && !firstLine.test(lines[at] ?? '')) at += 1;
  return at;
}

function namesIn(head: readonly string[]): Pick<FileDiff, 'names' | 'isSecret'> {
  const [first = '', ...rest] = head;
  const submodule = /^Submodule (.+?) (?:[\da-f]{4,40}\.|contains )/.exec(first)?.[1];
  const alone = submodule ?? /^(?:\* Unmerged path|diff --(?:cc|combined)) (.+)$/.exec(first)?.[1];
  const pair = /^diff --git (.+)$/.exec(first)?.[1] ?? '';
  const said = rest.flatMap((line) => {
    const [, moved] = /^(?:rename|copy) (?:from|to) (.+)$/.exec(line) ?? [];
    // A name with a space in it is followed by a tab.
    const [, side] = /^(?:---|\+\+\+) (.+?)\t?$/.exec(line) ?? [];
    return [moved, side].filter((name) => name !== undefined);
  });
  const isMoved = rest.some((line) => /^(?:rename|copy) from /.test(line));
  const names = [...(alone === undefined ? pairOf(pair) : [alone]), ...said]
    .map(unquoted)
    .filter((name) => name !== '/dev/null');
  const hasOddPrefix = pair !== '' && !isMoved && !hasUsualPrefixes(pair);
  const isSecret = names.some((name) => looksSecret(name) || (hasOddPrefix && endsSecret(name)));
  return { names, isSecret: isSecret || names.length === 0 };
}

/** The two names of a first line, which nothing but a space parts: where they cannot be told apart, none. */
function pairOf(pair: string): readonly string[] {
  const quoted = /^("(?:[^"\\]|\\.)*"|\S+) ("(?:[^"\\]|\\.)*"|\S+)$/.exec(pair);
  if (quoted !== null) return quoted.slice(1);
  // The same path twice, whatever stands before it.
  for (let space = pair.indexOf(' '); space >= 0; space = pair.indexOf(' ', space + 1)) {
    const [one, other] = [pair.slice(0, space), pair.slice(space + 1)];
    if (one === other || one.slice(one.indexOf('/') + 1) === other.slice(other.indexOf('/') + 1)) return [one, other];
  }
  return [];
}

/** No prefix, or those of git itself, which end with a slash. */
function hasUsualPrefixes(pair: string): boolean {
  const [one = '', other = ''] = pairOf(pair).map(unquoted);
  return one === other || [one, other].every((name) => /^[abciow12]\//.test(name));
}

/** A prefix of the person's own may be grown together with the name: `old-.env`. */
function endsSecret(name: string): boolean {
  const last = name.slice(name.lastIndexOf('/') + 1);
  return Array.from(last, (_letter, index) => last.slice(index)).some(looksSecret);
}

/** Git writes what is not plain ASCII as octal bytes between quotes. */
function unquoted(name: string): string {
  const [, inner] = /^"(.*)"$/.exec(name) ?? [];
  if (inner === undefined) return name;
  const letters: Readonly<Record<string, string>> = { a: '\x07', b: '\b', t: '\t', n: '\n', v: '\v', f: '\f', r: '\r' };
  const bytes: number[] = [];
  for (const [, octal, escaped, plain] of inner.matchAll(/\\([0-7]{3})|\\(.)|([^\\]+)/gs)) {
    if (octal === undefined) bytes.push(...new TextEncoder().encode(plain ?? letters[escaped ?? ''] ?? escaped));
    else bytes.push(Number.parseInt(octal, 8));
  }
  return new TextDecoder().decode(new Uint8Array(bytes));
}
