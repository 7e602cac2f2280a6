import { inline } from '../../words/inline.ts';

/** A stranger's text as plain text in Markdown: no link, no picture, no markup, one bounded line. */
export function markdownText(text: string, maxLength = 300): string {
  // Every sign that Markdown knows, the colon too: without it no address turns into a link.
  return inline(text, maxLength).replace(/[!-/:-@[-`{-~]/g, (sign) =>
    sign === '&' || sign === '<' ? `&#${sign.charCodeAt(0)};` : `\\${sign}`,
  );
}
