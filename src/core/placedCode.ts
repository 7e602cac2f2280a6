import { answerCode } from './answerCode.ts';
import { commonIndent, type IndentStyle, leadingSpace, reindent } from './indentation.ts';

/** The text that an answer is to replace, and what is around it. Line ends are `\n`. */
export interface ReplacedText {
  readonly text: string;
  /** What stands on its first line before it. */
  readonly before: string;
  readonly style: IndentStyle;
  /** True for Markdown and the like, where words and fences are text too. */
  readonly isProse: boolean;
}

/** An answer as it is to stand in the place of the replaced text: no fence, its indentation, its last line end. */
export function placedCode(answer: string, replaced: ReplacedText, isComplete: boolean): string {
  const { text: base, before, style, isProse } = replaced;
  const isFenced = /^\s*(`{3,}|~{3,})/.test(base);
  const code =
    isProse && isFenced
      ? answer.replaceAll('\r\n', '\n').trim()
      : answerCode(answer, { isComplete, dropWords: !isProse }).text.replace(/^\n+|\n+$/g, '');
  if (code === '') return '';
  const end = isComplete ? (/\n*$/.exec(base)?.[0] ?? '') : '';
  // In the middle of a line there is no indentation to speak of.
  if (before.trim() !== '') return code + end;
  const [first = ''] = base.split('\n');
  const indent = commonIndent([before + first, ...base.split('\n').slice(1)]);
  const placed = reindent(code, indent, style, isComplete ? 'least' : 'first');
  // What stands before the selection is not replaced.
  const known = leadingSpace(placed).startsWith(before) ? before.length : leadingSpace(placed).length;
  return placed.slice(known) + end;
}
