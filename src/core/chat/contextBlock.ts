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

// A person's own code block under a line of theirs is no context.
const block =
  /^((?:File|Selection|Symbol|Problems|Git diff|Terminal|Folder tree|Clipboard|Summary)\b[^\n]*)\n(`{3,})([^\n`]*)\n(|[\s\S]*?\n)\2(?:\n\n|$)/;

/** The contexts that a message was sent with, and what the person wrote below them. */
export function readContextBlocks(text: string): { readonly pieces: readonly ContextPiece[]; readonly words: string } {
  const pieces: ContextPiece[] = [];
  let words = text;
  for (let match = block.exec(words); match !== null; match = block.exec(words)) {
    const [whole, heading = '', , language = '', content = ''] = match;
    pieces.push({ heading, language, text: content });
    words = words.slice(whole.length);
  }
  return { pieces, words };
}
