/** More characters than any row shows. */
const longest = 1000;

/** An address, as far as it's there: something in parentheses alone might be the arguments of a call. */
const target = String.raw`(?:[a-z][\w+.-]*:|[./#]|[^\s()]*[./])(?:[^\s()]|\([^\s()]*\))*(?:\s"[^"]*")?\)|[^\s)]*$`;
const word = String.raw`[\p{L}\p{N}\x60"'(\[~_“„‘«¿¡]`;

/** Only what stands around words, so that a power, a path, or an argument of Python keeps its characters. */
const markup = new RegExp(
  [
    String.raw`(?<ticks>\x60+)(?!\x60)(?<code>.+?)(?<!\x60)\k<ticks>(?!\x60)`,
    String.raw`(?<![\w\])])!?\[(?<link>[^\][]*)\]\((?:${target})`,
    String.raw`(?<![\w*/\\.])(?<stars>\*{2,3})(?=${word})(?<bold>.+?)(?<![\s*])\k<stars>(?![\w*])`,
    String.raw`(?<![\w~])~~(?=${word})(?<struck>.+?)(?<![\s~])~~(?![\w~])`,
    String.raw`(?<=^|[\s(])(?<mark>[*_])(?![*_\s])(?<emphasized>[^*_]+)(?<!\s)\k<mark>(?=[\s).,:;!?]|$)`,
  ].join('|'),
  'gisu',
);

/**
 * The text of a short piece of Markdown on one line, for rows that don't render it: without the markup of headings,
 * emphasis, code, links, and lists. The piece can be cut off anywhere, so this isn't a parser: what might not be markup
 * stays.
 */
export function plainWords(markdown: string): string {
  const words = markdown
    .slice(0, longest)
    .trimStart()
    .replace(/^(?:[-*+]|>+)\s/, '')
    .replace(/^[^\S\n]*#{1,6}(?=\s|$)/gm, '')
    .replace(/(^|\s)```[\w-]*(?=\s|$)/g, '$1');
  return withoutMarkup(words).replace(/\s+/g, ' ').trim().toWellFormed();
}

function withoutMarkup(text: string): string {
  let plain = '';
  let end = 0;
  for (const { 0: whole, index, groups = {} } of text.matchAll(markup)) {
    const { code, link, bold, struck, emphasized } = groups;
    plain += text.slice(end, index) + (code ?? withoutMarkup(link ?? bold ?? struck ?? emphasized ?? ''));
    end = index + whole.length;
  }
  return plain + text.slice(end);
}
