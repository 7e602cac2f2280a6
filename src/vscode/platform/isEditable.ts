import * as vscode from 'vscode';
import { notebookOf } from './documents/notebookOf.ts';

/** Whether this document can be edited, as far as known without trying. */
export async function isEditable(document: vscode.TextDocument): Promise<boolean> {
  const { uri, isUntitled } = document;
  if (isUntitled) return true;
  if (isMarkedReadOnly(document)) return false;
  const file = notebookOf(document)?.uri ?? uri;
  if (file.scheme === 'untitled') return true;
  // Undefined for anything that isn't a file, for example git's version of one.
  if (vscode.workspace.fs.isWritableFileSystem(file.scheme) !== true) return false;
  try {
    const { permissions = 0 } = await vscode.workspace.fs.stat(file);
    return (permissions & vscode.FilePermission.Readonly) === 0;
  } catch {
    // Deleted while it's open: its text can still be changed, and saved again.
    return true;
  }
}

/** By VS Code's read-only settings, which apply no matter what the file system says; our edits would bypass them. */
function isMarkedReadOnly(document: vscode.TextDocument): boolean {
  const settings = vscode.workspace.getConfiguration('files', document.uri);
  const isNamedIn = (name: string) =>
    Object.entries(settings.get<Readonly<Record<string, unknown>>>(name) ?? {}).some(
      ([glob, isOn]) => isOn === true && matches(document, glob),
    );
  return isNamedIn('readonlyInclude') && !isNamedIn('readonlyExclude');
}

/** Globs in settings are relative to the folder, or whole paths. */
function matches(document: vscode.TextDocument, glob: string): boolean {
  const folder = vscode.workspace.getWorkspaceFolder(document.uri);
  const patterns = folder === undefined ? [glob] : [glob, new vscode.RelativePattern(folder, glob)];
  return patterns.some((pattern) => vscode.languages.match({ pattern }, document) > 0);
}
