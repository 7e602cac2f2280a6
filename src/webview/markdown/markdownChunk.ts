import type { CodeActions, MarkdownView } from './markdownView.ts';

let loaded: typeof MarkdownView | undefined;

/** Fetches what draws Markdown, a chunk of its own: the page stands and asks for its state meanwhile. */
export async function loadMarkdown(): Promise<void> {
  ({ MarkdownView: loaded } = await import('./markdownView.ts'));
  loaded.warm();
}

/** Not before {@link loadMarkdown}: no message is shown before that. */
export function newMarkdownView(actions: CodeActions): MarkdownView {
  if (loaded === undefined) throw new Error('Markdown is not loaded yet');
  return new loaded(actions);
}
