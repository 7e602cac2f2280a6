import { Lexer, Tokenizer, type Tokens } from 'marked';

/** A short row is padded to the width of the header, so width times rows needs a limit. */
const MAX_TABLE_COLUMNS = 64;
const TABLE_DELIMITER_WITHOUT_BAR = /\n {0,3}(?::-+:?|-+:) *(?:\n|$)/;
const TRAILING_BREAKS = /\n+$/;

/**
 * marked's block rules look ahead without limit in two places: the title of a link definition and the lines of a setext
 * heading can cross the lines at which a paragraph ends. According to CommonMark these lines belong to that paragraph,
 * and a stream can only commit a block when its end is certain.
 */
export class BoundedTokenizer extends Tokenizer {
  override def(src: string): Tokens.Def | undefined {
    const token = super.def(src);
    if (token === undefined) return undefined;
    const end = paragraphEnd(src);
    // A title can't extend past the paragraph, but the definition is valid without it.
    return end >= token.raw.replace(TRAILING_BREAKS, '').length ? token : super.def(src.slice(0, end));
  }

  override lheading(src: string): Tokens.Heading | undefined {
    const token = super.lheading(src);
    if (token === undefined) return undefined;
    const text = token.raw.slice(0, token.raw.lastIndexOf('\n'));
    // The plain rule, because `---` under a line is an underline and not the header of a table.
    const paragraph = Lexer.rules.block.normal.paragraph.exec(src);
    if (paragraph === null || paragraph[0].length < text.length) return undefined;
    return TABLE_DELIMITER_WITHOUT_BAR.test(text) ? undefined : token;
  }

  override table(src: string): Tokens.Table | undefined {
    const secondLineStart = src.indexOf('\n') + 1;
    if (secondLineStart === 0) return undefined;
    const lineEnd = src.indexOf('\n', secondLineStart);
    const delimiters = src.slice(secondLineStart, lineEnd === -1 ? undefined : lineEnd);
    return delimiters.split('|', MAX_TABLE_COLUMNS + 2).length > MAX_TABLE_COLUMNS + 1 ? undefined : super.table(src);
  }
}

/** Text that isn't read as anything else. */
export function plainParagraph(src: string): Tokens.Paragraph {
  return { type: 'paragraph', raw: src, text: src, tokens: [{ type: 'text', raw: src, text: src, escaped: true }] };
}

/** Where the paragraph at the start of `src` must end, whatever it turns out to be: an index into `src`. */
export function paragraphEnd(src: string): number {
  return Lexer.rules.block.gfm.paragraph.exec(src)?.[0].length ?? 0;
}
