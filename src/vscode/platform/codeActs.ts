import * as vscode from 'vscode';
import { languageId } from '../../shared/text/languageNames.ts';
import { confirmHidden } from './confirmHidden.ts';
import { plainWindow } from './plainWindow.ts';
import { isEditable } from './isEditable.ts';
import { openAddress } from './pages/openAddress.ts';
import { type ChangedDocument, confirmInsert } from './documents/confirmInsert.ts';
import { openModelText } from './documents/openModelText.ts';
import { refusedCodeText } from '../../core/problems/fileTexts.ts';

/**
 * Copies code, a message, or an error to the clipboard. It might be pasted into a terminal, so the user is warned about
 * invisible characters first.
 * @returns whether it was copied; false if the user decided against it
 */
export async function copyText(text: string): Promise<boolean> {
  if (!(await confirmHidden(text, { isCode: false }))) return false;
  await vscode.env.clipboard.writeText(text);
  return true;
}

/** Where code of a reply belongs: the text editor that the user was in last, which a chat tab might cover. */
export interface CodeTarget {
  /** Never one of our own documents. */
  readonly ofUser: vscode.TextEditor | undefined;
}

/** Inserts code at the cursor, replacing the selection, as one undo step. */
export async function insertCode(text: string, { ofUser: last }: CodeTarget): Promise<void> {
  if (!(await confirmInsert(text, last && inserted(text, last)))) return;
  if (last === undefined || last.document.isClosed) {
    const open = vscode.l10n.t('Open as New File');
    const chosen = await plainWindow.showInformationMessage(
      vscode.l10n.t('No editor is open to insert the code into.'),
      open,
    );
    if (chosen === open) await showNewFile(text, '');
    return;
  }
  // A covered editor can't be edited. Shown again, it has its old cursors.
  const editor = await vscode.window.showTextDocument(last.document, last.viewColumn);
  if (await isInserted(text, editor)) return;
  const open = vscode.l10n.t('Open as New File');
  const chosen = await plainWindow.showWarningMessage(refusedCodeText(editor.document.fileName), open);
  if (chosen === open) await showNewFile(text, '');
}

/** The document of an editor with a text at its cursors. */
function inserted(text: string, { document, selections }: vscode.TextEditor): ChangedDocument {
  let after = '';
  let end = 0;
  const before = document.getText();
  for (const selection of selections.toSorted((one, other) => one.start.compareTo(other.start))) {
    after += before.slice(end, document.offsetAt(selection.start)) + text;
    end = document.offsetAt(selection.end);
  }
  return { document, after: after + before.slice(end) };
}

/** VS Code reports success even for a read-only editor that wasn't changed, so the document is compared. */
async function isInserted(text: string, editor: vscode.TextEditor): Promise<boolean> {
  const { document, selections } = editor;
  if (!(await isEditable(document))) return false;
  const { version } = document;
  const changes = selections.some((selection) => document.getText(selection) !== text);
  const isMade = await editor.edit((edit) => {
    for (const selection of editor.selections) edit.replace(selection, text);
  });
  return isMade && (document.version !== version || !changes);
}

/** Opens code as an untitled document. */
export async function openCode(text: string, language: string): Promise<void> {
  if (await confirmHidden(text, { startsFile: true })) await showNewFile(text, language);
}

/** Opens a web or mail address from a model. Others are never opened. */
export async function openLink(href: string): Promise<void> {
  const url = URL.parse(href);
  if (url === null || !['http:', 'https:', 'mailto:'].includes(url.protocol)) return;
  await openAddress(url.href);
}

async function showNewFile(text: string, language: string): Promise<void> {
  await vscode.window.showTextDocument(await openModelText(text, await knownLanguage(language)));
}

/**
 * VS Code's language ID for the language of a fence: the ID itself, a file extension, or one of the common short names.
 */
async function knownLanguage(name: string): Promise<string | undefined> {
  const id = languageId(name);
  const known = await vscode.languages.getLanguages();
  return known.includes(id) ? id : undefined;
}
