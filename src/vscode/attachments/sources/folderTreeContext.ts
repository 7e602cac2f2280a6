import * as vscode from 'vscode';
import { problemOfNothingToAdd } from '../../../core/problems/attachmentProblems.ts';
import { contextBlock } from '../../../core/chat/contextBlock.ts';
import type { Taken } from '../contextSnapshot.ts';
import { folderName } from '../filePaths.ts';
import { IgnoredFiles } from '../ignoredFiles.ts';
import { listLevels } from '../listLevels.ts';
import { nameOf, pathOf } from './documentContext.ts';
import { plainWindow } from '../../platform/plainWindow.ts';

const MOST_ENTRIES = 2000;
/** Number of folders that are listed at once. */
const MOST_AT_ONCE = 16;

/** Asks which folder if there are several: those of the workspace, and that of the open file. */
export async function chosenFolderTree(near: vscode.Uri | undefined): Promise<Taken> {
  const folders = (vscode.workspace.workspaceFolders ?? []).map((folder, _index, all) => ({
    icon: 'root-folder',
    label: folderName(folder, all),
    uri: folder.uri,
  }));
  if (folders.length === 0) return problemOfNothingToAdd('folder');
  const parent = near === undefined ? undefined : vscode.Uri.joinPath(near, '..');
  const isInside = parent !== undefined && vscode.workspace.getWorkspaceFolder(parent) !== undefined;
  const isRoot = folders.some(({ uri }) => uri.toString() === parent?.toString());
  const rows = isInside && !isRoot ? [...folders, { icon: 'folder', label: pathOf(parent), uri: parent }] : folders;
  const title = vscode.l10n.t('Select a Folder');
  const row = rows.length === 1 ? rows[0] : await plainWindow.showQuickPick(rows, { title });
  return row === undefined ? undefined : folderTreeContext(row.uri);
}

/** The names in a folder and its subfolders, as a tree, without ignored files. */
export async function folderTreeContext(folder: vscode.Uri): Promise<Taken> {
  const lines: string[] = [];
  const isWhole = write(folder, '', lines, await listings(folder, new IgnoredFiles()));
  if (!isWhole) lines.push('…');
  const root = vscode.workspace.getWorkspaceFolder(folder);
  const isRoot = root?.uri.toString() === folder.toString();
  const path = isRoot ? folderName(root, vscode.workspace.workspaceFolders) : pathOf(folder);
  return {
    kind: 'folderTree',
    name: `${isRoot ? root.name : nameOf(folder)}/`,
    detail: isWhole ? `${path}/` : vscode.l10n.t('{0}/ (the first {1} names)', path, MOST_ENTRIES),
    block: contextBlock({ heading: `Folder tree: ${path}/`, language: '', text: lines.join('\n') }),
  };
}

/** The listing of a folder, sorted for display: folders first. */
type Listing = readonly (readonly [name: string, type: vscode.FileType])[];

/** A folder and its subfolders, without ignored files. */
async function listings(folder: vscode.Uri, ignored: IgnoredFiles): Promise<ReadonlyMap<string, Listing>> {
  const found = new Map<string, Listing>();
  await listLevels(
    folder,
    async (each) => {
      const list = await listed(each, ignored);
      found.set(each.toString(), list);
      // A link to a folder might lead back up.
      const inner = list.filter(([, type]) => type === vscode.FileType.Directory);
      return { entries: list.length, inner: inner.map(([name]) => vscode.Uri.joinPath(each, name)) };
    },
    { entries: MOST_ENTRIES, atOnce: MOST_AT_ONCE },
  );
  return found;
}

async function listed(folder: vscode.Uri, ignored: IgnoredFiles): Promise<Listing> {
  const entries = await vscode.workspace.fs.readDirectory(folder).then(
    (found) => found,
    () => [],
  );
  if (!entries.some(([name]) => name === '.gitignore')) ignored.hasNone(folder);
  const isLeftOut = await Promise.all(
    entries.map(([name, type]) => ignored.has(vscode.Uri.joinPath(folder, name), isFolder(type))),
  );
  return entries
    .filter((_entry, index) => isLeftOut[index] === false)
    .toSorted(([one, oneType], [other, otherType]) => {
      const folders = Number(isFolder(otherType)) - Number(isFolder(oneType));
      return folders === 0 ? one.localeCompare(other, 'en') : folders;
    });
}

/** @returns false if there was more than the limit */
function write(folder: vscode.Uri, indent: string, lines: string[], found: ReadonlyMap<string, Listing>): boolean {
  const list = found.get(folder.toString());
  let isWhole = list !== undefined;
  for (const [name, type] of list ?? []) {
    if (lines.length >= MOST_ENTRIES) return false;
    lines.push(`${indent}${name}${isFolder(type) ? '/' : ''}`);
    if (type !== vscode.FileType.Directory) continue;
    // An entry that was too deep to be listed doesn't end the tree.
    if (!write(vscode.Uri.joinPath(folder, name), `${indent}  `, lines, found)) isWhole = false;
  }
  return isWhole;
}

function isFolder(type: vscode.FileType): boolean {
  return (type & vscode.FileType.Directory) !== 0;
}
