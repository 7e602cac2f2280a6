import * as vscode from 'vscode';
import { pathOf } from '../attachments/sources/documentContext.ts';
import { fileWithCase, firstCase, withCase, type WrittenCase } from '../../core/checks/writtenCase.ts';
import { commandIds } from '../settings/contributions.ts';
import { plainWindow } from '../platform/plainWindow.ts';
import { uriExists } from '../disk/uriFile.ts';
import { isLinked } from '../platform/isLinked.ts';
import { promptName, readPrompt } from '../prompts/files/promptFiles.ts';
import type { CheckTests } from './checkTests.ts';
import { checksPath } from './checksFiles.ts';
import { checksFileEnding } from './checksNames.ts';
import { promptFileEnding } from '../../core/prompts/promptDefinition.ts';
import { refusedEditText } from '../../core/problems/fileTexts.ts';

const MOST_PROMPTS = 200;

/** Adds a case for a prompt to the file next to it, and opens that. */
export async function newCheck(given: unknown, tests: CheckTests): Promise<void> {
  const prompt = promptOf(given) ?? (await pickPromptOfChecks());
  if (prompt === undefined) return;
  const { file } = await readPrompt(prompt);
  const selection = selectionOf(prompt) ?? vscode.l10n.t('The text that the prompt is about');
  const value = vscode.l10n.t('a word that the reply must contain');
  const written = firstCase(file.template, { name: vscode.l10n.t('What must be true'), value, selection });
  await openWithCase(checksOf(prompt), written, tests, promptName(prompt) + promptFileEnding);
}

/** Adds a case to a file that might not exist yet, saves it, and shows it. */
export async function openWithCase(
  uri: vscode.Uri,
  written: WrittenCase,
  tests: CheckTests,
  about: string,
): Promise<void> {
  const name = checksPath(uri);
  // A repository could link to any file on the machine.
  if (await isLinked(uri)) {
    // The command ends here: the message stays until the user closes it.
    void plainWindow.showInformationMessage(
      vscode.l10n.t('No check was added, because {0} is a symbolic link or in a linked folder.', name),
    );
    return;
  }
  const isThere = await uriExists(uri);
  const document = isThere ? await vscode.workspace.openTextDocument(uri) : undefined;
  const comment = vscode.l10n.t('Checks for {0}: run them in the Testing view.', about).replace(/\s+/g, ' ');
  const added = document === undefined ? fileWithCase(comment, written) : withCase(document.getText(), written);
  if (added === undefined) {
    // The command ends here: the message stays until the user closes it.
    void plainWindow.showInformationMessage(
      vscode.l10n.t("No check was added, because {0} has errors, or its cases aren't a list.", name),
    );
    await vscode.window.showTextDocument(uri, { preview: false });
    return;
  }
  const { text, at } = added;
  if (document === undefined) {
    await vscode.workspace.fs.createDirectory(vscode.Uri.joinPath(uri, '..'));
    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
  } else {
    const edit = new vscode.WorkspaceEdit();
    edit.replace(uri, new vscode.Range(0, 0, document.lineCount, 0), text);
    if (!(await vscode.workspace.applyEdit(edit))) throw new Error(refusedEditText(name));
    await document.save();
  }
  const shown = await vscode.window.showTextDocument(uri, { preview: false });
  const place = shown.document.positionAt(at);
  shown.selection = new vscode.Selection(place, place);
  shown.revealRange(new vscode.Range(place, place), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  await tests.refresh(uri);
}

/** The file of checks of a prompt file. */
export function checksOf(prompt: vscode.Uri): vscode.Uri {
  return vscode.Uri.joinPath(prompt, '..', promptName(prompt) + checksFileEnding);
}

function promptOf(given: unknown): vscode.Uri | undefined {
  const uri = given instanceof vscode.Uri ? given : vscode.window.activeTextEditor?.document.uri;
  if (uri?.path.endsWith(promptFileEnding) === true) return uri;
  if (uri?.path.endsWith(checksFileEnding) !== true) return undefined;
  return uri.with({ path: uri.path.slice(0, -checksFileEnding.length) + promptFileEnding });
}

async function pickPromptOfChecks(): Promise<vscode.Uri | undefined> {
  const found = await vscode.workspace.findFiles(`**/*${promptFileEnding}`, '**/node_modules/**', MOST_PROMPTS);
  const rows = found.map((uri) => ({ label: promptName(uri), description: pathOf(uri), uri }));
  const title = vscode.l10n.t('New Check');
  if (rows.length === 0) {
    // The command ends here: the message stays until the user closes it.
    void offerNewPrompt();
    return undefined;
  }
  const chosen = await plainWindow.showQuickPick(rows, {
    title,
    placeHolder: vscode.l10n.t('Which prompt is it for?'),
  });
  return chosen?.uri;
}

async function offerNewPrompt(): Promise<void> {
  const text = vscode.l10n.t('Checks are about prompt files. Create one first.');
  const create = vscode.l10n.t('New Prompt…');
  const chosen = await plainWindow.showInformationMessage(text, create);
  if (chosen === create) await vscode.commands.executeCommand(commandIds.newPrompt);
}

/** The selection in another visible editor, which the prompt is likely to be about. */
function selectionOf(prompt: vscode.Uri): string | undefined {
  const editor = vscode.window.visibleTextEditors.find(
    ({ document, selection }) => document.uri.toString() !== prompt.toString() && !selection.isEmpty,
  );
  return editor?.document.getText(editor.selection);
}
