import { readContextBlocks } from '../chat/contextBlock.ts';
import { withoutFences } from '../chat/questionTitle.ts';
import { cutEnd } from '../../words/inline.ts';

/** More characters than any row shows. */
const longestAsked = 200;

/**
 * The question on one line, as Markdown, without attachments; undefined without one. Code in it only counts if there's
 * nothing else.
 * @param asked as it was sent
 */
export function askedWords(asked: string): string | undefined {
  const { pieces, words } = readContextBlocks(asked);
  const prose = withoutFences(words);
  const question = prose.trim() === '' ? words : prose;
  const line = (question.trim() === '' ? (pieces[0]?.heading ?? '') : question).replace(/\s+/g, ' ').trim();
  return line === '' ? undefined : cutEnd(line, longestAsked);
}
