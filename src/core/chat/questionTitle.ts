import { cutEnd } from '../../words/inline.ts';
import { plainWords } from '../safety/plainWords.ts';

const TITLE_LENGTH = 60;

/** The beginning of a question as text, at most 60 characters. Code in it only counts if there's nothing else. */
export function questionTitle(text: string): string {
  const withoutCode = plainWords(withoutFences(text).trimStart());
  return cutEnd(withoutCode === '' ? plainWords(text) : withoutCode, TITLE_LENGTH);
}

/** Markdown without its blocks of code. */
export function withoutFences(markdown: string): string {
  return markdown.replace(/^ {0,3}(`{3,}|~{3,})[^]*?(?:^ {0,3}\1.*$|(?![^]))/gm, ' ');
}
