import * as vscode from 'vscode';

/** Whether this document takes edits, as far as can be told before one is tried. */
export async function isEditable({ uri, isUntitled }: vscode.TextDocument): Promise<boolean> {
  if (isUntitled) return true;
  const ofNotebook = vscode.workspace.notebookDocuments.find((notebook) =>
    notebook.getCells().some((cell) => cell.document.uri.toString() === uri.toString()),
  );
  const file = ofNotebook?.uri ?? uri;
  if (file.scheme === 'untitled') return true;
  // Undefined for what is no file at all, such as a version of the past that git shows.
  if (vscode.workspace.fs.isWritableFileSystem(file.scheme) !== true) return false;
  try {
    const { permissions = 0 } = await vscode.workspace.fs.stat(file);
    return (permissions & vscode.FilePermission.Readonly) === 0;
  } catch {
    // Deleted while it is open: its text can still be changed, and saved anew.
    return true;
  }
}
