/** A piece of text with what it is and where it is from. */
export interface ContextPiece {
  /** Such as `File: src/tasks.ts` or `Selection: src/tasks.ts, lines 3-10`. In English: it is written for a model. */
  readonly heading: string;
  /** VS Code's id of the language, or such a word as `diff`; empty for plain text. */
  readonly language: string;
  readonly text: string;
}

/** The form in which a piece goes in a request: its heading, then the text in a fence that nothing in it can end. */
export function contextBlock({ heading, language, text }: ContextPiece): string {
  const longest = Math.max(2, ...Array.from(text.matchAll(/`+/g), (run) => run[0].length));
  const fence = '`'.repeat(longest + 1);
  const end = text === '' || text.endsWith('\n') ? '' : '\n';
  // A path can hold a line's end; the heading must stay one line.
  return `${heading.replace(/\s+/g, ' ')}\n${fence}${language}\n${text}${end}${fence}`;
}
