import { inline } from '../../words/inline.ts';

/** Untrusted text as plain text in Markdown: no link, no image, no markup, one bounded line. */
export function markdownText(text: string, maxLength = 300): string {
  // Every character that is special in Markdown, including the colon: without it, no URL turns into a link.
  return inline(text, maxLength).replace(/[!-/:-@[-`{-~]/g, (sign) =>
    sign === '&' || sign === '<' ? `&#${sign.charCodeAt(0)};` : `\\${sign}`,
  );
}
