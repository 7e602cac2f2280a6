/** A piece of text with its kind and its origin. */
export interface ContextPiece {
  /**
   * For example `File: src/tasks.ts` or `Selection: src/tasks.ts, lines 3-10`. In English, because it's written for a
   * model.
   */
  readonly heading: string;
  /** VS Code's language ID, or a word like `diff`; empty for plain text. */
  readonly language: string;
  readonly text: string;
}

/** A context as it's sent: its heading, then the text in a fence that nothing in it can end. */
export function contextBlock({ heading, language, text }: ContextPiece): string {
  const longest = Math.max(2, ...Array.from(text.matchAll(/`+/g), (run) => run[0].length));
  const fence = '`'.repeat(longest + 1);
  const end = text === '' || text.endsWith('\n') ? '' : '\n';
  // A path can contain a line break, but the heading must stay on one line.
  return `${heading.replace(/\s+/g, ' ')}\n${fence}${language}\n${text}${end}${fence}`;
}

// A user's own code block under their own line isn't a context.
const block =
  /^((?:File|Selection|Symbol|Problems|Git diff|Terminal|Folder tree|Clipboard|Summary)\b[^\n]*)\n(`{3,})([^\n`]*)\n(|[\s\S]*?\n)\2(?:\n\n|$)/;

/** The contexts that a message was sent with, and the user's text below them. */
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
