import * as vscode from 'vscode';
import { proposalScheme } from './proposalScheme.ts';

/** A diff that VS Code restored has lost what it showed with the window it was in. */
export async function closeStaleProposals(): Promise<void> {
  const stale = vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .filter(({ input }) => input instanceof vscode.TabInputTextDiff && input.modified.scheme === proposalScheme);
  if (stale.length > 0) await vscode.window.tabGroups.close(stale);
}
