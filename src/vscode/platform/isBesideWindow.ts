import * as vscode from 'vscode';

/**
 * Whether this extension host runs on the machine whose window the person sees, so that their own programs can open
 * its files. In a browser, and with Parlance in a remote workspace, it doesn't.
 */
export function isBesideWindow(): boolean {
  if (vscode.env.uiKind === vscode.UIKind.Web) return false;
  const extension = vscode.extensions.getExtension('parlance.parlance');
  return vscode.env.remoteName === undefined || extension?.extensionKind === vscode.ExtensionKind.UI;
}
