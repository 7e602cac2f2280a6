import * as vscode from 'vscode';

/**
 * Whether a link stands between an open folder and what is named in it. Then it is not the folder's own: a link that
 * came with it may lead to any file of the machine. False outside of the open folders, and where nothing is there.
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
