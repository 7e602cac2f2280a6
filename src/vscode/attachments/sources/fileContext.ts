import * as vscode from 'vscode';
import { problemOfUnreadableFile } from '../../../core/attachmentProblems.ts';
import { looksSecret } from '../../../core/secretName.ts';
import type { Taken } from '../contextSnapshot.ts';
import { documentContext, nameOf, pathOf } from './documentContext.ts';

/** A file, with what is not saved of it. One that looks as if it held secrets is asked about first. */
export async function fileContext(uri: vscode.Uri): Promise<Taken> {
  if (!(await maySend(uri))) return undefined;
  try {
    const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
    const document = open ?? (await vscode.workspace.openTextDocument(uri));
    if (document.getText().includes('\0')) return problemOfUnreadableFile(nameOf(uri), '');
    return documentContext(document);
  } catch (error) {
    return problemOfUnreadableFile(nameOf(uri), error instanceof Error ? error.message : String(error));
  }
}

/** Asks before a file goes to a service that looks as if it held passwords or keys. */
export async function maySend(uri: vscode.Uri): Promise<boolean> {
  if (!looksSecret(uri.path)) return true;
  const add = vscode.l10n.t('Add It Anyway');
  const chosen = await vscode.window.showWarningMessage(
    vscode.l10n.t('“{0}” looks as if it holds passwords or keys', pathOf(uri)),
    { modal: true, detail: vscode.l10n.t('What you add to a message is sent to the inference service.') },
    add,
  );
  return chosen === add;
}
