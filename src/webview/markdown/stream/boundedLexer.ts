import { Lexer, Tokenizer, type Links, type MarkedOptions, type Token, type Tokens } from 'marked';
import {
  formulaAt,
  formulaBlockAt,
  formulaBlockIn,
  mayHoldFormula,
  openFormulaIn,
  withoutFormulas,
} from './formula.ts';

export interface LexedBlocks {
  readonly tokens: Token[];
  /** What the text defines, first definition first. */
  readonly definitions: Links;
}

/** Block quotes and lists inside one another. Markdown a person writes stays under ten. */
const MAX_BLOCK_DEPTH = 24;
/** Emphasis, links and strikethrough inside one another. */
const MAX_INLINE_DEPTH = 16;
/** Characters of one paragraph or cell: above it the lexer's worst inputs cost more than a frame. */
const MAX_INLINE_CHARS = 6000;
/** An unbroken word beyond this: marked looks for an e-mail address from each of its characters. */
const ENDLESS_WORD = /\S{2000}/;
/** For a lazy line marked looks past every list and quote marker of the line before, one at a time. */
const MAX_MARKER_LINE_CHARS = 500;
/** A short row is padded to the width of the header, so width times rows must have a bound. */
const MAX_TABLE_COLUMNS = 64;

const TABLE_DELIMITER_WITHOUT_BAR = /\n {0,3}(?::-+:?|-+:) *(?:\n|$)/;
const EMPHASIS = /^[*_]/;
const TRAILING_BREAKS = /\n+$/;
const REFERENCE_LABEL = /(?!\s*\])(?:\\[\s\S]|[^[\]\\]){1,999}(?=\])/y;

class ShortLineRegExp extends RegExp {
  override exec(line: string): RegExpExecArray | null {
    return line.length > MAX_MARKER_LINE_CHARS ? null : super.exec(line);
  }
}

/**
 * marked's block rules look ahead without bound in two places: the title of a link definition and
 * the lines of a setext heading may run over the lines at which a paragraph ends. CommonMark says
 * they are part of that paragraph, and a stream can only commit a block when its end is certain.
 */
class BoundedTokenizer extends Tokenizer {
  /** More text will come: what may become a formula is no Markdown meanwhile, and isn't lexed for each addition. */
  readonly isOpen: boolean;
  /** The last text in which emphasis looked for its marks, without the formulas in it. */
  #masked = { before: '', after: '' };

  constructor(isOpen: boolean) {
    super();
    this.isOpen = isOpen;
  }

  override def(src: string): Tokens.Def | undefined {
    const token = super.def(src);
    if (token === undefined) return undefined;
    return paragraphEnd(src) >= token.raw.replace(TRAILING_BREAKS, '').length ? token : undefined;
  }

  override lheading(src: string): Tokens.Heading | undefined {
    const token = super.lheading(src);
    if (token === undefined) return undefined;
    const text = token.raw.slice(0, token.raw.lastIndexOf('\n'));
    // The plain rule, because `---` under a line is an underline and not the head of a table.
    const paragraph = Lexer.rules.block.normal.paragraph.exec(src);
    if (paragraph === null || paragraph[0].length < text.length) return undefined;
    if (mayHoldFormula(text) && this.#formulaIn(src, text.length) !== -1) return undefined;
    return TABLE_DELIMITER_WITHOUT_BAR.test(text) ? undefined : token;
  }

  /** A formula with lines of its own needs no blank line before it. */
  override paragraph(src: string): Tokens.Paragraph | undefined {
    const end = paragraphEnd(src);
    const start = mayHoldFormula(src.slice(0, end)) ? this.#formulaIn(src, end) : -1;
    if (start === 0) return plainParagraph(src);
    return super.paragraph(start === -1 ? src : src.slice(0, start));
  }

  /** Where the paragraph at the start of `src` has lines that are a formula, or may become one. */
  #formulaIn(src: string, end: number): number {
    const closed = formulaBlockIn(src, end);
    return closed === -1 && this.isOpen ? openFormulaIn(src, 0, end) : closed;
  }

  /** The stars and underscores of a formula are no marks of emphasis. */
  override emStrong(src: string, maskedSrc: string, prevChar?: string): Tokens.Em | Tokens.Strong | undefined {
    if (!EMPHASIS.test(src) || !mayHoldFormula(src)) return super.emStrong(src, maskedSrc, prevChar);
    if (this.#masked.before !== maskedSrc) {
      const start = maskedSrc.length - src.length;
      const after = maskedSrc.slice(0, start) + withoutFormulas(maskedSrc.slice(start), src);
      this.#masked = { before: maskedSrc, after };
    }
    return super.emStrong(src, this.#masked.after, prevChar);
  }

  /** Text ends where a formula may begin. */
  override inlineText(src: string): Tokens.Text | undefined {
    const end = src.indexOf('$', 1);
    return super.inlineText(end === -1 ? src : src.slice(0, end));
  }

  override table(src: string): Tokens.Table | undefined {
    const secondLineStart = src.indexOf('\n') + 1;
    if (secondLineStart === 0) return undefined;
    const lineEnd = src.indexOf('\n', secondLineStart);
    const delimiters = src.slice(secondLineStart, lineEnd === -1 ? undefined : lineEnd);
    return delimiters.split('|', MAX_TABLE_COLUMNS + 2).length > MAX_TABLE_COLUMNS + 1 ? undefined : super.table(src);
  }
}

const formulas: NonNullable<MarkedOptions['extensions']> = {
  renderers: {},
  childTokens: {},
  block: [formulaBlockAt],
  inline: [(src, tokens) => formulaAt(src, tokens.at(-1)?.raw.at(-1) ?? '')],
};

/**
 * marked's lexer with its recursion and its slowest rules bounded. Past a bound text stays text.
 * One instance lexes one piece of text.
 */
class BoundedLexer extends Lexer {
  #blockDepth = 0;
  #inlineDepth = 0;

  constructor(isOpen = false) {
    const tokenizer = new BoundedTokenizer(isOpen);
    super({ gfm: true, breaks: false, pedantic: false, silent: false, tokenizer, extensions: formulas });
    const { other } = tokenizer.rules;
    const nestedBlockMarker = new ShortLineRegExp(other.nestedBlockMarker);
    tokenizer.rules = { ...tokenizer.rules, other: { ...other, nestedBlockMarker } };
  }

  lexPiece(src: string, links: Links): LexedBlocks {
    this.blockTokens(src, this.tokens);
    const definitions = this.tokens.links;
    this.tokens.links = links;
    // The queue grows while it is read: an index, not an iterator over a copy.
    for (let i = 0; i < this.inlineQueue.length; i += 1) {
      const run = this.inlineQueue[i];
      if (run === undefined) continue;
      // marked lets an unclosed `<a …>` switch autolinks off in the blocks after it. Raw HTML is
      // only text here, and a block must not depend on the ones before it.
      this.state.inLink = false;
      this.state.inRawBlock = false;
      this.inlineTokens(run.src, run.tokens);
    }
    return { tokens: this.tokens, definitions };
  }

  lexRun(src: string, links: Links): Token[] {
    this.tokens.links = links;
    return this.inlineTokens(src);
  }

  override blockTokens(src: string, tokens?: Token[], lastParagraphClipped?: boolean): Token[];
  override blockTokens(src: string, tokens?: typeof this.tokens, lastParagraphClipped?: boolean): typeof this.tokens;
  override blockTokens(src: string, tokens: Token[] = [], lastParagraphClipped = false): Token[] {
    if (this.#blockDepth >= MAX_BLOCK_DEPTH) {
      this.state.top = true;
      tokens.push({ type: 'paragraph', raw: src, text: src, tokens: this.inline(src) });
      return tokens;
    }
    this.#blockDepth += 1;
    try {
      return super.blockTokens(src, tokens, lastParagraphClipped);
    } finally {
      this.#blockDepth -= 1;
    }
  }

  override inlineTokens(src: string, tokens: Token[] = []): Token[] {
    if (src.length > MAX_INLINE_CHARS || this.#inlineDepth >= MAX_INLINE_DEPTH || ENDLESS_WORD.test(src)) {
      tokens.push({ type: 'text', raw: src, text: src, escaped: false });
      return tokens;
    }
    this.#inlineDepth += 1;
    try {
      return super.inlineTokens(src, tokens);
    } finally {
      this.#inlineDepth -= 1;
    }
  }
}

/**
 * Block tokens of complete Markdown, or of its beginning. References resolve against `links` alone,
 * not against what `src` itself defines.
 * `src` holds no carriage return; when it `isOpen`, it's shown for as long as no more text has come.
 */
export function lexBlocks(src: string, links: Links, { isOpen = false } = {}): LexedBlocks {
  try {
    return new BoundedLexer(isOpen).lexPiece(src, links);
  } catch {
    // The lexer gave up (a stack overflow inside a regular expression): the text is still shown.
    return { tokens: [plainParagraph(src)], definitions: noLinks() };
  }
}

function plainParagraph(src: string): Tokens.Paragraph {
  return { type: 'paragraph', raw: src, text: src, tokens: [{ type: 'text', raw: src, text: src, escaped: true }] };
}

/** Inline tokens of one paragraph, heading or cell. */
export function lexInline(src: string, links: Links): Token[] {
  try {
    return new BoundedLexer().lexRun(src, links);
  } catch {
    return [{ type: 'text', raw: src, text: src, escaped: true }];
  }
}

export function noLinks(): Links {
  const links: Links = Object.create(null);
  return links;
}

/** As marked compares labels: white space collapsed, case folded. */
export function normalizeLabel(label: string): string {
  return label.trim().replace(/\s+/g, ' ').toLowerCase().toUpperCase().toLowerCase();
}

/** Where the paragraph that starts `src` must end, whatever it turns out to be: an index into `src`. */
export function paragraphEnd(src: string): number {
  return Lexer.rules.block.gfm.paragraph.exec(src)?.[0].length ?? 0;
}

/** Every label that a reference in `src` may name, normalized. */
export function referenceLabels(src: string): Set<string> {
  const labels = new Set<string>();
  for (let at = src.indexOf('['); at !== -1; at = src.indexOf('[', at + 1)) {
    REFERENCE_LABEL.lastIndex = at + 1;
    const label = REFERENCE_LABEL.exec(src);
    if (label !== null) labels.add(normalizeLabel(label[0]));
  }
  return labels;
}
