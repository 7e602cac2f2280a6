/**
 * The text of a short piece of Markdown on one line, for rows that don't render it: without the markup of headings,
 * emphasis, code, links, and lists. The piece can be cut off anywhere, so this isn't a parser.
 */
export function plainWords(markdown: string): string {
  return markdown
    .replace(/!?\[([^\]]*)\]\([^)]*\)?/g, '$1')
    .replace(/^\s*(?:[-*+]|>+)\s/, '')
    .replace(/(^|\s)(?:#{1,6}|```[\w-]*)(?=\s|$)/g, '$1')
    .replace(/(\*\*|~~|`+)/g, '')
    .replace(/(^|[\s(])([*_])(?![*_\s])([^*_]+)\2(?=[\s).,:;!?]|$)/g, '$1$3')
    .replace(/\s+/g, ' ')
    .trim();
}
