import * as vscode from 'vscode';
import { plainLabel } from '../plainLabel.ts';
import { workspaceFiles } from './workspaceFiles.ts';
import { nameOf, pathOf } from './sources/documentContext.ts';
import { openFiles } from './sources/openEditorsContext.ts';

interface FileRow extends vscode.QuickPickItem {
  readonly uri?: vscode.Uri;
}

/** Asks for a file: of the workspace, those that are open first, or any other by VS Code's dialog. */
export async function pickFile(): Promise<vscode.Uri | undefined> {
  const row = await vscode.window.showQuickPick(fileRows(), {
    title: vscode.l10n.t('Add a File'),
    placeHolder: vscode.l10n.t('Search by name or path'),
    matchOnDescription: true,
  });
  if (row === undefined) return undefined;
  if (row.uri !== undefined) return row.uri;
  const [chosen] = (await vscode.window.showOpenDialog({ title: vscode.l10n.t('Add a File') })) ?? [];
  return chosen;
}

async function fileRows(): Promise<FileRow[]> {
  const open = openFiles();
  const isOpen = new Set(open.map(String));
  const others = (await workspaceFiles()).filter((uri) => !isOpen.has(uri.toString()));
  return [
    ...open.map((uri) => rowOf(uri, 'go-to-file')),
    ...others.map((uri) => rowOf(uri, 'file')),
    { label: '', kind: vscode.QuickPickItemKind.Separator },
    { label: `$(folder-opened) ${vscode.l10n.t('Browse…')}`, alwaysShow: true },
  ];
}

function rowOf(uri: vscode.Uri, icon: string): FileRow {
  return { label: `$(${icon}) ${plainLabel(nameOf(uri))}`, description: plainLabel(pathOf(uri)), uri };
}
