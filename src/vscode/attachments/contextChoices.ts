import * as vscode from 'vscode';
import type { ContextKind } from '../../shared/attachment.ts';
import type { Taken } from './contextSnapshot.ts';
import { maySend } from './secretFile.ts';
import { clipboardContext } from './sources/clipboardContext.ts';
import { linesOf, nameOf, pathOf, selectionContext } from './sources/documentContext.ts';
import { fileContext } from './sources/fileContext.ts';
import { chosenFolderTree } from './sources/folderTreeContext.ts';
import { gitContext } from './sources/gitContext.ts';
import { openEditorsContext, openFiles } from './sources/openEditorsContext.ts';
import { problems, problemsContext } from './sources/problemsContext.ts';
import { symbolContext } from './sources/symbolContext.ts';
import { terminalContext } from './sources/terminalContext.ts';

/** Something that can be added now. */
export interface ContextChoice {
  readonly kind: ContextKind;
  readonly label: string;
  /** Name of the file, or a count. */
  readonly detail: string;
  readonly take: () => Promise<Taken>;
}

/** What can be added, closest to the user's current place first. */
export function contextChoices(editor: vscode.TextEditor | undefined): readonly ContextChoice[] {
  return [...(editor === undefined ? [] : editorChoices(editor)), ...workspaceChoices(editor?.document.uri)];
}

/** Choices about the open file. */
function editorChoices(editor: vscode.TextEditor): readonly ContextChoice[] {
  const { document } = editor;
  const { uri } = document;
  const name = nameOf(uri);
  const choices: ContextChoice[] = [];
  const add = adderTo(choices);
  if (editor.selections.some(({ isEmpty }) => !isEmpty)) {
    add('selection', vscode.l10n.t('Selection'), `${name}:${linesOf(editor.selection)}`, async () =>
      (await maySend(uri)) ? selectionContext(editor) : undefined,
    );
  }
  add('file', vscode.l10n.t('This File'), pathOf(uri), () => fileContext(uri));
  add('symbol', vscode.l10n.t('Symbol…'), name, () => symbolContext(document));
  const count = problems(uri).length;
  if (count > 0) {
    add('problems', vscode.l10n.t('Problems in This File'), String(count), () => problemsContext(uri));
  }
  return choices;
}

/** @param near the open file */
function workspaceChoices(near: vscode.Uri | undefined): readonly ContextChoice[] {
  const choices: ContextChoice[] = [];
  const add = adderTo(choices);
  const open = openFiles().length;
  if (open > 1) add('openEditors', vscode.l10n.t('Open Editors'), String(open), openEditorsContext);
  if ((vscode.workspace.workspaceFolders ?? []).length > 0) {
    add('folderTree', vscode.l10n.t('Folder Tree'), '', () => chosenFolderTree(near));
  }
  const count = problems().length;
  if (count > 0) {
    add('problems', vscode.l10n.t('All Problems'), String(count), () => problemsContext());
  }
  if (vscode.extensions.getExtension('vscode.git') !== undefined) {
    add('gitStaged', vscode.l10n.t('Staged Changes'), '', () => gitContext(true, near));
    add('gitWorking', vscode.l10n.t('Unstaged Changes'), '', () => gitContext(false, near));
  }
  const terminal = vscode.window.activeTerminal;
  if (terminal !== undefined) add('terminal', vscode.l10n.t('Terminal Selection'), terminal.name, terminalContext);
  add('clipboard', vscode.l10n.t('Clipboard'), '', clipboardContext);
  return choices;
}

type Adder = (kind: ContextKind, label: string, detail: string, take: () => Promise<Taken>) => void;

function adderTo(choices: ContextChoice[]): Adder {
  return (kind, label, detail, take) => {
    choices.push({ kind, label, detail, take });
  };
}
