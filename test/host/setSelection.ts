import * as vscode from 'vscode';

/**
 * Selects this in an editor. VS Code reports every selection that an extension sets back to the extension, and until
 * it has, a report about an earlier one can undo the newer one for a moment.
 */
export async function setSelection(editor: vscode.TextEditor, ...selections: vscode.Selection[]): Promise<void> {
  editor.selections = selections;
  // VS Code answers in order: after this answer, no such report is left.
  await vscode.commands.executeCommand('vscode.getEditorLayout');
}
