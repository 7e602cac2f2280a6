import * as vscode from 'vscode';
import { confirmHidden } from './confirmHidden.ts';
import { plainWindow } from './plainWindow.ts';
import { isEditable } from './isEditable.ts';

/**
 * Puts code, a message, or an error on the clipboard. It might be pasted into a terminal, so invisible characters are
 * named first.
 *
 * @returns whether it is there; false when the person decided against it
 */
export async function copyText(text: string): Promise<boolean> {
  if (!(await confirmHidden(text, { isCode: false }))) return false;
  await vscode.env.clipboard.writeText(text);
  return true;
}

/**
 * Puts code at the cursor, in place of what is selected, as one undo step.
 *
 * @param last the text editor that the person was in last, which a chat in a tab may cover
 */
export async function insertCode(text: string, last: vscode.TextEditor | undefined): Promise<void> {
  if (!(await confirmHidden(text))) return;
  if (last === undefined || last.document.isClosed) {
    const open = vscode.l10n.t('Open as New File');
    const chosen = await plainWindow.showInformationMessage(
      vscode.l10n.t('No editor is open to insert the code into.'),
      open,
    );
    if (chosen === open) await showNewFile(text, '');
    return;
  }
  // One that is covered takes no edit; shown again, it has its cursors as they were.
  const editor = await vscode.window.showTextDocument(last.document, last.viewColumn);
  if (await isInserted(text, editor)) return;
  const open = vscode.l10n.t('Open as New File');
  const chosen = await plainWindow.showWarningMessage(
    vscode.l10n.t("Couldn't insert the code: {0} is read-only.", editor.document.fileName),
    open,
  );
  if (chosen === open) await showNewFile(text, '');
}

/** VS Code says that an edit was made also where an editor is read-only and takes none: the document tells. */
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

/** Opens a web or mail address that a model wrote. Others are never opened. VS Code shows the host and asks. */
export async function openLink(href: string): Promise<void> {
  const url = URL.parse(href);
  if (url === null || !['http:', 'https:', 'mailto:'].includes(url.protocol)) return;
  await vscode.env.openExternal(vscode.Uri.parse(url.href, true));
}

async function showNewFile(text: string, language: string): Promise<void> {
  const id = await knownLanguage(language);
  const document = await vscode.workspace.openTextDocument({
    content: text,
    ...(id !== undefined && { language: id }),
  });
  await vscode.window.showTextDocument(document);
}

/** VS Code's id for what a fence calls its language: the id itself, an extension, or one of the usual short names. */
async function knownLanguage(name: string): Promise<string | undefined> {
  const short: Readonly<Record<string, string>> = {
    ts: 'typescript',
    tsx: 'typescriptreact',
    js: 'javascript',
    jsx: 'javascriptreact',
    py: 'python',
    rb: 'ruby',
    rs: 'rust',
    cs: 'csharp',
    'c++': 'cpp',
    sh: 'shellscript',
    bash: 'shellscript',
    zsh: 'shellscript',
    yml: 'yaml',
    md: 'markdown',
    golang: 'go',
    kt: 'kotlin',
    ps1: 'powershell',
    docker: 'dockerfile',
    make: 'makefile',
  };
  const wanted = name.toLowerCase();
  const id = short[wanted] ?? wanted;
  const known = await vscode.languages.getLanguages();
  return known.includes(id) ? id : undefined;
}
