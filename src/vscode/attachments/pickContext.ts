import * as vscode from 'vscode';
import { contextIcons } from '../../shared/attachment.ts';
import { contextChoices } from './contextChoices.ts';
import type { Taken } from './contextSnapshot.ts';
import { choosePicture, type ChosenPicture } from './pictureFile.ts';
import { fileContext } from './sources/fileContext.ts';
import type { WorkspaceFiles } from './workspaceFiles.ts';
import type { ShownItem } from '../platform/plainItems.ts';
import { openQuestions } from '../platform/openQuestions.ts';
import { plainWindow } from '../platform/plainWindow.ts';
import { nameOf, pathOf } from './sources/documentContext.ts';
import { openFiles } from './sources/openEditorsContext.ts';

/** What the user selected, which is about to be read. */
export interface PickedContext {
  readonly name: string;
  readonly take: () => Promise<Taken | ChosenPicture>;
}

interface Row extends ShownItem {
  readonly pick: () => Promise<PickedContext | undefined>;
}

/** Lets the user select what to add, from the available kinds. Undefined if they cancel. */
export async function pickContext(
  editor: vscode.TextEditor | undefined,
  files: Pick<WorkspaceFiles, 'list'>,
): Promise<PickedContext | undefined> {
  const rows: Row[] = contextChoices(editor).map(({ kind, label, detail, take }) => ({
    icon: contextIcons[kind],
    label,
    description: detail,
    pick: async () => ({ name: label, take }),
  }));
  rows.push(
    {
      icon: 'file-add',
      label: vscode.l10n.t('Select Another File…'),
      pick: () => picked(pickFile(files), fileContext),
    },
    {
      icon: 'file-media',
      label: vscode.l10n.t('Image…'),
      pick: () => picked(choosePicture(), async (picture) => ({ picture })),
    },
  );
  const row = await plainWindow.showQuickPick(rows, {
    title: vscode.l10n.t('Add Context'),
    placeHolder: vscode.l10n.t('Select what to attach'),
    matchOnDescription: true,
  });
  return row?.pick();
}

async function picked(
  choosing: Promise<vscode.Uri | undefined>,
  take: (uri: vscode.Uri) => ReturnType<PickedContext['take']>,
): Promise<PickedContext | undefined> {
  const uri = await choosing;
  return uri && { name: nameOf(uri), take: () => take(uri) };
}

interface FileRow extends ShownItem {
  readonly uri?: vscode.Uri;
}

/** Asks for a file: one in the workspace, open files first, or any other through VS Code's dialog. */
async function pickFile(files: Pick<WorkspaceFiles, 'list'>): Promise<vscode.Uri | undefined> {
  const row = await openQuestions.during(pickRow(files));
  if (row === undefined) return undefined;
  if (row.uri !== undefined) return row.uri;
  const [chosen] = (await plainWindow.showOpenDialog({ title: vscode.l10n.t('Add a File') })) ?? [];
  return chosen;
}

async function pickRow(files: Pick<WorkspaceFiles, 'list'>): Promise<FileRow | undefined> {
  const pick = plainWindow.createQuickPick<FileRow>();
  try {
    pick.title = vscode.l10n.t('Add a File');
    pick.placeholder = vscode.l10n.t('Search by name or path');
    pick.matchOnDescription = true;
    const { promise, resolve, reject } = Promise.withResolvers<FileRow | undefined>();
    pick.onDidHide(() => resolve(undefined));
    pick.onDidAccept(() => resolve(pick.selectedItems[0]));
    let shown: readonly vscode.Uri[] | undefined;
    const show = async (typed: string) => {
      pick.busy = true;
      const found = await files.list(typed);
      // Only the last text counts. The same files are the same rows, too.
      if (typed !== pick.value) return;
      if (found !== shown) pick.items = fileRows(found);
      shown = found;
      pick.busy = false;
    };
    pick.onDidChangeValue((typed) => void show(typed).catch(reject));
    pick.show();
    void show('').catch(reject);
    return await promise;
  } finally {
    pick.dispose();
  }
}

function fileRows(files: readonly vscode.Uri[]): FileRow[] {
  const open = openFiles();
  const isOpen = new Set(open.map(String));
  const others = files.filter((uri) => !isOpen.has(uri.toString()));
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
