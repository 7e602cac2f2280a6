import * as vscode from 'vscode';

/** The document, opened again where it was closed. Undefined where it is gone, or others have changed it since. */
export async function reopened(document: vscode.TextDocument): Promise<vscode.TextDocument | undefined> {
  if (!document.isClosed) return document;
  try {
    const again = await vscode.workspace.openTextDocument(document.uri);
    return again.getText() === document.getText() ? again : undefined;
  } catch {
    return undefined;
  }
}
