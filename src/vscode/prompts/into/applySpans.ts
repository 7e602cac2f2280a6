import * as vscode from 'vscode';
import { setTimeout as pause } from 'node:timers/promises';

export interface SpanEdit {
  readonly range: vscode.Range;
  readonly text: string;
}

/**
 * Changes a document as one step of undo. Only through an editor can it be told whether a person has made the file
 * read-only in this session: VS Code tells extensions nothing of it, and a change of the document passes over it.
 *
 * @param editor undefined where that is known, or where there is none
 * @returns false where the document is as it was.
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
 * The editor that a document is in view in.
 *
 * @param shows brings it into view where it is in none
 */
export async function editorOf(
  document: vscode.TextDocument,
  { shows }: { readonly shows: boolean },
): Promise<vscode.TextEditor | undefined> {
  const inView = vscode.window.visibleTextEditors.find((editor) => editor.document === document);
  // A notebook's cell has no editor of its own.
  if (inView !== undefined || !shows || document.uri.scheme === 'vscode-notebook-cell') return inView;
  return vscode.window.showTextDocument(document, { preview: false });
}

const maxTries = 10;

/** After an edit: an editor that is read-only says that it was done, and nothing has changed. */
export async function hasChanged(document: vscode.TextDocument, version: number): Promise<boolean> {
  for (let wait = 0; document.version === version && !document.isClosed; wait += 1) {
    if (wait === maxTries) return false;
    await pause(10 * wait);
  }
  return true;
}
