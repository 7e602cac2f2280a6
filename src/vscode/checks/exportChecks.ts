import * as vscode from 'vscode';
import { checksCsv, checksJunit, checksMarkdown, promptfooConfig } from '../../core/checks/checksExports.ts';
import type { ChecksExportForm, ChecksView } from '../../shared/checks.ts';
import type { LoadedChecks } from './checksFiles.ts';

const names: Readonly<Record<ChecksExportForm, string>> = {
  markdown: 'checks.md',
  csv: 'checks.csv',
  junit: 'checks.junit.xml',
  promptfoo: 'promptfooconfig.yaml',
};

/** Asks for a file, and writes the results or the configuration to it. */
export async function exportChecks(
  form: ChecksExportForm,
  view: ChecksView,
  files: readonly LoadedChecks[],
): Promise<void> {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  const uri = await vscode.window.showSaveDialog({
    ...(folder !== undefined && { defaultUri: vscode.Uri.joinPath(folder.uri, names[form]) }),
    title: vscode.l10n.t('Export Checks'),
  });
  if (uri === undefined) return;
  await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(exported(form, view, files)));
  await vscode.window.showTextDocument(uri, { preview: false });
}

function exported(form: ChecksExportForm, view: ChecksView, files: readonly LoadedChecks[]): string {
  switch (form) {
    case 'markdown':
      return checksMarkdown(view);
    case 'csv':
      return checksCsv(view);
    case 'junit':
      return checksJunit(view);
    case 'promptfoo': {
      const cases = files.flatMap(({ cases: all }) =>
        all.flatMap(({ check, messages, options }) =>
          'fault' in messages ? [] : [{ check, messages: messages.messages, options }],
        ),
      );
      return promptfooConfig(
        cases,
        view.columns.map(({ model }) => model),
        view.repeat,
      );
    }
  }
}
