/** More characters than any row shows. */
const longest = 1000;

// Ends with opening quotes and marks: “„‘«¿¡
const word = String.raw`[\p{L}\p{N}\x60"'(\[~_\u201C\u201E\u2018\xAB\xBF\xA1]`;
/** An address: something in parentheses alone might be the arguments of a call. */
const target = String.raw`(?=[a-z][\w+.-]*:|[./#]|[^\s()]*[./])(?:[^\s()]|\([^\s()]*\))*(?:\s"[^"]*")?\)`;

/**
 * Only what stands around words, so that a power, a path, or an argument of Python keeps its characters. Of code, bold,
 * and struck words only how they start.
 */
const markup = new RegExp(
  [
    String.raw`(?<marker>\x60+|(?<![\w*/\\.])\*{2,3}(?=${word})|(?<![\w~])~~(?=${word}))`,
    String.raw`(?<![\w\])])!?\[(?<link>[^\][]*)\]\((?<target>${target})?`,
    String.raw`(?<=^|[\s(])(?<mark>[*_])(?![*_\s])(?<emphasized>[^*_]+)(?<!\s)\k<mark>(?=[\s).,:;!?]|$)`,
  ].join('|'),
  'giu',
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

type Ends = ReadonlyMap<string, number[]>;

/** Takes one pass, however many pieces of markup have no end: a piece is read on only once its end is known. */
function withoutMarkup(text: string): string {
  if (!/[\x60*_~[]/.test(text)) return text;
  let ends: Ends | undefined;
  let lastWord: number | undefined;
  let plain = '';
  let end = 0;
  for (let from = 0; ;) {
    markup.lastIndex = from;
    const found = markup.exec(text);
    if (found === null) return plain + text.slice(end);
    const { 0: whole, index, groups: { marker, link, target: address, emphasized } = {} } = found;
    const opened = index + whole.length;
    if (marker !== undefined) {
      const closing = endOf((ends ??= endsIn(text)), marker, opened);
      from = closing === undefined ? opened : closing.at + closing.length;
      if (closing === undefined) continue;
      const inner = text.slice(opened, closing.at);
      plain += text.slice(end, opened - closing.length) + (marker.startsWith('`') ? inner : withoutMarkup(inner));
      end = from;
      continue;
    }
    const isWhole = link === undefined || address !== undefined;
    // Not a link, but what is in its brackets might be markup.
    if (!isWhole && opened < (lastWord ??= /^.*[\s)]/s.exec(text)?.[0].length ?? 0)) {
      from = index + 1;
      continue;
    }
    plain += text.slice(end, index) + withoutMarkup(link ?? emphasized ?? '');
    from = end = isWhole ? opened : text.length;
  }
}

/** Where code, bold, and struck words can end, by the character and the number of its marker, in order. */
function endsIn(text: string): Ends {
  const markers = text.matchAll(/`+|(?<![\s*])\*{2,3}(?![\w*])|(?<![\s~])~~(?![\w~])/giu);
  const ends = Map.groupBy(markers, ([marker]) => `${marker[0]}${marker.length}`);
  return new Map(Array.from(ends, ([key, found]) => [key, found.map(({ index }) => index)]));
}

/**
 * The nearest end of what starts before `from`. Of a row of backticks, only the last few might have an end. What was
 * asked for once isn't asked for from further up again.
 */
function endOf(ends: Ends, marker: string, from: number): { readonly at: number; readonly length: number } | undefined {
  const least = marker.startsWith('`') ? 1 : marker.length;
  for (let { length } = marker; length >= least; length--) {
    const found = ends.get(`${marker[0]}${length}`) ?? [];
    while ((found[0] ?? from) < from) found.shift();
    const [at] = found;
    if (at !== undefined) return { at, length };
  }
  return undefined;
}
