import * as vscode from 'vscode';
import { setTimeout as pause } from 'node:timers/promises';

export interface SpanEdit {
  readonly range: vscode.Range;
  readonly text: string;
}

/**
 * Changes a document as one undo step. Only an editor reveals whether the user has made the file read-only in this
 * session: VS Code doesn't tell extensions, and a workspace edit ignores it.
 * @param editor undefined if it's known to be editable, or there's no editor
 * @returns false if the document is unchanged.
 */
export async function applySpans(
  document: vscode.TextDocument,
  spans: readonly SpanEdit[],
  editor: vscode.TextEditor | undefined,
): Promise<boolean> {
  if (editor === undefined) {
    const edit = new vscode.WorkspaceEdit();
    for (const { range, text } of spans) edit.replace(document.uri, range, text);
    return vscode.workspace.applyEdit(edit);
  }
  const { version } = document;
  const done = await editor.edit((edit) => {
    for (const { range, text } of spans) edit.replace(range, text);
  });
  return done && (spans.length === 0 || (await hasChanged(document, version)));
}

/**
 * A visible editor of the document.
 * @param shows opens it if there's none
 */
export async function editorOf(
  document: vscode.TextDocument,
  { shows }: { readonly shows: boolean },
): Promise<vscode.TextEditor | undefined> {
  const inView = vscode.window.visibleTextEditors.find((editor) => editor.document === document);
  // A notebook cell doesn't have its own editor.
  if (inView !== undefined || !shows || document.uri.scheme === 'vscode-notebook-cell') return inView;
  return vscode.window.showTextDocument(document, { preview: false });
}

const maxTries = 10;

/** After an edit: a read-only editor reports success although nothing has changed. */
export async function hasChanged(document: vscode.TextDocument, version: number): Promise<boolean> {
  for (let wait = 0; document.version === version && !document.isClosed; wait += 1) {
    if (wait === maxTries) return false;
    await pause(10 * wait);
  }
  return true;
}
