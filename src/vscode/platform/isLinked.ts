import * as vscode from 'vscode';

/**
 * Whether there's a link between an open folder and the file. Then the file doesn't belong to the folder: a link in it
 * could lead to any file on the machine. False outside of the open folders, and if the file doesn't exist.
 */
export async function isLinked(uri: vscode.Uri): Promise<boolean> {
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  if (folder === undefined) return false;
  const names = uri.path
    .slice(folder.uri.path.length)
    .split('/')
    .filter((name) => name !== '');
  let at = folder.uri;
  for (const name of names) {
    at = vscode.Uri.joinPath(at, name);
    try {
      if (isLink((await vscode.workspace.fs.stat(at)).type)) return true;
    } catch (error) {
      if (error instanceof vscode.FileSystemError && error.code === 'FileNotFound') return false;
      throw error;
    }
  }
  return false;
}

export function isLink(type: vscode.FileType): boolean {
  return (type & vscode.FileType.SymbolicLink) !== 0;
}
