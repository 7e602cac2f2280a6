import * as vscode from 'vscode';
import { plainWindow } from './plainWindow.ts';

/**
 * Whether the user trusts the workspace. If not, shows this text with a button that opens VS Code's page about trust.
 */
export async function requireTrust(text: string): Promise<boolean> {
  if (vscode.workspace.isTrusted) return true;
  const manage = vscode.l10n.t('Manage Trust');
  if ((await plainWindow.showWarningMessage(text, manage)) === manage)
    await vscode.commands.executeCommand('workbench.trust.manage');
  return vscode.workspace.isTrusted;
}
