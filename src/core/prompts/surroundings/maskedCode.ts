/** How a language marks what isn't code. */
interface Marks {
  readonly line: readonly string[];
  readonly block?: readonly [string, string];
  /** Longest first. */
  readonly quotes: readonly string[];
  /** What code inside of this string starts with, if it can contain any. It ends with a brace. */
  readonly codeIn?: (text: string, at: number, quote: string) => string | undefined;
  readonly hasRegExps?: boolean;
}

const cLike: Marks = { line: ['//'], block: ['/*', '*/'], quotes: ['"', "'", '`'] };
const js: Marks = { ...cLike, codeIn: (_text, _at, quote) => (quote === '`' ? '${' : undefined), hasRegExps: true };
const hash: Marks = { line: ['#'], quotes: ['"', "'", '`'] };
const formatPrefix = /(?:^|[^\p{L}\p{N}_])(?:[fFtT][rR]?|[rR][fFtT])$/u;
const python: Marks = {
  line: ['#'],
  quotes: ['"""', "'''", '"', "'"],
  codeIn: (text, at) => (formatPrefix.test(text.slice(Math.max(0, at - 3), at)) ? '{' : undefined),
};
// A single quote starts a lifetime as often as a character.
const rust: Marks = { line: ['//'], block: ['/*', '*/'], quotes: ['"'] };

const marksOf: Readonly<Record<string, Marks>> = {
  javascript: js,
  javascriptreact: js,
  typescript: js,
  typescriptreact: js,
  vue: js,
  svelte: js,
  python,
  rust,
  ruby: hash,
  shellscript: hash,
  perl: hash,
  r: hash,
  elixir: hash,
  julia: hash,
};

/** Code in a string in code in a string …: deeper than anyone writes it, it's masked. */
const deepest = 20;
/** What comes before a regular expression, and not before a division. */
const beforeRegExp = /(?:^|[(,=:[!&|?{;+*%~^-]|=>|\b(?:return|typeof|case|in|of|void|throw|yield|await|else|do))\s*$/;
/** What comes before the parentheses of a statement's head. A statement follows them, and never a division. */
const beforeHead = /(?:^|[^.#$\p{L}\p{N}_])(?:if|while|with|for(?:\s+await)?)\s*$/u;
const flags = /[a-z]*/y;

/**
 * The text with a space for each character of a comment, a string, or a regular expression, so that all offsets stay the
 * same. Line breaks are kept, and so is code inside of a string. A string with a single-character quote ends at the end
 * of its line at the latest, so that a stray apostrophe hides no more than that.
 * @param language VS Code's language ID
 */
export function maskedCode(text: string, language: string): string {
  return new Masking(text, marksOf[language] ?? cLike).result();
}

class Masking {
  readonly #text: string;
  readonly #marks: Marks;
  /** Finds the characters that a comment, a string, or a bracket can start with. Most start nothing. */
  readonly #starts: RegExp;
  #masked = '';
  /** Where the masked text ends. */
  #done = 0;
  /** For each open parenthesis, whether a statement's head is in it. */
  readonly #heads: (boolean | undefined)[] = [];
  /** The parenthesis that closed the last head. */
  #headEnd = -1;

  constructor(text: string, marks: Marks) {
    this.#text = text;
    this.#marks = marks;
    const { line, block = [''], quotes, codeIn } = marks;
    const firsts = [...line, block[0], ...quotes].map((mark) => mark.charAt(0)).join('');
    this.#starts = new RegExp(`[${firsts}${codeIn === undefined ? '' : String.raw`(){}[\]`}]`, 'g');
  }

  result(): string {
    this.#code(0, this.#text.length, 0);
    return this.#masked + this.#text.slice(this.#done);
  }

  /** @returns where the code ends: at the brace that closes it if it's inside of a string, or at `limit` */
  #code(from: number, limit: number, depth: number): number {
    let open = 0;
    let at = from;
    while (at < limit) {
      this.#starts.lastIndex = at;
      const found = this.#starts.exec(this.#text)?.index ?? limit;
      if (found >= limit) return limit;
      const character = this.#text.charAt(found);
      if (depth > 0 && open === 0 && character === '}') return found;
      if ('([{'.includes(character)) open += 1;
      else if (')]}'.includes(character)) open = Math.max(0, open - 1);
      if (character === '(') this.#heads.push(beforeHead.test(this.#text.slice(Math.max(0, found - 20), found)));
      else if (character === ')' && this.#heads.pop() === true) this.#headEnd = found;
      at = this.#hidden(found, limit, depth) ?? found + 1;
    }
    return limit;
  }

  /** Masks the comment, the string, or the regular expression that starts here. @returns its end, if there is one */
  #hidden(at: number, limit: number, depth: number): number | undefined {
    const { line, block, quotes, hasRegExps } = this.#marks;
    const text = this.#text;
    const is = (mark: string): boolean => text.startsWith(mark, at);
    if (line.some(is)) return this.#hide(at, Math.min(limit, endOfLine(text, at)));
    if (block !== undefined && is(block[0])) {
      return this.#hide(at, Math.min(limit, after(text, block[1], at + block[0].length)));
    }
    const quote = quotes.find(is);
    if (quote !== undefined) return this.#string(at, quote, limit, depth);
    if (hasRegExps !== true || !is('/')) return undefined;
    const before = text.slice(Math.max(0, at - 40), at);
    const isAfterHead = this.#headEnd >= 0 && this.#headEnd === at - before.length + before.trimEnd().length - 1;
    const end = isAfterHead || beforeRegExp.test(before) ? regExpEnd(text, at) : undefined;
    return end === undefined || end > limit ? undefined : this.#hide(at, end);
  }

  #string(at: number, quote: string, limit: number, depth: number): number {
    const text = this.#text;
    const isOfOneLine = quote.length === 1 && quote !== '`';
    const opening = depth < deepest ? this.#marks.codeIn?.(text, at, quote) : undefined;
    let hidden = at;
    let index = at + quote.length;
    while (index < limit) {
      if (text.charAt(index) === '\\') index += 2;
      else if (text.startsWith(quote, index)) return this.#hide(hidden, Math.min(limit, index + quote.length));
      else if (isOfOneLine && text.charAt(index) === '\n') return this.#hide(hidden, index);
      else if (opening === '{' && text.startsWith('{{', index)) index += 2;
      else if (opening !== undefined && text.startsWith(opening, index)) {
        const start = index + opening.length;
        this.#hide(hidden, start);
        hidden = this.#code(start, isOfOneLine ? Math.min(limit, endOfLine(text, start)) : limit, depth + 1);
        index = hidden;
      } else index += 1;
    }
    return this.#hide(hidden, limit);
  }

  #hide(from: number, to: number): number {
    this.#masked += this.#text.slice(this.#done, from) + this.#text.slice(from, to).replaceAll(/[^\n\r]/g, ' ');
    this.#done = to;
    return to;
  }
}

/** The end of the regular expression that starts here; undefined if its line has none. */
function regExpEnd(text: string, at: number): number | undefined {
  let isInClass = false;
  for (let index = at + 1; index < text.length; index += 1) {
    const character = text.charAt(index);
    if (character === '\n') return undefined;
    if (character === '\\') index += 1;
    else if (character === '[') isInClass = true;
    else if (character === ']') isInClass = false;
    else if (character === '/' && !isInClass) {
      flags.lastIndex = index + 1;
      return index + 1 + (flags.exec(text)?.[0].length ?? 0);
    }
  }
  return undefined;
}

function after(text: string, mark: string, from: number): number {
  const found = text.indexOf(mark, from);
  return found < 0 ? text.length : found + mark.length;
}

function endOfLine(text: string, from: number): number {
  const found = text.indexOf('\n', from);
  return found < 0 ? text.length : found;
}
