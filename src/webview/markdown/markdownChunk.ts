import type { CodeActions, MarkdownView } from './markdownView.ts';

let loaded: typeof MarkdownView | undefined;

/** Loads what draws Markdown, a separate chunk, while the page already asks for its state. */
export async function loadMarkdown(): Promise<void> {
  ({ MarkdownView: loaded } = await import('./markdownView.ts'));
  loaded.warm();
}

/** Not before {@link loadMarkdown}, which runs before any message is shown. */
export function newMarkdownView(actions: CodeActions): MarkdownView {
  if (loaded === undefined) throw new Error('Markdown is not loaded yet');
  return new loaded(actions);
}
