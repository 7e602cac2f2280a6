import { answerCode } from './answerCode.ts';
import { commonIndent, type IndentStyle, leadingSpace, reindent, styled, styleOf, withStyle } from './indentation.ts';
import { applyHunks, lineHunks } from './lineMerge.ts';

/** The text that an answer is to replace, and what is around it. Line ends are `\n`. */
export interface ReplacedText {
  readonly text: string;
  /** What stands on its first line before it. */
  readonly before: string;
  readonly style: IndentStyle;
  /** True for Markdown and the like, where words and fences are text too. */
  readonly isProse: boolean;
}

/**
 * An answer as it is to stand in the place of the replaced text: no fence, its indentation, its blank lines before and
 * after. Lines that the answer leaves as they were are so to the last character.
 *
 * @param isComplete false while the answer is being written: then it is what can be told of it so far
 */
export function placedCode(answer: string, replaced: ReplacedText, isComplete: boolean): string {
  const { text: base, isProse } = replaced;
  const isFenced = /^\s*(`{3,}|~{3,})/.test(base);
  const given =
    isProse && isFenced
      ? answer.replaceAll('\r\n', '\n')
      : answerCode(answer, { isComplete, dropWords: !isProse, replaced: base }).text;
  const code = withinBlankLines(given).text;
  if (code === '') return '';
  const { lead, text, end } = withinBlankLines(base, replaced.before);
  // A selection may begin at the end of the line above.
  const before = lead === '' ? replaced.before : '';
  return lead + placedLines(code, { ...replaced, text, before }, isComplete) + (isComplete ? end : '');
}

function placedLines(code: string, { text, before, ...replaced }: ReplacedText, isComplete: boolean): string {
  // In the middle of a line there is no indentation to speak of.
  if (before.trim() !== '') return code;
  const whole = before + text;
  const style = styleOf(whole, replaced.style);
  const base = styled(whole, style);
  const placed = isIndentedLike(code, text, style)
    ? styled(before + code, style)
    : reindent(code, commonIndent(base.split('\n')), style, isComplete ? 'least' : 'first');
  const result = isComplete ? applyHunks(whole, lineHunks(base, placed)) : placed;
  // What stands before the selection is not replaced.
  const known = [before, withStyle(before, style)].find((space) => result.startsWith(space));
  return result.slice((known ?? leadingSpace(result)).length);
}

/**
 * Whether an answer to a text that begins within its first line's indentation goes on as the text does: then the
 * indentation of its lines is right, and the first one's is not that of the others.
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

/** @param before what stands on its first line before it */
function withinBlankLines(whole: string, before = ''): WithinBlankLines {
  const isBlank = whole.trim() === '';
  const blank = whole.slice(0, whole.length - whole.trimStart().length);
  const lead = isBlank && before.trim() === '' ? '' : blank.slice(0, blank.lastIndexOf('\n') + 1);
  const after = isBlank ? blank : whole.slice(whole.trimEnd().length);
  const end = after.includes('\n') ? after.slice(after.indexOf('\n')) : '';
  if (isBlank) return { lead, text: '', end: lead === '' ? end : '\n' };
  return { lead, text: whole.slice(lead.length, whole.length - end.length), end };
}
