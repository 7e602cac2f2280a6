import { answerCode, withoutOuterFence } from './answerCode.ts';
import { commonIndent, type IndentStyle, leadingSpace, reindent, styled, styleOf, withStyle } from './indentation.ts';
import { applyHunks, lineHunks } from './lineMerge.ts';

/** The text that a reply replaces, and its surroundings. Line breaks are `\n`. */
export interface ReplacedText {
  readonly text: string;
  /** What is before it on its first line. */
  readonly before: string;
  readonly style: IndentStyle;
  /** True for Markdown and similar languages, where prose and fences are content too. */
  readonly isProse: boolean;
}

/**
 * A reply as it's inserted instead of the replaced text: without a fence, with the text's indentation and its blank
 * lines before and after. Lines that the reply doesn't change stay exactly the same.
 * @param isComplete false while the reply is being written: the result is what's certain so far
 */
export function placedCode(answer: string, replaced: ReplacedText, isComplete: boolean): string {
  const { text: base, isProse } = replaced;
  const isFenced = /^\s*(`{3,}|~{3,})/.test(base);
  // A reply to an example of Markdown is one too.
  const isExample = /^\s*(`{3,}|~{3,})\s*(markdown|md)\b/i.test(base);
  const given =
    isProse && isFenced
      ? ((isExample ? undefined : withoutOuterFence(answer, isComplete)) ?? answer.replaceAll('\r\n', '\n'))
      : answerCode(answer, { isComplete, dropWords: !isProse, replaced: base }).text;
  const code = withinBlankLines(given).text;
  if (code === '') return '';
  const { lead, text, end } = withinBlankLines(base, replaced.before);
  // A selection can start at the end of the line above.
  const before = lead === '' ? replaced.before : '';
  return lead + placedLines(code, { ...replaced, text, before }, isComplete) + (isComplete ? end : '');
}

function placedLines(code: string, { text, before, ...replaced }: ReplacedText, isComplete: boolean): string {
  // There's no indentation in the middle of a line.
  if (before.trim() !== '') return code;
  const whole = before + text;
  const style = styleOf(whole, replaced.style);
  const base = styled(whole, style);
  const placed = isIndentedLike(code, text, style)
    ? styled(before + code, style)
    : reindent(code, commonIndent(base.split('\n')), style, isComplete ? 'least' : 'first');
  const result = isComplete ? applyHunks(whole, lineHunks(base, placed)) : placed;
  // Text before the selection isn't replaced.
  const known = [before, withStyle(before, style)].find((space) => result.startsWith(space));
  return result.slice((known ?? leadingSpace(result)).length);
}

/**
 * Whether a reply to a text that starts within its first line's indentation continues like that text: then its lines
 * are indented correctly, but the first one isn't.
 */
function isIndentedLike(code: string, text: string, style: IndentStyle): boolean {
  const [first = '', ...rest] = styled(code, style).split('\n');
  const [baseFirst = '', ...baseRest] = styled(text, style).split('\n');
  if (rest.length === 0 || baseRest.length === 0 || leadingSpace(first) !== leadingSpace(baseFirst)) return false;
  return commonIndent(rest).startsWith(commonIndent(baseRest));
}

interface WithinBlankLines {
  readonly lead: string;
  readonly text: string;
  readonly end: string;
}

/** @param before what is before it on its first line */
function withinBlankLines(whole: string, before = ''): WithinBlankLines {
  const isBlank = whole.trim() === '';
  const blank = whole.slice(0, whole.length - whole.trimStart().length);
  const lead = isBlank && before.trim() === '' ? '' : blank.slice(0, blank.lastIndexOf('\n') + 1);
  const after = isBlank ? blank : whole.slice(whole.trimEnd().length);
  const end = after.includes('\n') ? after.slice(after.indexOf('\n')) : '';
  if (isBlank) return { lead, text: '', end: lead === '' ? end : '\n' };
  return { lead, text: whole.slice(lead.length, whole.length - end.length), end };
}
