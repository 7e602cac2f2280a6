import * as vscode from 'vscode';
import { commandIds, documentSchemes } from '../../settings/contributions.ts';
import { takeCutOff } from './openProposals.ts';

/**
 * Proposals end with their extension host. After a window reload VS Code no longer shows them, and the user is told.
 * After a restart of the extension host their diffs are still open without content, and are closed.
 */
export async function closeStaleProposals(state: Pick<vscode.Memento, 'get' | 'update'>): Promise<void> {
  const stale = vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .filter(
      ({ input }) => input instanceof vscode.TabInputTextDiff && input.modified.scheme === documentSchemes.proposal,
    );
  if (stale.length > 0) await vscode.window.tabGroups.close(stale);
  const wereCutOff = await takeCutOff(state);
  if (stale.length === 0 && !wereCutOff) return;
  const show = vscode.l10n.t('Show Requests');
  // Most activations have nothing to show, so they don't have to load it.
  const { plainWindow } = await import('../../platform/plainWindow.ts');
  const chosen = await plainWindow.showInformationMessage(
    vscode.l10n.t(
      'A proposed change was closed with its window before you kept or discarded all of it. To see the reply or run the prompt again, find it in Requests.',
    ),
    show,
  );
  if (chosen === show) await vscode.commands.executeCommand(commandIds.showRequests);
}
