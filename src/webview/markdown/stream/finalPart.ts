import type { Token, Tokens } from 'marked';
import { paragraphEnd } from './boundedTokenizer.ts';
import { formulaReading } from './formulaReading.ts';
import { isVisible } from '../blocks/visibleToken.ts';

/** How much of the lexed blocks can't be changed by more text. */
export interface FinalPart {
  /** Number of final blocks, from the first. */
  readonly blocks: number;
  /** Number of final items or rows in the block after those, if it's a list or a table. */
  readonly parts: number;
}

/** {@link FinalPart} with what is needed to continue after it. */
export interface FinalText extends FinalPart {
  /** Length of the final text. */
  readonly chars: number;
  /** What must be before the rest so that it lexes as the continuation of a table. */
  readonly head: string;
  /** True if the final items make their list loose. */
  readonly isLoose: boolean;
}

const OPENS_DEFINITION = /^ {0,3}\[/;
const BLANK_LINE_INSIDE = /\n.*\n/;
const BLANK_LINE_AT_END = /\n[ \t]*\n[ \t]*$/;
/** Could still become a rule, a heading's underline, a list, a fence, a quote, or a table's header. */
const UNSETTLED = /^ {0,3}(?:[-=*+_~`#>|: \t]+|\d{1,9}[.)][ \t]*)$/;

/** `text` ends with a complete line, and `tokens` is its lexed form. */
export function finalPart(text: string, tokens: readonly Token[]): FinalText {
  let last = tokens.length - 1;
  while (last > 0 && isBlank(tokens[last])) last -= 1;

  let chars = 0;
  for (let i = 0; i < last; i += 1) {
    const token = tokens[i];
    if (token === undefined) break;
    // True for everything that marked returns. Otherwise, the text after this block would be cut in the wrong place.
    if (
      !text.startsWith(token.raw, chars) ||
      isOpenParagraph(token, text, chars) ||
      isOpenFormula(token, text, chars)
    ) {
      return { blocks: i, parts: 0, chars, head: '', isLoose: false };
    }
    chars += token.raw.length;
  }

  const open = tokens[last];
  if (open !== undefined && isVisible(open)) {
    if (open.type === 'list') return finalItems(open, text, last, chars);
    if (open.type === 'table' && !isOpenFormula(open, text, chars)) return finalRows(open, text, last, chars);
  }
  return { blocks: Math.max(last, 0), parts: 0, chars, head: '', isLoose: false };
}

/**
 * marked removes white space like U+00A0 from the end of a list and creates a separate block: a paragraph, or code
 * after a tab. The next line can still show that it belongs to the list.
 */
function isBlank(token: Token | undefined): boolean {
  return token?.raw.trim() === '';
}

/**
 * A definition can find its title, and a bracket its definition, anywhere in its paragraph, so none of it is certain
 * before that paragraph ends.
 */
function isOpenParagraph(token: Token, text: string, start: number): boolean {
  if (token.type !== 'def' && token.type !== 'heading' && token.type !== 'paragraph') return false;
  if (!OPENS_DEFINITION.test(token.raw)) return false;
  return start + paragraphEnd(text.slice(start)) >= text.length - 1;
}

/** What is at the end of these might be the start of a formula, whose lines aren't Markdown. */
function isOpenFormula(token: Token, text: string, start: number): boolean {
  if (token.type !== 'heading' && token.type !== 'paragraph' && token.type !== 'table') return false;
  const at = formulaReading.parts?.openFormulaIn(text, start, start + token.raw.length) ?? -1;
  return at !== -1;
}

function finalItems(list: Tokens.List, text: string, blocks: number, start: number): FinalText {
  const items = list.items.slice(0, -1);
  let chars = start;
  for (const item of items) {
    if (!text.startsWith(item.raw, chars)) return { blocks, parts: 0, chars: start, head: '', isLoose: false };
    chars += item.raw.length;
  }
  return { blocks, parts: items.length, chars, head: '', isLoose: items.some(isLooseItem) };
}

function isLooseItem(item: Tokens.ListItem): boolean {
  if (BLANK_LINE_AT_END.test(item.raw)) return true;
  return item.tokens.some((token) => token.type === 'space' && BLANK_LINE_INSIDE.test(token.raw));
}

function finalRows(table: Tokens.Table, text: string, blocks: number, start: number): FinalText {
  const headEnd = lineEnd(text, lineEnd(text, start));
  let chars = headEnd;
  let end = headEnd;
  let parts = 0;
  for (let i = 1; i < table.rows.length; i += 1) {
    end = lineEnd(text, end);
    // marked drops rows with nothing but white space at the start, so such a row can't start the rest.
    if (text.slice(end, lineEnd(text, end)).trim() === '') continue;
    chars = end;
    parts = i;
  }
  return { blocks, parts, chars: parts === 0 ? start : chars, head: text.slice(start, headEnd), isLoose: false };
}

function lineEnd(text: string, from: number): number {
  const at = text.indexOf('\n', from);
  return at === -1 ? text.length : at + 1;
}

/**
 * True if the line being written only has marks whose meaning depends on the next character, so that a list isn't drawn
 * as a heading for a moment.
 */
export function isUnsettledLine(line: string): boolean {
  return line.length < 40 && UNSETTLED.test(line);
}
