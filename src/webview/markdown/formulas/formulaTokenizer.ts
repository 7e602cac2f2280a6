import type { MarkedOptions, Tokens } from 'marked';
import { BoundedTokenizer, paragraphEnd, plainParagraph } from '../stream/boundedTokenizer.ts';
import {
  formulaAt,
  formulaBlockAt,
  formulaBlockIn,
  mayHoldFormula,
  openFormulaIn,
  withoutFormulas,
} from './formula.ts';

const EMPHASIS = /^[*_]/;

export const formulaExtensions: NonNullable<MarkedOptions['extensions']> = {
  renderers: {},
  childTokens: {},
  block: [formulaBlockAt],
  inline: [(src, tokens) => formulaAt(src, tokens.at(-1)?.raw.at(-1) ?? '')],
};

/** Prevents Markdown inside formulas. */
export class FormulaTokenizer extends BoundedTokenizer {
  /**
   * More text will arrive: what could become a formula isn't read as Markdown yet, nor lexed again for each addition.
   */
  readonly isOpen: boolean;
  /** The last text in which emphasis looked for its delimiters, without the formulas in it. */
  #masked = { before: '', after: '' };

  constructor(isOpen: boolean) {
    super();
    this.isOpen = isOpen;
  }

  override lheading(src: string): Tokens.Heading | undefined {
    const token = super.lheading(src);
    if (token === undefined) return undefined;
    const text = token.raw.slice(0, token.raw.lastIndexOf('\n'));
    return mayHoldFormula(text) && this.#formulaIn(src, text.length) !== -1 ? undefined : token;
  }

  /** A display formula needs no blank line before it. */
  override paragraph(src: string): Tokens.Paragraph | undefined {
    const end = paragraphEnd(src);
    const start = mayHoldFormula(src.slice(0, end)) ? this.#formulaIn(src, end) : -1;
    if (start === 0) return plainParagraph(src);
    return super.paragraph(start === -1 ? src : src.slice(0, start));
  }

  /** Where the paragraph at the start of `src` has lines that are a formula, or might become one. */
  #formulaIn(src: string, end: number): number {
    const closed = formulaBlockIn(src, end);
    return closed === -1 && this.isOpen ? openFormulaIn(src, 0, end) : closed;
  }

  /** The asterisks and underscores of a formula don't delimit emphasis. */
  override emStrong(src: string, maskedSrc: string, prevChar?: string): Tokens.Em | Tokens.Strong | undefined {
    if (!EMPHASIS.test(src) || !mayHoldFormula(src)) return super.emStrong(src, maskedSrc, prevChar);
    if (this.#masked.before !== maskedSrc) {
      const start = maskedSrc.length - src.length;
      const after = maskedSrc.slice(0, start) + withoutFormulas(maskedSrc.slice(start), src);
      this.#masked = { before: maskedSrc, after };
    }
    return super.emStrong(src, this.#masked.after, prevChar);
  }

  /** Text ends where a formula might start. */
  override inlineText(src: string): Tokens.Text | undefined {
    const end = src.indexOf('$', 1);
    return super.inlineText(end === -1 ? src : src.slice(0, end));
  }
}
