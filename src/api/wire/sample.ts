/** Longest text of a foreign answer that is quoted. */
const defaultLimit = 200;

/**
 * The beginning of what came, fit to be quoted: at most 200 characters unless said otherwise, control, bidirectional and
 * invisible characters escaped, blanks run together.
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
