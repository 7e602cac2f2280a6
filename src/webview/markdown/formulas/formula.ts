import type { FormulaToken } from '../stream/formulaToken.ts';

/** Maximum length of an inline formula's LaTeX. */
const MAX_INLINE_CHARS = 1000;
/** Maximum length of a display formula's LaTeX. */
const MAX_BLOCK_CHARS = 3000;

const BLOCK_OPENING = /^ {0,3}(\$\$(?!\$)|\\\[)/;
const REST_OF_LINE = /[ \t]*(?:\n|$)/y;
const BLANK_LINE = /\n[ \t]*\n/;
/** Letters after a formula, as in "the $n$th". With any other letter, the dollars mark variables or prices. */
const AFTER_DOLLAR = /(?![A-Za-z\d{_$])|(?=(?:st|nd|rd|th|s)\b)/y;
const WORD_CHARACTER = /[A-Za-z\d$]/;
/** Between a formula and what comes after it, these are two variables of a shell: `$HOME/$*`, `$0-$@`. */
const JOINED_VARIABLES = /[/:=@,+-]\$[*@!#?]/y;
/** Before a parenthesis, anything else is more likely a shell's variable with a command after it: `$USER@$(hostname)`. */
const BEFORE_PARENTHESIS = /^(?:\p{L}|(?!\().*[\\^].*)$/su;
/** A number, and nothing that only formulas have. */
const MAYBE_PRICE = /^-?(?:\d[\d.,]*|\.\d+)[kKMB]?(?![^]*[\\^_{}=+*|<>\p{Sm}])/u;
/**
 * After the number of a price: words, as in `$5 or 7$ each` and `$5 à 7$`, another script, or a parenthesis that isn't
 * closed, as in `$3.50 (US$)`. A short word at the end can be variables or a unit: `$3 xy$`, `$5 kg$`.
 */
const AFTER_PRICE = new RegExp(
  [
    String.raw`^\s*(?![\p{Script=Latin}\p{Script=Greek}])\p{L}`,
    String.raw`(?<![\p{L}\d]|^)(?!(?:mod|sin|cos|tan|log|exp|max|min|gcd|lcm|det|dim|div|lim)(?!\p{L}))\p{L}{3}`,
    String.raw`^\s+\p{L}{1,2}\s+(?:\d|\p{L}{2})`,
    String.raw`\([^)]*$`,
  ].join('|'),
  'u',
);
/** Brackets are escaped in prose too: `\[citation needed\]`. And punctuation alone isn't a formula. */
const PROSE = /^(?:(?=[\s\S]*\p{Ll}{4})[\p{L}\p{M}\s.,;:!?'"-]*|[^\p{L}\p{N}]*)$/u;
/** `\[x\]`: a task that is done. */
const CHECKED = /^[xX]$/;
/** Price levels, `($$) and ($$)` and `$$$ or $$`, and the ID of a shell's process in `>$$.log; cat $$.log`. */
const BETWEEN_DOUBLE_DOLLARS = /^(?:[$)]|\.[A-Za-z])/;
/**
 * Words between spaced double dollars and nothing that only LaTeX has: prices from `$$ to $$`, `echo $$ > a; kill $$`.
 * GitHub, VS Code, and KaTeX typeset even these, but a formula like that can be read as it is, and typeset words can't.
 */
const SPACED_WORDS = /^\s(?![\s\S]*[\\^_{}=])[\s\S]*\p{Ll}{2}/u;
/** `\[not a link\](…)`. */
const AFTER_LINK_TEXT = /[([:]/;

/** A display formula at the start of `src`. */
export function formulaBlockAt(src: string): FormulaToken | undefined {
  const opening = BLOCK_OPENING.exec(src);
  if (opening === null) return undefined;
  const start = opening[0].length;
  const close = closingMark(src, start, start + MAX_BLOCK_CHARS, opening[1] === '$$' ? '$$' : '\\]');
  if (close === -1) return undefined;
  REST_OF_LINE.lastIndex = close + 2;
  const text = src.slice(start, close);
  // No formula contains a blank line, not even in LaTeX, so a stream never waits long for its end.
  if (!REST_OF_LINE.test(src) || BLANK_LINE.test(text)) return undefined;
  if (opening[1] !== '$$' && readsAsProse(text, '\\]')) return undefined;
  return formula(src.slice(0, REST_OF_LINE.lastIndex), text, true);
}

/** Where a display formula starts in `src`, before `end` and not in the first line; -1 if there's none. */
export function formulaBlockIn(src: string, end: number): number {
  for (const start of lineStarts(src, 0, end))
    if (start > 0 && formulaBlockAt(src.slice(start)) !== undefined) return start;
  return -1;
}

/**
 * Where the lines start, in this part of `text`, that more text could turn into a formula; -1 if there are none. This
 * part has no blank line.
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

/** True if `src` might contain a formula, so that it's worth searching. */
export function mayHoldFormula(src: string): boolean {
  return src.includes('$') || src.includes('\\(') || src.includes('\\[');
}

/** A formula at the start of inline text. `before` is the character before it, if any. */
export function formulaAt(src: string, before: string): FormulaToken | undefined {
  if (src.startsWith('$$')) return spelledOut(src, '$$', before !== '$');
  if (src.startsWith('$')) return WORD_CHARACTER.test(before) ? undefined : betweenDollars(src);
  if (src.startsWith('\\(')) return spelledOut(src, '\\)', true);
  if (src.startsWith('\\[')) return spelledOut(src, '\\]', true);
  return undefined;
}

/**
 * The text in which emphasis looks for its delimiters, with the formulas of `src` masked. Where `masked` differs from
 * `src`, something else was found already, for example code.
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

/**
 * With the rules of pandoc and GitHub: no space just inside the dollars, no digit after them, and no other dollar in
 * between.
 */
function betweenDollars(src: string): FormulaToken | undefined {
  if (/^\$[\s$]/.test(src)) return undefined;
  const close = closingDollar(src);
  if (close === -1 || /\s/.test(src.charAt(close - 1))) return undefined;
  AFTER_DOLLAR.lastIndex = close + 1;
  if (!AFTER_DOLLAR.test(src)) return undefined;
  const text = src.slice(1, close);
  // A price in code.
  if (text.includes('`')) return undefined;
  if (src.charAt(close + 1) === '(' && !BEFORE_PARENTHESIS.test(text)) return undefined;
  if (isPrice(text)) return undefined;
  JOINED_VARIABLES.lastIndex = close - 1;
  if (JOINED_VARIABLES.test(src)) return undefined;
  return formula(src.slice(0, close + 1), text, false);
}

function isPrice(text: string): boolean {
  const number = MAYBE_PRICE.exec(text)?.[0];
  return number !== undefined && AFTER_PRICE.test(text.slice(number.length));
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
  if (readsAsProse(text, mark)) return undefined;
  if (mark === '$$' && (!isEvenlySpaced(text) || BETWEEN_DOUBLE_DOLLARS.test(text) || SPACED_WORDS.test(text)))
    return undefined;
  AFTER_DOLLAR.lastIndex = close + 2;
  if (mark === '$$' && !AFTER_DOLLAR.test(src)) return undefined;
  if (mark === '\\]' && AFTER_LINK_TEXT.test(src.charAt(close + 2))) return undefined;
  return formula(src.slice(0, close + 2), text, mark !== '\\)');
}

function readsAsProse(text: string, mark: string): boolean {
  const trimmed = text.trim();
  return PROSE.test(trimmed) || (mark === '\\]' && CHECKED.test(trimmed));
}

/** Both ends of a formula have a space, or neither has. */
function isEvenlySpaced(text: string): boolean {
  return /^\s/.test(text) === /\s$/.test(text);
}

/** The first `mark` that isn't escaped; -1 if there's none before `end`. */
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
