/** How a language marks what isn't code. */
interface Marks {
  readonly line: readonly string[];
  readonly block?: readonly [string, string];
  /** Longest first. */
  readonly quotes: readonly string[];
}

const cLike: Marks = { line: ['//'], block: ['/*', '*/'], quotes: ['"', "'", '`'] };
const hash: Marks = { line: ['#'], quotes: ['"', "'", '`'] };
const python: Marks = { line: ['#'], quotes: ['"""', "'''", '"', "'"] };
// A single quote starts a lifetime as often as a character.
const rust: Marks = { line: ['//'], block: ['/*', '*/'], quotes: ['"'] };

const marksOf: Readonly<Record<string, Marks>> = {
  python,
  rust,
  ruby: hash,
  shellscript: hash,
  perl: hash,
  r: hash,
  elixir: hash,
  julia: hash,
};

/**
 * The text with a space for each character of a comment or a string, so that all offsets stay the same. Line breaks are
 * kept. A string with a single-character quote ends at the end of its line at the latest, so that a stray apostrophe
 * hides no more than that.
 * @param language VS Code's language ID
 */
export function maskedCode(text: string, language: string): string {
  const marks = marksOf[language] ?? cLike;
  let masked = '';
  let done = 0;
  const starts = startsOf(marks);
  // Most characters start nothing, and files can be long.
  for (let found = starts.exec(text); found !== null; found = starts.exec(text)) {
    const end = hiddenEnd(text, found.index, marks);
    if (end === undefined) continue;
    masked += text.slice(done, found.index) + text.slice(found.index, end).replaceAll(/[^\n\r]/g, ' ');
    done = end;
    starts.lastIndex = end;
  }
  return masked + text.slice(done);
}

/** Finds the characters that a comment or a string can start with. */
function startsOf({ line, block = ['', ''], quotes }: Marks): RegExp {
  return new RegExp(`[${[...line, block[0], ...quotes].map((mark) => mark.charAt(0)).join('')}]`, 'g');
}

/** The end of the comment or string that starts here; undefined if there's none. */
function hiddenEnd(text: string, at: number, { line, block, quotes }: Marks): number | undefined {
  if (line.some((mark) => text.startsWith(mark, at))) return endOfLine(text, at);
  if (block !== undefined && text.startsWith(block[0], at)) return after(text, block[1], at + block[0].length);
  const quote = quotes.find((mark) => text.startsWith(mark, at));
  return quote === undefined ? undefined : stringEnd(text, at, quote);
}

function stringEnd(text: string, at: number, quote: string): number {
  const isOfOneLine = quote.length === 1 && quote !== '`';
  for (let index = at + quote.length; index < text.length; index += 1) {
    if (text.charAt(index) === '\\') index += 1;
    else if (text.startsWith(quote, index)) return index + quote.length;
    else if (isOfOneLine && text.charAt(index) === '\n') return index;
  }
  return text.length;
}

function after(text: string, mark: string, from: number): number {
  const found = text.indexOf(mark, from);
  return found < 0 ? text.length : found + mark.length;
}

function endOfLine(text: string, from: number): number {
  const found = text.indexOf('\n', from);
  return found < 0 ? text.length : found;
}
