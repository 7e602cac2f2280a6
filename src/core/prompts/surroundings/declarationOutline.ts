import { maskedCode } from './maskedCode.ts';

/** A range of lines, counted from 0; `to` is after the last. */
export interface OutlineLines {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** How much of a declaration is kept: only its head, or also a type's members without their bodies. */
export type OutlineDepth = 'head' | 'members';

const mostHeadLines = 12;
const mostMemberLines = 40;
/** How much of a file is read for one outline, in UTF-16 units: generated files have very long lines. */
const mostCharacters = 20_000;
const left = '…';

/** Languages whose blocks are defined by indentation. */
const indented: ReadonlySet<string> = new Set(['python', 'coffeescript', 'nim', 'gdscript']);

/** Declarations whose members describe them. */
const typeHead =
  /^\s*(?:(?:export|default|declare|public|private|protected|internal|abstract|final|sealed|static|data|case|pub(?:\([^)]*\))?|unsafe|partial|open)\s+)*(?:class|interface|enum|struct|trait|union|record|protocol|object|type)\b/;

/** Whether a declaration that starts like this is a type. */
function isTypeHead(line: string): boolean {
  return typeHead.test(line);
}

/**
 * The signature of the declaration that starts on a line, without function bodies, and cut if it's long. Works on the
 * text alone, so it's the same for every language. Empty if there are only comments or strings.
 * @param lines of the whole file
 * @param from the declaration's first line, counted from 0
 * @param to the line after its last, if known
 */
export function declarationOutline(
  lines: readonly string[],
  { from, to = lines.length }: { readonly from: number; readonly to?: number | undefined },
  language: string,
  depth: OutlineDepth,
): OutlineLines {
  const withMembers = depth === 'members' && lines.slice(from, from + mostHeadLines).some((line) => isTypeHead(line));
  const most = withMembers ? mostMemberLines : mostHeadLines;
  // Bodies are skipped, so more lines are read than kept.
  const read = lines
    .slice(from, Math.min(to, from + most * 25))
    .join('\n')
    .slice(0, mostCharacters);
  const outline = indented.has(language)
    ? byIndentation(read, withMembers, language)
    : byBraces(read, withMembers ? 1 : 0, language);
  const kept = outline.text
    .split('\n')
    .filter((line, index, all) => line.trim() !== '' || all[index - 1]?.trim() !== '');
  const cut = kept.length > most ? [...kept.slice(0, most), indentOf(kept[most - 1] ?? '') + left] : kept;
  const shown = unindented(cut);
  const declared = shown.join('\n').trimEnd();
  // The name of a module leads to its first line, which might only be the start of a comment.
  const text = /[\p{L}_]/u.test(maskedCode(declared, language)) ? declared : '';
  return { from, to: from + (depth === 'head' ? shown.length : outline.lines), text };
}

interface Outline {
  readonly text: string;
  /** Number of lines of the file that it stands for. */
  readonly lines: number;
}

/** Everything down to a depth of braces. A deeper block becomes `{ … }`. Ends with the declaration. */
function byBraces(text: string, keptDepth: number, language: string): Outline {
  const code = maskedCode(text, language);
  let [depth, round, at, kept] = [0, 0, 0, ''];
  const done = (end: number, more = ''): Outline => ({
    text: kept + more,
    lines: text.slice(0, end).split('\n').length,
  });
  for (; at < code.length; at += 1) {
    const character = code.charAt(at);
    if (character === '(' || character === '[') round += 1;
    else if (character === ')' || character === ']') round = Math.max(0, round - 1);
    else if (character === '{' && round === 0) {
      const end = closing(code, at);
      const inside = code.slice(at + 1, end).trim();
      if (inside === '' || isTypeLiteral(code.slice(0, at))) {
        kept += text.slice(at, end + 1);
        at = end;
        continue;
      }
      if (depth === keptDepth) {
        kept += `{ ${left} }`;
        at = end;
        if (depth === 0) return done(end);
        continue;
      }
      depth += 1;
    } else if (character === '}' && round === 0) {
      depth -= 1;
      if (depth <= 0) return done(at, character);
    } else if (depth === 0 && round === 0 && (character === ';' || endsStatement(code, at))) {
      return done(at, character === ';' ? character : '');
    }
    kept += text.charAt(at);
  }
  return done(code.length);
}

/** A line ending after which a declaration without a body can't continue. */
function endsStatement(code: string, at: number): boolean {
  if (code.charAt(at) !== '\n' || code.slice(0, at).trim() === '') return false;
  const before = code.slice(code.lastIndexOf('\n', at - 1) + 1, at).trim();
  const next = /\S.*/.exec(code.slice(at))?.[0] ?? '';
  // An attribute or a decorator is above its target.
  if (/^[@#]/.test(before) && !/[;}]$/.test(before)) return false;
  return (
    !/(?:[=,|&:+(<]|->|=>|\bwhere|\bextends|\bimplements)$/.test(before) &&
    !/^(?:[{|&.:?=)]|->|where\b|extends\b|implements\b|throws\b)/.test(next)
  );
}

/** `: {`, `| {`, and similar: an inline type, not a body. */
function isTypeLiteral(before: string): boolean {
  const text = before.trimEnd();
  return /[:|&<]$/.test(text) && !text.endsWith('=>');
}

function closing(code: string, open: number): number {
  let depth = 0;
  for (let at = open; at < code.length; at += 1) {
    if (code.charAt(at) === '{') depth += 1;
    else if (code.charAt(at) === '}' && (depth -= 1) === 0) return at;
  }
  return code.length - 1;
}

function byIndentation(text: string, withMembers: boolean, language: string): Outline {
  const lines = text.split('\n');
  const code = maskedCode(text, language).split('\n');
  const own = indentOf(lines[0] ?? '').length;
  let last = headEnd(code, 0);
  const kept = lines.slice(0, last + 1);
  const isAssignment = !/:\s*$/.test(code[last] ?? '');
  if (isAssignment) return { text: kept.join('\n'), lines: kept.length };
  const inner = code.slice(last + 1).find((line) => line.trim() !== '');
  const step = inner === undefined ? own : indentOf(inner).length;
  if (step <= own || !withMembers) return { text: kept.join('\n'), lines: kept.length };
  for (let at = last + 1; at < code.length; at += 1) {
    const line = code[at] ?? '';
    if (line.trim() === '') continue;
    const indent = indentOf(line).length;
    if (indent <= own) break;
    last = at;
    if (indent !== step || !/^\s*(?:async\s+def|def|class|@\w|\w+\s*[:=])/.test(line)) continue;
    const to = headEnd(code, at);
    kept.push(...lines.slice(at, to + 1));
    at = to;
    last = to;
  }
  return { text: kept.join('\n'), lines: last + 1 };
}

/** The last line of a head that starts here: its brackets are closed, and it isn't a decorator. */
function headEnd(code: readonly string[], from: number): number {
  let round = 0;
  for (let at = from; at < Math.min(code.length, from + mostHeadLines); at += 1) {
    const line = code[at] ?? '';
    for (const character of line) round += '([{'.includes(character) ? 1 : ')]}'.includes(character) ? -1 : 0;
    if (round <= 0 && !/^\s*@/.test(line)) return at;
  }
  return from;
}

/** The lines without the first one's indentation. */
function unindented(lines: readonly string[]): readonly string[] {
  const first = indentOf(lines[0] ?? '');
  return lines.map((line) => (line.startsWith(first) ? line.slice(first.length) : line.trimStart()));
}

function indentOf(line: string): string {
  return line.slice(0, line.length - line.trimStart().length);
}
