import * as vscode from 'vscode';
import { documentSchemes, viewIds } from '../contributions.ts';

/** A diff that VS Code restored has lost what it showed with the window it was in: it is closed, and the person told. */
export async function closeStaleProposals(): Promise<void> {
  const stale = vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .filter(
      ({ input }) => input instanceof vscode.TabInputTextDiff && input.modified.scheme === documentSchemes.proposal,
    );
  if (stale.length === 0) return;
  await vscode.window.tabGroups.close(stale);
  const show = vscode.l10n.t('Show Recent Requests');
  const chosen = await vscode.window.showInformationMessage(
    vscode.l10n.t(
      'A proposal ended with its window, before all of it was accepted or rejected. Its request is in Recent Requests: open the reply there, or run it again.',
    ),
    show,
  );
  if (chosen === show) await vscode.commands.executeCommand(`${viewIds.requests}.focus`);
}
