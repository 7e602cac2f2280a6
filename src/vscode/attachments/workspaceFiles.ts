import * as vscode from 'vscode';
import { IgnoredFiles } from './ignoredFiles.ts';

const MOST_FILES = 5000;

/** The files of the open folders that are neither ignored nor look secret, sorted by path. */
export async function workspaceFiles(): Promise<readonly vscode.Uri[]> {
  const found = await vscode.workspace.findFiles('**/*', '**/node_modules/**', MOST_FILES);
  const ignored = new IgnoredFiles();
  const shown: vscode.Uri[] = [];
  for (const uri of found) if (!(await ignored.has(uri))) shown.push(uri);
  return shown.sort((one, other) => one.path.localeCompare(other.path, 'en'));
}
