import * as vscode from 'vscode';
import { problemOfUnreadableFile } from '../../../core/problems/attachmentProblems.ts';
import { reasonOf } from '../../../core/problems/reasonOf.ts';
import type { Taken } from '../contextSnapshot.ts';
import { maySend } from '../secretFile.ts';
import { documentContext, nameOf, notebookAt, notebookContext } from './documentContext.ts';

/** In bytes: VS Code opens no larger text. */
const mostRead = 50 * 1024 * 1024;

/** A file, including unsaved changes. If it might contain secrets, the user is asked first. */
export async function fileContext(uri: vscode.Uri): Promise<Taken> {
  if (!(await maySend(uri))) return undefined;
  const notebook = notebookAt(uri);
  if (notebook !== undefined) return notebookContext(notebook);
  try {
    const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
    const closed = open === undefined ? await closedNotebook(uri) : undefined;
    if (closed !== undefined) return notebookContext(closed);
    const document = open ?? (await vscode.workspace.openTextDocument(uri));
    if (document.getText().includes('\0')) return problemOfUnreadableFile(nameOf(uri), '');
    return documentContext(document);
  } catch (error) {
    // VS Code's own words for it name a whole URI.
    return problemOfUnreadableFile(nameOf(uri), (await isBinary(uri)) ? '' : reasonOf(error));
  }
}

/** Its text would be JSON with all outputs. */
async function closedNotebook(uri: vscode.Uri): Promise<vscode.NotebookDocument | undefined> {
  if (!uri.path.toLowerCase().endsWith('.ipynb')) return undefined;
  try {
    return await vscode.workspace.openNotebookDocument(uri);
  } catch {
    // It's damaged, or the extension for it is disabled.
    return undefined;
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
