import * as vscode from 'vscode';
import { problemOfUnreadableFile } from '../../../core/problems/attachmentProblems.ts';
import { reasonOf } from '../../../core/problems/reasonOf.ts';
import type { Taken } from '../contextSnapshot.ts';
import { maySend } from '../secretFile.ts';
import { documentContext, nameOf, notebookContext, notebookIn } from './documentContext.ts';

/** In bytes: VS Code opens no larger text. */
const mostRead = 50 * 1024 * 1024;

/** A file, including unsaved changes. If it might contain secrets, the user is asked first. */
export async function fileContext(uri: vscode.Uri): Promise<Taken> {
  if (!(await maySend(uri))) return undefined;
  const notebook = await notebookIn(uri);
  if (notebook !== undefined) return notebookContext(notebook);
  try {
    const document = await vscode.workspace.openTextDocument(uri);
    if (document.getText().includes('\0')) return problemOfUnreadableFile(nameOf(uri), '');
    return documentContext(document);
  } catch (error) {
    // VS Code's own words for it name a whole URI.
    return problemOfUnreadableFile(nameOf(uri), (await isBinary(uri)) ? '' : reasonOf(error));
  }
}

async function isBinary(uri: vscode.Uri): Promise<boolean> {
  try {
    const { size } = await vscode.workspace.fs.stat(uri);
    return size <= mostRead && (await vscode.workspace.fs.readFile(uri)).includes(0);
  } catch {
    return false;
  }
}
