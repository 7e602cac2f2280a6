import * as vscode from 'vscode';
import { saveTo } from '../disk/uriFile.ts';
import { localDay } from '../platform/localDay.ts';
import { exportParts } from './exportParts.ts';
import type { RequestHistory } from './requestHistory.ts';
import { plainWindow } from '../platform/plainWindow.ts';

type ExportForm = 'jsonl' | 'jsonlWithBodies' | 'csv';

interface FormRow extends vscode.QuickPickItem {
  readonly form: ExportForm;
}

/** Writes the whole history to a file that the user selects. */
export async function exportRequests(history: RequestHistory): Promise<void> {
  const rows: readonly FormRow[] = [
    { form: 'csv', label: vscode.l10n.t('CSV'), description: vscode.l10n.t('metadata only, for spreadsheets') },
    { form: 'jsonl', label: vscode.l10n.t('JSON Lines'), description: vscode.l10n.t('metadata only') },
    {
      form: 'jsonlWithBodies',
      label: vscode.l10n.t('JSON Lines with Content'),
      description: vscode.l10n.t('includes prompts and responses'),
    },
  ];
  const choice = await plainWindow.showQuickPick(rows, { title: vscode.l10n.t('Export Requests') });
  if (choice === undefined) return;
  const ending = choice.form === 'csv' ? 'csv' : 'jsonl';
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const name = `parlance-requests-${localDay(Date.now())}.${ending}`;
  const target = await vscode.window.showSaveDialog({
    title: vscode.l10n.t('Export Requests'),
    ...(folder !== undefined && { defaultUri: vscode.Uri.joinPath(folder, name) }),
    filters: choice.form === 'csv' ? { CSV: ['csv'] } : { 'JSON Lines': ['jsonl'] },
  });
  if (target === undefined) return;
  await plainWindow.withProgress(
    { location: vscode.ProgressLocation.Notification, title: vscode.l10n.t('Exporting requests…') },
    () => saveTo(target, exportParts(history, choice.form)),
  );
  await vscode.commands.executeCommand('vscode.open', target);
  if (history.withholdsAny) {
    void plainWindow.showInformationMessage(
      vscode.l10n.t("Not exported: requests of blind questions that you haven't voted on yet."),
    );
  }
}
