import type * as vscode from 'vscode';
import type { IndentStyle } from '../../../core/prompts/indentation.ts';

/** How lines are indented in this editor. */
export function indentStyleOf(editor: vscode.TextEditor | undefined): IndentStyle {
  const { insertSpaces, tabSize } = editor?.options ?? {};
  return { useTabs: insertSpaces === false, tabSize: typeof tabSize === 'number' ? tabSize : 4 };
}

/** Whether a reply's own Markdown belongs in this document, instead of only code. */
export function isProse({ languageId }: vscode.TextDocument): boolean {
  return ['markdown', 'prompt', 'instructions', 'plaintext', 'git-commit', 'scminput'].includes(languageId);
}
