import { Lexer, type Links, type Token } from 'marked';
import { BoundedTokenizer, plainParagraph } from './boundedTokenizer.ts';
import { formulaReading } from './formulaReading.ts';

export interface LexedBlocks {
  readonly tokens: Token[];
  /** The links that the text defines, first definition first. */
  readonly definitions: Links;
}

/** Nested block quotes and lists. Markdown written by people stays under ten. */
const MAX_BLOCK_DEPTH = 24;
/** Nested emphasis, links, and strikethrough. */
const MAX_INLINE_DEPTH = 16;
/** Characters of one paragraph or cell. Above that, the lexer's worst inputs take longer than a frame. */
const MAX_INLINE_CHARS = 6000;
/** A longer word without a break: marked looks for an email address from each of its characters. */
const ENDLESS_WORD = /\S{2000}/;
/** For a lazy line, marked skips every list and quote marker of the line before, one at a time. */
const MAX_MARKER_LINE_CHARS = 500;

const REFERENCE_LABEL = /(?!\s*\])(?:\\[\s\S]|[^[\]\\]){1,999}(?=\])/y;

class ShortLineRegExp extends RegExp {
  override exec(line: string): RegExpExecArray | null {
    return line.length > MAX_MARKER_LINE_CHARS ? null : super.exec(line);
  }
}

/**
 * marked's lexer with limits for its recursion and its slowest rules. Beyond a limit, text stays text. One instance
 * lexes one piece of text.
 */
class BoundedLexer extends Lexer {
  #blockDepth = 0;
  #inlineDepth = 0;

  constructor(isOpen = false) {
    const { parts } = formulaReading;
    const tokenizer = parts === undefined ? new BoundedTokenizer() : new parts.FormulaTokenizer(isOpen);
    const formulas = parts === undefined ? {} : { extensions: parts.extensions };
    super({ gfm: true, breaks: false, pedantic: false, silent: false, tokenizer, ...formulas });
    const { other } = tokenizer.rules;
    const nestedBlockMarker = new ShortLineRegExp(other.nestedBlockMarker);
    tokenizer.rules = { ...tokenizer.rules, other: { ...other, nestedBlockMarker } };
  }

  lexPiece(src: string, links: Links): LexedBlocks {
    this.blockTokens(src, this.tokens);
    const definitions = this.tokens.links;
    this.tokens.links = links;
    // The queue grows while it's being read, so this uses an index instead of an iterator over a copy.
    for (let i = 0; i < this.inlineQueue.length; i += 1) {
      const run = this.inlineQueue[i];
      if (run === undefined) continue;
      // marked lets an unclosed `<a …>` turn autolinks off in later blocks. Raw HTML is only text here, and a block
      // must not depend on earlier ones.
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
 * Block tokens of complete Markdown, or of its beginning. References only resolve against `links`, not against what
 * `src` itself defines. `src` has no carriage return. If it `isOpen`, it's shown until more text arrives.
 */
export function lexBlocks(src: string, links: Links, { isOpen = false } = {}): LexedBlocks {
  try {
    return new BoundedLexer(isOpen).lexPiece(src, links);
  } catch {
    // The lexer gave up (a stack overflow in a regular expression), but the text is still shown.
    return { tokens: [plainParagraph(src)], definitions: noLinks() };
  }
}

/** Inline tokens of one paragraph, heading, or cell. */
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

/** How marked compares labels: with collapsed white space and case folding. */
function normalizeLabel(label: string): string {
  return label.trim().replace(/\s+/g, ' ').toLowerCase().toUpperCase().toLowerCase();
}

/** Every label that a reference in `src` might name, normalized. */
export function referenceLabels(src: string): Set<string> {
  const labels = new Set<string>();
  for (let at = src.indexOf('['); at !== -1; at = src.indexOf('[', at + 1)) {
    REFERENCE_LABEL.lastIndex = at + 1;
    const label = REFERENCE_LABEL.exec(src);
    if (label !== null) labels.add(normalizeLabel(label[0]));
  }
  return labels;
}
