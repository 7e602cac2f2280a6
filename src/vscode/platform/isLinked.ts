import * as vscode from 'vscode';

/**
 * Whether there's a link between an open folder and the file. Then the file doesn't belong to the folder: a link in it
 * could lead to any file on the machine. False outside of the open folders, and if the file doesn't exist.
 */
export async function isLinked(uri: vscode.Uri): Promise<boolean> {
  return (await unlinkedStat(uri)) === 'linked';
}

/**
 * The same, with what was learned about the file on the way: undefined if nothing was, or it doesn't exist.
 *
 * @param folder that it has to belong to
 */
export async function unlinkedStat(
  uri: vscode.Uri,
  folder = vscode.workspace.getWorkspaceFolder(uri)?.uri,
): Promise<vscode.FileStat | 'linked' | undefined> {
  if (folder === undefined) return undefined;
  const names = uri.path
    .slice(folder.path.length)
    .split('/')
    .filter((name) => name !== '');
  let at = folder;
  let found: vscode.FileStat | undefined;
  for (const name of names) {
    at = vscode.Uri.joinPath(at, name);
    try {
      found = await vscode.workspace.fs.stat(at);
      if (isLink(found.type)) return 'linked';
    } catch (error) {
      if (error instanceof vscode.FileSystemError && error.code === 'FileNotFound') return undefined;
      throw error;
    }
  }
  return found;
}

export function isLink(type: vscode.FileType): boolean {
  return (type & vscode.FileType.SymbolicLink) !== 0;
}
