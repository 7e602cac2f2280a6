import * as vscode from 'vscode';

/**
 * Where text is about to be put, VS Code lets a selection grow around it, and one key would then wipe both. Such a
 * selection becomes a cursor, which VS Code moves on behind the text.
 *
 * @returns gives the selections back, for where nothing was put there after all
 */
export function deselectAt(document: vscode.TextDocument, at: vscode.Position): () => void {
  const undo = vscode.window.visibleTextEditors
    .filter((editor) => editor.document === document)
    .map((editor) => deselectIn(editor, at));
  return () => {
    for (const giveBack of undo) giveBack();
  };
}

function deselectIn(editor: vscode.TextEditor, at: vscode.Position): () => void {
  const before = editor.selections;
  const isLeft = (selection: vscode.Selection) => selection.isEmpty || !selection.contains(at);
  if (before.every(isLeft)) return () => undefined;
  const after = before.map((selection) => (isLeft(selection) ? selection : new vscode.Selection(at, at)));
  editor.selections = after;
  return () => {
    const { selections } = editor;
    // The person may have selected something else meanwhile.
    const isSame = selections.length === after.length && selections.every((one, index) => after[index]?.isEqual(one));
    if (isSame) editor.selections = before;
  };
}
