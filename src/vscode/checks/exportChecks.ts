import * as vscode from 'vscode';
import { checksCsv, checksJunit, checksMarkdown, promptfooConfig } from '../../core/checks/checksExports.ts';
import { sentCheck } from '../../core/checks/sentCheck.ts';
import type { ChatOptions } from '../../shared/chat.ts';
import type { ChecksExportForm, ChecksView } from '../../shared/checks.ts';
import { saveTo } from '../disk/uriFile.ts';
import { showModelFile } from '../platform/documents/openModelText.ts';
import type { CheckTree } from './checkTree.ts';
import type { LoadedChecks } from './checksFiles.ts';

const names: Readonly<Record<ChecksExportForm, string>> = {
  markdown: 'checks.md',
  csv: 'checks.csv',
  junit: 'checks.junit.xml',
  promptfoo: 'promptfooconfig.yaml',
};

export interface ExportSources {
  readonly tree: Pick<CheckTree, 'ownModels'>;
  readonly defaults: ChatOptions;
}

/** Asks for a file, and writes the results or the configuration to it. */
export async function exportChecks(
  form: ChecksExportForm,
  view: ChecksView,
  files: readonly LoadedChecks[],
  sources: ExportSources,
): Promise<void> {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  const uri = await vscode.window.showSaveDialog({
    ...(folder !== undefined && { defaultUri: vscode.Uri.joinPath(folder.uri, names[form]) }),
    title: vscode.l10n.t('Export Checks'),
  });
  if (uri === undefined) return;
  await saveTo(uri, exported(form, view, files, sources));
  await showModelFile(uri, { preview: false });
}

function exported(
  form: ChecksExportForm,
  view: ChecksView,
  files: readonly LoadedChecks[],
  { tree, defaults }: ExportSources,
): string {
  switch (form) {
    case 'markdown':
      return checksMarkdown(view);
    case 'csv':
      return checksCsv(view);
    case 'junit':
      return checksJunit(view);
    case 'promptfoo': {
      const cases = files.flatMap((checks) =>
        checks.cases.flatMap((loaded) => {
          const { check, messages, options, hasSystemPrompt } = loaded;
          if ('fault' in messages) return [];
          const models = [...tree.ownModels(checks, loaded).values()].map(({ id }) => id);
          const sent = sentCheck({ messages: messages.messages, options, hasSystemPrompt }, defaults);
          return [{ check, ...sent, models, repeat: checks.file.repeat }];
        }),
      );
      const models = view.columns.map(({ model }) => model);
      const count = files.reduce((sum, { cases: all }) => sum + all.length, 0);
      return promptfooConfig(cases, models, count - cases.length);
    }
  }
}
