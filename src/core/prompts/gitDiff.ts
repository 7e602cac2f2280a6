import { looksSecret } from '../safety/looksSecret.ts';

/** A new file's `status` in the API of VS Code's Git extension. */
export const untrackedStatus = 7;

/** One file of a diff. */
export interface FileDiff {
  /** From its first line to the next file's, without colors. */
  readonly text: string;
  /** The current and former path, as git writes them, with or without `a/` and `b/`; empty if unknown. */
  readonly names: readonly string[];
  /** Whether it must not be sent without asking: because of one of its names, or because no name is readable. */
  readonly isSecret: boolean;
}

// Git's own color codes.
// oxlint-disable-next-line no-control-regex -- the escape character is what we look for
const colors = /\u001B\[[\d;]*[mK]/g;
const firstLine = /^(?:diff --(?:git|cc|combined)|\* Unmerged path|Submodule) /;
const oneParent = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/;
const severalParents = /^(@{3,}) .+ \1/;

/**
 * The files in the output of `git diff`. That depends on the user's git settings: with colors, with other prefixes or
 * none, or from another program. Unreadable parts become a file without a name.
 */
export function fileDiffs(diff: string): readonly FileDiff[] {
  const lines = diff.replace(colors, '').split(/(?<=\n)/);
  const files: FileDiff[] = [];
  let from = 0;
  while (from < lines.length) {
    const isKnown = firstLine.test(lines[from] ?? '');
    const { to, head } = isKnown ? ownLines(lines, from) : { to: nextFile(lines, from), head: [] };
    const text = lines.slice(from, to).join('');
    const { names, isSecret } = namesOfHead(head);
    if (isKnown || text.trim() !== '') files.push({ text, names, isSecret });
    from = to;
  }
  return files;
}

/**
 * Nobody selected the files in a diff one by one, so those that might contain secrets, or have no known name, are left
 * out.
 */
export function withoutSecrets(diff: string): { readonly text: string; readonly leftOut: number } {
  const files = fileDiffs(diff);
  const kept = files.filter(({ isSecret }) => !isSecret);
  return { text: kept.map(({ text }) => text).join(''), leftOut: files.length - kept.length };
}

/**
 * A file that Git doesn't track yet, as `git diff` would write it if it did.
 * @param path relative to the repository, with `/` between its parts
 * @param content its text, or a reason why it isn't included
 */
export function newFileDiff(path: string, content: { readonly text: string } | { readonly note: string }): string {
  const [from, to] = [inQuotes(`a/${path}`), inQuotes(`b/${path}`)];
  const head = `diff --git ${from} ${to}\nnew file mode 100644\n`;
  if ('note' in content) return `${head}(${content.note})\n`;
  if (content.text === '') return head;
  const isEnded = content.text.endsWith('\n');
  const lines = content.text.slice(0, isEnded ? -1 : undefined).split('\n');
  const count = lines.length === 1 ? '' : `,${lines.length}`;
  const added = lines.map((line) => `+${line}\n`).join('');
  const end = isEnded ? '' : '\\ No newline at end of file\n';
  // Git adds a tab after a name with a space.
  const tab = path.includes(' ') ? '\t' : '';
  return `${head}--- /dev/null\n+++ ${to}${tab}\n@@ -0,0 +1${count} @@\n${added}${end}`;
}

/** As Git writes a name that would otherwise end its line or its quotes. */
function inQuotes(name: string): string {
  // oxlint-disable-next-line no-control-regex -- those are what must be quoted
  const odd = /["\\\u0000-\u001F\u007F]/g;
  if (name.search(odd) < 0) return name;
  return `"${name.replace(odd, asEscape)}"`;
}

function asEscape(letter: string): string {
  return /["\\]/.test(letter) ? `\\${letter}` : `\\${letter.charCodeAt(0).toString(8).padStart(3, '0')}`;
}

/**
 * Where a file's diff ends, by counting lines: another program might have written the next file's diff.
 * @returns `head` is the lines before its changes
 */
function ownLines(lines: readonly string[], from: number): { readonly to: number; readonly head: readonly string[] } {
  const end = nextFile(lines, from + 1);
  let at = from + 1;
  // The commits of a submodule, if the user's settings show them instead of IDs.
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

/** @param old,now number of remaining lines of the old and of the new text */
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

function namesOfHead(head: readonly string[]): Pick<FileDiff, 'names' | 'isSecret'> {
  const [first = '', ...rest] = head;
  const submodule = /^Submodule (.+?) (?:[\da-f]{4,40}\.|contains )/.exec(first)?.[1];
  const alone = submodule ?? /^(?:\* Unmerged path|diff --(?:cc|combined)) (.+)$/.exec(first)?.[1];
  const pair = /^diff --git (.+)$/.exec(first)?.[1] ?? '';
  const said = rest.flatMap((line) => {
    const [, moved] = /^(?:rename|copy) (?:from|to) (.+)$/.exec(line) ?? [];
    // Git adds a tab after a name with a space.
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

/** The two names in the first line, which are only separated by a space. Empty if they can't be separated. */
function pairOf(pair: string): readonly string[] {
  const quoted = /^("(?:[^"\\]|\\.)*"|\S+) ("(?:[^"\\]|\\.)*"|\S+)$/.exec(pair);
  if (quoted !== null) return quoted.slice(1);
  // The same path twice, with any prefixes.
  for (let space = pair.indexOf(' '); space >= 0; space = pair.indexOf(' ', space + 1)) {
    const [one, other] = [pair.slice(0, space), pair.slice(space + 1)];
    if (one === other || one.slice(one.indexOf('/') + 1) === other.slice(other.indexOf('/') + 1)) return [one, other];
  }
  return [];
}

/** No prefix, or git's own ones, which end with a slash. */
function hasUsualPrefixes(pair: string): boolean {
  const [one = '', other = ''] = pairOf(pair).map(unquoted);
  return one === other || [one, other].every((name) => /^[abciow12]\//.test(name));
}

/** A user's own prefix can be joined to the name: `old-.env`. */
function endsSecret(name: string): boolean {
  const last = name.slice(name.lastIndexOf('/') + 1);
  return Array.from(last, (_letter, index) => last.slice(index)).some(looksSecret);
}

/** Git writes anything but plain ASCII as octal bytes in quotes. */
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
