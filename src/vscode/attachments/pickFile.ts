import * as vscode from 'vscode';
import type { WorkspaceFiles } from './workspaceFiles.ts';
import { nameOf, pathOf } from './sources/documentContext.ts';
import { openFiles } from './sources/openEditorsContext.ts';
import type { ShownItem } from '../platform/plainItems.ts';
import { plainWindow } from '../platform/plainWindow.ts';

interface FileRow extends ShownItem {
  readonly uri?: vscode.Uri;
}

/** Asks for a file: of the workspace, those that are open first, or any other by VS Code's dialog. */
export async function pickFile(files: Pick<WorkspaceFiles, 'list'>): Promise<vscode.Uri | undefined> {
  const row = await plainWindow.showQuickPick(fileRows(files), {
    title: vscode.l10n.t('Add a File'),
    placeHolder: vscode.l10n.t('Search by name or path'),
    matchOnDescription: true,
  });
  if (row === undefined) return undefined;
  if (row.uri !== undefined) return row.uri;
  const [chosen] = (await vscode.window.showOpenDialog({ title: vscode.l10n.t('Add a File') })) ?? [];
  return chosen;
}

async function fileRows(files: Pick<WorkspaceFiles, 'list'>): Promise<FileRow[]> {
  const open = openFiles();
  const isOpen = new Set(open.map(String));
  const others = (await files.list()).filter((uri) => !isOpen.has(uri.toString()));
  return [
    ...open.map((uri) => rowOf(uri, 'go-to-file')),
    ...others.map((uri) => rowOf(uri, 'file')),
    { label: '', kind: vscode.QuickPickItemKind.Separator },
    { icon: 'folder-opened', label: vscode.l10n.t('Browse…'), alwaysShow: true },
  ];
}

function rowOf(uri: vscode.Uri, icon: string): FileRow {
  return { icon, label: nameOf(uri), description: pathOf(uri), uri };
}
