/** How a document indents. */
export interface IndentStyle {
  readonly useTabs: boolean;
  /** Columns per tab. */
  readonly tabSize: number;
}

/**
 * Code with the indentation of its new place: its own is removed, and `indent` is added instead. Blank lines stay
 * empty.
 * @param by how to find its own indentation: the smallest of all lines, or the first line's, which is known while the
 * rest is still being written
 */
export function reindent(text: string, indent: string, style: IndentStyle, by: 'least' | 'first' = 'least'): string {
  const lines = styled(text, style).split('\n');
  const own = by === 'least' ? commonIndent(lines) : leadingSpace(lines.find((line) => line.trim() !== '') ?? '');
  return lines
    .map((line) => {
      if (line === '') return '';
      return indent + (line.startsWith(own) ? line.slice(own.length) : line.trimStart());
    })
    .join('\n');
}

/**
 * The indentation of a text, if its lines agree. A single space isn't indentation, but belongs to the ` *` of a
 * comment.
 */
export function styleOf(text: string, otherwise: IndentStyle): IndentStyle {
  const [hasTabs, hasSpaces] = [/^\t/m.test(text), /^ {2}/m.test(text)];
  return hasTabs === hasSpaces ? otherwise : { ...otherwise, useTabs: hasTabs };
}

/** A text with the document's kind of indentation. Blank lines are empty. */
export function styled(text: string, style: IndentStyle): string {
  return text
    .split('\n')
    .map((line) => (line.trim() === '' ? '' : withStyle(line, style)))
    .join('\n');
}

/** The leading white space that all lines share, except blank ones. */
export function commonIndent(lines: readonly string[]): string {
  let common: string | undefined;
  for (const line of lines) {
    if (line.trim() === '') continue;
    const own = leadingSpace(line);
    common ??= own;
    let length = 0;
    while (length < common.length && common[length] === own[length]) length += 1;
    common = common.slice(0, length);
  }
  return common ?? '';
}

export function leadingSpace(line: string): string {
  return /^[ \t]*/.exec(line)?.[0] ?? '';
}

/** Converts leading tabs to spaces, or the other way around, to match the document. */
export function withStyle(line: string, { useTabs, tabSize }: IndentStyle): string {
  const own = leadingSpace(line);
  if (own === '' || (useTabs ? !own.includes(' ') : !own.includes('\t'))) return line;
  let columns = 0;
  for (const character of own) columns += character === '\t' ? tabSize - (columns % tabSize) : 1;
  const rest = line.slice(own.length);
  if (!useTabs) return ' '.repeat(columns) + rest;
  return '\t'.repeat(Math.floor(columns / tabSize)) + ' '.repeat(columns % tabSize) + rest;
}
