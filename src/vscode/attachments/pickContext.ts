import * as vscode from 'vscode';
import type { Taken } from './contextSnapshot.ts';
import { clipboardContext } from './sources/clipboardContext.ts';
import { linesOf, nameOf, pathOf, selectionContext } from './sources/documentContext.ts';
import { fileContext, maySend } from './sources/fileContext.ts';
import { folderTreeContext } from './sources/folderTreeContext.ts';
import { gitContext } from './sources/gitContext.ts';
import { openEditorsContext, openFiles } from './sources/openEditorsContext.ts';
import { problems, problemsContext } from './sources/problemsContext.ts';
import { symbolContext } from './sources/symbolContext.ts';
import { terminalContext } from './sources/terminalContext.ts';
import { pickFile } from './pickFile.ts';

/** A picture's file, to be made smaller by the page. */
export interface ChosenPicture {
  readonly picture: vscode.Uri;
}

interface KindRow extends vscode.QuickPickItem {
  readonly take?: () => Promise<Taken | ChosenPicture>;
}

/** Lets a person choose what to add; only what is there is listed. Undefined when they leave. */
export async function pickContext(editor: vscode.TextEditor | undefined): Promise<Taken | ChosenPicture> {
  const row = await vscode.window.showQuickPick<KindRow>(contextRows(editor), {
    title: vscode.l10n.t('Add Context'),
    placeHolder: vscode.l10n.t('What should go with the message?'),
    matchOnDescription: true,
  });
  return row?.take?.();
}

function contextRows(editor: vscode.TextEditor | undefined): KindRow[] {
  const rows: KindRow[] = [];
  if (editor !== undefined) rows.push(...editorRows(editor));
  rows.push({
    label: `$(file-add) ${vscode.l10n.t('File…')}`,
    take: async () => {
      const uri = await pickFile();
      return uri === undefined ? undefined : fileContext(uri);
    },
  });
  const open = openFiles().length;
  if (open > 1) {
    rows.push({
      label: `$(files) ${vscode.l10n.t('Open Editors')}`,
      description: String(open),
      take: openEditorsContext,
    });
  }
  if ((vscode.workspace.workspaceFolders ?? []).length > 0) {
    rows.push({ label: `$(list-tree) ${vscode.l10n.t('Folder Tree')}`, take: () => folderTree(editor) });
  }
  const count = problems().length;
  if (count > 0) {
    rows.push({
      label: `$(warning) ${vscode.l10n.t('All Problems')}`,
      description: String(count),
      take: () => Promise.resolve(problemsContext()),
    });
  }
  if (vscode.extensions.getExtension('vscode.git') !== undefined) {
    rows.push(
      {
        label: `$(git-commit) ${vscode.l10n.t('Staged Changes')}`,
        take: () => gitContext(true, editor?.document.uri),
      },
      {
        label: `$(diff) ${vscode.l10n.t('Unstaged Changes')}`,
        take: () => gitContext(false, editor?.document.uri),
      },
    );
  }
  const terminal = vscode.window.activeTerminal;
  if (terminal !== undefined) {
    rows.push({
      label: `$(terminal) ${vscode.l10n.t('Terminal Selection')}`,
      description: terminal.name,
      take: terminalContext,
    });
  }
  rows.push(
    { label: `$(clippy) ${vscode.l10n.t('Clipboard')}`, take: clipboardContext },
    { label: `$(file-media) ${vscode.l10n.t('Picture…')}`, take: choosePicture },
  );
  return rows;
}

/** What concerns the open file. */
function editorRows(editor: vscode.TextEditor): KindRow[] {
  const { document } = editor;
  const name = nameOf(document.uri);
  const rows: KindRow[] = [];
  if (editor.selections.some(({ isEmpty }) => !isEmpty)) {
    rows.push({
      label: `$(selection) ${vscode.l10n.t('Selection')}`,
      description: `${name}:${linesOf(editor.selection)}`,
      take: async () => ((await maySend(document.uri)) ? selectionContext(editor) : undefined),
    });
  }
  rows.push(
    {
      label: `$(file) ${vscode.l10n.t('This File')}`,
      description: pathOf(document.uri),
      take: () => fileContext(document.uri),
    },
    {
      label: `$(symbol-method) ${vscode.l10n.t('Symbol…')}`,
      description: name,
      take: async () => ((await maySend(document.uri)) ? symbolContext(document) : undefined),
    },
  );
  const count = problems(document.uri).length;
  if (count > 0) {
    rows.push({
      label: `$(warning) ${vscode.l10n.t('Problems of This File')}`,
      description: String(count),
      take: () => Promise.resolve(problemsContext(document.uri)),
    });
  }
  return rows;
}

async function folderTree(editor: vscode.TextEditor | undefined): Promise<Taken> {
  const folders = (vscode.workspace.workspaceFolders ?? []).map(({ uri, name }) => ({
    label: `$(root-folder) ${name}`,
    uri,
  }));
  const near = editor?.document.uri;
  const parent = near === undefined ? undefined : vscode.Uri.joinPath(near, '..');
  const isInside = parent !== undefined && vscode.workspace.getWorkspaceFolder(parent) !== undefined;
  const isRoot = folders.some(({ uri }) => uri.toString() === parent?.toString());
  const rows = isInside && !isRoot ? [...folders, { label: `$(folder) ${pathOf(parent)}`, uri: parent }] : folders;
  const row =
    rows.length === 1
      ? rows[0]
      : await vscode.window.showQuickPick(rows, { title: vscode.l10n.t('Tree of Which Folder?') });
  return row === undefined ? undefined : folderTreeContext(row.uri);
}

async function choosePicture(): Promise<ChosenPicture | undefined> {
  const [picture] =
    (await vscode.window.showOpenDialog({
      title: vscode.l10n.t('Add a Picture'),
      openLabel: vscode.l10n.t('Add'),
      filters: { [vscode.l10n.t('Pictures')]: ['png', 'jpg', 'jpeg', 'webp', 'gif'] },
    })) ?? [];
  return picture === undefined ? undefined : { picture };
}
