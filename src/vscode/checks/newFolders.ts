import * as vscode from 'vscode';
import { DisposableList } from '../platform/disposables.ts';
import { checksPattern } from './checksNames.ts';

/** What is written into a new folder at once has arrived after this many milliseconds. Later files are reported. */
const PAUSE_MS = 500;
/** More files and folders that appear together aren't looked at one by one. */
const MOST_LOOKED_AT = 100;
const MOST_FOUND = 500;

export interface NewFoldersDeps {
  readonly found: (checks: vscode.Uri) => void;
  readonly onError: (cause: unknown) => void;
}

/**
 * Finds files of checks in folders that appear. VS Code's watcher reports a folder that's moved into the workspace, but
 * nothing in it, and on Linux it misses what is written into a new folder before it watches that too.
 */
export function watchNewFolders({ found, onError }: NewFoldersDeps): vscode.Disposable {
  const own = new DisposableList();
  let created: vscode.Uri[] = [];
  let timer: NodeJS.Timeout | undefined;
  const search = async () => {
    const all = created;
    created = [];
    const patterns = all.length > MOST_LOOKED_AT ? [checksPattern] : await patternsOf(all);
    for (const pattern of patterns) {
      const uris = await vscode.workspace.findFiles(pattern, '**/node_modules/**', MOST_FOUND);
      if (own.disposed) return;
      for (const uri of uris) found(uri);
    }
  };
  // One search after the other: a build or a checkout creates files for minutes.
  const searchLater = () => {
    timer ??= setTimeout(() => {
      void search()
        .catch(onError)
        .finally(() => {
          timer = undefined;
          if (created.length > 0 && !own.disposed) searchLater();
        });
    }, PAUSE_MS);
  };
  const watcher = own.add(vscode.workspace.createFileSystemWatcher('**/*', false, true, true));
  own.add(
    watcher.onDidCreate((uri) => {
      created.push(uri);
      searchLater();
    }),
  );
  own.add({ dispose: () => clearTimeout(timer) });
  return own;
}

/** One for each folder among them. */
async function patternsOf(uris: readonly vscode.Uri[]): Promise<readonly vscode.RelativePattern[]> {
  const areFolders = await Promise.all(uris.map(isFolder));
  return uris.filter((_uri, at) => areFolders[at]).map((uri) => new vscode.RelativePattern(uri, checksPattern));
}

async function isFolder(uri: vscode.Uri): Promise<boolean> {
  try {
    return ((await vscode.workspace.fs.stat(uri)).type & vscode.FileType.Directory) !== 0;
  } catch {
    // Already gone.
    return false;
  }
}
