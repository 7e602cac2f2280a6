import { maxLanguageLength } from '../../../shared/messageLimits.ts';

/** The line that opens a fenced code block, and what it means for the lines after it. */
export interface CodeFence {
  /** Info string without surrounding white space, with escapes resolved. */
  readonly info: string;
  /** Matches the line that closes the block. */
  readonly close: RegExp;
  /** Number of spaces removed from the start of each line. */
  readonly indent: number;
}

const OPENING = /^( {0,3})(`{3,}(?=[^`\n]*$)|~{3,})([^\n]*)$/;
const ESCAPED_PUNCTUATION = /\\([\p{P}\p{S}])/gu;

/** Reads one line, without its line break, with marked's rules for fenced code. */
export function readOpeningFence(line: string): CodeFence | undefined {
  const match = OPENING.exec(line);
  if (match === null) return undefined;
  const [, spaces = '', marks = '', info = ''] = match;
  const mark = marks.charAt(0);
  return {
    info: info.trim().replace(ESCAPED_PUNCTUATION, '$1'),
    close: new RegExp(`^ {0,3}${mark}{${marks.length},} *$`),
    // marked only removes the indentation for backticks.
    indent: mark === '`' ? spaces.length : 0,
  };
}

/** A line of the block as it's shown: at most the fence's own indentation is removed. */
export function dedent(line: string, indent: number): string {
  if (indent === 0) return line;
  let spaces = 0;
  while (spaces < indent && /\s/.test(line.charAt(spaces))) spaces += 1;
  return line.slice(spaces);
}

/** The lines of a code token's text. marked adds one line break at the end. */
export function codeLines(text: string): string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}

/**
 * The language of an info string: its first word, cut at the first character that can't be part of a language's name.
 */
export function fenceLanguage(info: string): string {
  return (/^\S*/.exec(info)?.[0] ?? '').slice(0, maxLanguageLength);
}
