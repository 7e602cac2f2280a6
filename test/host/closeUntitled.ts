import * as vscode from 'vscode';

/** Closes documents that were never saved, without asking: later suites would find them, for example as open editors. */
export async function closeUntitled(): Promise<void> {
  for (const document of vscode.workspace.textDocuments) {
    if (document.isClosed || document.uri.scheme !== 'untitled') continue;
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  }
}
