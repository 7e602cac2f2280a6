import * as vscode from 'vscode';

/** Sets a key that `when` clauses of menus and the walkthrough check. */
export function setContext(key: string, value: unknown): void {
  void vscode.commands.executeCommand('setContext', key, value);
}
