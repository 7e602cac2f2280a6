/** Maximum length of a foreign response's text that is quoted. */
const defaultLimit = 200;

/**
 * The beginning of a response, safe to quote: at most 200 characters by default, with control, bidirectional, and
 * invisible characters escaped, and white space collapsed.
 */
export function sampleOf(text: string, limit = defaultLimit): string {
  const start = text
    .slice(0, limit * 4)
    .replace(/\s+/g, ' ')
    .trim();
  const escaped = start.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu, escapeOf);
  if (escaped.length <= limit) return escaped;
  // Not in the middle of a surrogate pair.
  return `${escaped.slice(0, limit - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

function escapeOf(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
