import { readContextBlocks } from '../chat/contextBlock.ts';

/** More characters than any row shows. */
const longestAsked = 200;

/** The question on one line, without attachments; undefined without one. @param asked as it was sent */
export function askedWords(asked: string): string | undefined {
  const { pieces, words } = readContextBlocks(asked);
  const line = (words.trim() === '' ? (pieces[0]?.heading ?? '') : words).replace(/\s+/g, ' ').trim();
  const start = Array.from(line.slice(0, 2 * longestAsked))
    .slice(0, longestAsked)
    .join('');
  return start === '' ? undefined : start;
}
