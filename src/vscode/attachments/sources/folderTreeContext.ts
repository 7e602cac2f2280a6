import * as vscode from 'vscode';
import { problemOfNothingToAdd } from '../../../core/attachmentProblems.ts';
import { contextBlock } from '../../../core/contextBlock.ts';
import type { Taken } from '../contextSnapshot.ts';
import { plainLabel } from '../../plainLabel.ts';
import { IgnoredFiles } from '../ignoredFiles.ts';
import { nameOf, pathOf } from './documentContext.ts';

const MOST_ENTRIES = 2000;

/** Asks which folder where there are several: those of the workspace, and that of the open file. */
export async function chosenFolderTree(near: vscode.Uri | undefined): Promise<Taken> {
  const folders = (vscode.workspace.workspaceFolders ?? []).map(({ uri, name }) => ({
    label: `$(root-folder) ${plainLabel(name)}`,
    uri,
  }));
  if (folders.length === 0) return problemOfNothingToAdd('folder');
  const parent = near === undefined ? undefined : vscode.Uri.joinPath(near, '..');
  const isInside = parent !== undefined && vscode.workspace.getWorkspaceFolder(parent) !== undefined;
  const isRoot = folders.some(({ uri }) => uri.toString() === parent?.toString());
  const rows =
    isInside && !isRoot ? [...folders, { label: `$(folder) ${plainLabel(pathOf(parent))}`, uri: parent }] : folders;
  const title = vscode.l10n.t('Tree of Which Folder?');
  const row = rows.length === 1 ? rows[0] : await vscode.window.showQuickPick(rows, { title });
  return row === undefined ? undefined : folderTreeContext(row.uri);
}

/** The names of what is in a folder and below it, as a tree; what is ignored is left out. */
export async function folderTreeContext(folder: vscode.Uri): Promise<Taken> {
  const lines: string[] = [];
  const ignored = new IgnoredFiles();
  const isWhole = await walk(folder, '', lines, ignored);
  if (!isWhole) lines.push('…');
  const root = vscode.workspace.getWorkspaceFolder(folder);
  const isRoot = root?.uri.toString() === folder.toString();
  const path = isRoot ? root.name : pathOf(folder);
  return {
    kind: 'folderTree',
    name: `${isRoot ? root.name : nameOf(folder)}/`,
    detail: isWhole ? `${path}/` : vscode.l10n.t('{0}/ (the first {1} names)', path, MOST_ENTRIES),
    block: contextBlock({ heading: `Folder tree: ${path}/`, language: '', text: lines.join('\n') }),
  };
}

/** @returns false when there was more than is taken */
async function walk(folder: vscode.Uri, indent: string, lines: string[], ignored: IgnoredFiles): Promise<boolean> {
  const entries = await vscode.workspace.fs.readDirectory(folder).then(
    (found) => found,
    () => [],
  );
  const sorted = entries.toSorted(([one, oneType], [other, otherType]) => {
    const folders = Number(isFolder(otherType)) - Number(isFolder(oneType));
    return folders === 0 ? one.localeCompare(other, 'en') : folders;
  });
  for (const [name, type] of sorted) {
    const uri = vscode.Uri.joinPath(folder, name);
    if (await ignored.has(uri, isFolder(type))) continue;
    if (lines.length >= MOST_ENTRIES) return false;
    lines.push(`${indent}${name}${isFolder(type) ? '/' : ''}`);
    // A link to a folder may lead back up.
    if (type === vscode.FileType.Directory && !(await walk(uri, `${indent}  `, lines, ignored))) return false;
  }
  return true;
}

function isFolder(type: vscode.FileType): boolean {
  return (type & vscode.FileType.Directory) !== 0;
}
