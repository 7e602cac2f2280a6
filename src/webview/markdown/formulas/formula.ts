import type { FormulaToken } from '../stream/formulaToken.ts';

/** LaTeX of one formula that is in a line. */
const MAX_INLINE_CHARS = 1000;
/** LaTeX of one formula that has lines of its own. */
const MAX_BLOCK_CHARS = 3000;

const BLOCK_OPENING = /^ {0,3}(\$\$(?!\$)|\\\[)/;
const REST_OF_LINE = /[ \t]*(?:\n|$)/y;
const BLANK_LINE = /\n[ \t]*\n/;
/** As in "the $n$th"; any other letter means that the dollars are signs of variables, or of prices. */
const AFTER_DOLLAR = /(?![A-Za-z\d{_$])|(?=(?:st|nd|rd|th|s)\b)/y;
const WORD_CHARACTER = /[A-Za-z\d$]/;
/** Brackets are escaped in prose too: `\[citation needed\]`, `\[x\]`; and punctuation alone is no formula. */
const PROSE = /^(?:(?=[\s\S]*\p{Ll}{4}|[xX]$)[\p{L}\p{M}\s.,;:!?'"-]*|[^\p{L}\p{N}]*)$/u;
/** `\[not a link\](…)`. */
const AFTER_LINK_TEXT = /[([:]/;

/** A formula that has whole lines at the start of `src`. */
export function formulaBlockAt(src: string): FormulaToken | undefined {
  const opening = BLOCK_OPENING.exec(src);
  if (opening === null) return undefined;
  const start = opening[0].length;
  const close = closingMark(src, start, start + MAX_BLOCK_CHARS, opening[1] === '$$' ? '$$' : '\\]');
  if (close === -1) return undefined;
  REST_OF_LINE.lastIndex = close + 2;
  const text = src.slice(start, close);
  // No formula goes over a blank line, in LaTeX neither: so a stream never waits long for its end.
  if (!REST_OF_LINE.test(src) || BLANK_LINE.test(text)) return undefined;
  if (opening[1] !== '$$' && PROSE.test(text.trim())) return undefined;
  return formula(src.slice(0, REST_OF_LINE.lastIndex), text, true);
}

/** Where a formula with lines of its own begins in `src`, before `end` and not in the first line; -1 when none does. */
export function formulaBlockIn(src: string, end: number): number {
  for (const start of lineStarts(src, 0, end))
    if (start > 0 && formulaBlockAt(src.slice(start)) !== undefined) return start;
  return -1;
}

/**
 * Where the lines begin, in this part of `text`, that more text could make a formula of; -1 when there are none. No
 * blank line is in this part.
 */
export function openFormulaIn(text: string, start: number, end: number): number {
  if (BLANK_LINE.test(text.slice(start))) return -1;
  for (const line of lineStarts(text, start, end)) {
    const opening = BLOCK_OPENING.exec(text.slice(line));
    if (opening === null || text.length > line + MAX_BLOCK_CHARS) continue;
    const inside = line + opening[0].length;
    if (closingMark(text, inside, text.length, opening[1] === '$$' ? '$$' : '\\]') === -1) return line;
  }
  return -1;
}

/** True when `src` may hold a formula, so that it's worth looking for one. */
export function mayHoldFormula(src: string): boolean {
  return src.includes('$') || src.includes('\\(') || src.includes('\\[');
}

/** A formula at the start of inline text. `before` is the character before it, if there is one. */
export function formulaAt(src: string, before: string): FormulaToken | undefined {
  if (src.startsWith('$$')) return spelledOut(src, '$$', before !== '$');
  if (src.startsWith('$')) return WORD_CHARACTER.test(before) ? undefined : betweenDollars(src);
  if (src.startsWith('\\(')) return spelledOut(src, '\\)', true);
  if (src.startsWith('\\[')) return spelledOut(src, '\\]', true);
  return undefined;
}

/**
 * What emphasis may look for its marks in, with the formulas of `src` made unreadable. Where `masked` differs from
 * `src` something else has been found already, such as code.
 */
export function withoutFormulas(masked: string, src: string): string {
  let result = '';
  let done = 0;
  for (let at = 0; at < src.length; at += 1) {
    const character = src.charAt(at);
    if (character !== '$' && character !== '\\') continue;
    if (masked.charAt(at) === 'a') continue;
    const found = formulaAt(src.slice(at, at + MAX_INLINE_CHARS + 4), src.charAt(at - 1));
    if (found === undefined) {
      if (character === '\\') at += 1;
      continue;
    }
    result += masked.slice(done, at) + 'a'.repeat(found.raw.length);
    done = at + found.raw.length;
    at = done - 1;
  }
  return result + masked.slice(done);
}

/** As pandoc and GitHub read it: no space inside the dollars, no digit after them, and no other dollar between. */
function betweenDollars(src: string): FormulaToken | undefined {
  if (/^\$[\s$]/.test(src)) return undefined;
  const close = closingDollar(src);
  if (close === -1 || /\s/.test(src.charAt(close - 1))) return undefined;
  AFTER_DOLLAR.lastIndex = close + 1;
  if (!AFTER_DOLLAR.test(src)) return undefined;
  // `$(a)/$(b)` and a price in code are no formulas.
  const text = src.slice(1, close);
  if (text.includes('`') || (text.startsWith('(') && src.charAt(close + 1) === '(')) return undefined;
  return formula(src.slice(0, close + 1), text, false);
}

function closingDollar(src: string): number {
  const end = Math.min(src.length, MAX_INLINE_CHARS);
  for (let at = 1; at < end; at += 1) {
    if (src.charAt(at) === '$') return at;
    if (src.charAt(at) === '\\') at += 1;
  }
  return -1;
}

function spelledOut(src: string, mark: string, mayOpen: boolean): FormulaToken | undefined {
  if (!mayOpen) return undefined;
  const close = closingMark(src, 2, Math.min(src.length, MAX_INLINE_CHARS), mark);
  if (close === -1) return undefined;
  const text = src.slice(2, close);
  if (text.includes('`')) return undefined;
  if (mark !== '$$' && PROSE.test(text.trim())) return undefined;
  if (mark === '\\]' && AFTER_LINK_TEXT.test(src.charAt(close + 2))) return undefined;
  return formula(src.slice(0, close + 2), text, mark !== '\\)');
}

/** Where `mark` is the first of its kind that isn't escaped; -1 when it isn't before `end`. */
function closingMark(src: string, start: number, end: number, mark: string): number {
  for (let at = src.indexOf(mark, start); at !== -1 && at < end; at = src.indexOf(mark, at + 1)) {
    let backslashes = 0;
    while (at - backslashes > start && src.charAt(at - backslashes - 1) === '\\') backslashes += 1;
    if (backslashes % 2 === 0) return at;
  }
  return -1;
}

function formula(raw: string, text: string, isDisplayed: boolean): FormulaToken | undefined {
  const trimmed = text.trim();
  return trimmed === '' ? undefined : { type: 'formula', raw, text: trimmed, isDisplayed };
}

function* lineStarts(text: string, start: number, end: number): Generator<number> {
  for (let at = start; at < end;) {
    yield at;
    const lineEnd = text.indexOf('\n', at);
    if (lineEnd === -1) return;
    at = lineEnd + 1;
  }
}
