import * as vscode from 'vscode';
import { DisposableList } from '../platform/disposables.ts';
import { isChecksFile, type LoadedChecks } from './checksFiles.ts';
import { checksPattern } from './checksNames.ts';
import { watchNewFolders } from './newFolders.ts';

/** What happens to files of checks, and to the files that they refer to. */
export interface ChecksWatch {
  readonly files: () => readonly LoadedChecks[];
  /** Those, and others that were shown before: the watcher can report that a file is gone before its new name is known. */
  readonly seen: () => readonly vscode.Uri[];
  /** It has to be read again, and might be gone. */
  readonly changed: (uri: vscode.Uri) => void;
  /** By a user, in VS Code. */
  readonly renamed: (uri: vscode.Uri, to: vscode.Uri) => void;
  readonly onError: (cause: unknown) => void;
}

/**
 * Deleted and renamed files are also `changed`: if a file was created a moment before, VS Code's watcher reports
 * nothing at all.
 */
export function watchChecks({ files, seen, changed, renamed, onError }: ChecksWatch): vscode.Disposable {
  const own = new DisposableList();
  const watcher = own.add(vscode.workspace.createFileSystemWatcher(checksPattern));
  // A case can refer to any file in the folder.
  const others = own.add(vscode.workspace.createFileSystemWatcher('**/*'));
  for (const event of [watcher.onDidCreate, watcher.onDidChange, watcher.onDidDelete]) own.add(event(changed));
  const used = (uri: vscode.Uri) => {
    const text = uri.toString();
    for (const { uri: file, uses } of files()) if (uses.has(text)) changed(file);
  };
  for (const event of [others.onDidChange, others.onDidCreate, others.onDidDelete]) own.add(event(used));
  own.add(watchNewFolders({ found: changed, onError }));
  const deleted = (uri: vscode.Uri) => {
    const shown = files().map((file) => file.uri);
    for (const each of filesBelow(shown, uri)) changed(each);
  };
  // Of a folder that is deleted, the watcher reports only that.
  own.add(others.onDidDelete(deleted));
  own.add(vscode.workspace.onDidDeleteFiles((event) => event.files.forEach(deleted)));
  own.add(
    vscode.workspace.onDidRenameFiles((event) => {
      for (const { oldUri, newUri } of event.files) {
        for (const uri of filesBelow(seen(), oldUri)) {
          const rest = uri.path.slice(oldUri.path.length);
          renamed(uri, newUri.with({ path: newUri.path + rest }));
          changed(uri);
        }
      }
    }),
  );
  own.add(
    vscode.workspace.onDidChangeTextDocument(({ document: { uri } }) => {
      if (isChecksFile(uri)) changed(uri);
      else used(uri);
    }),
  );
  return own;
}

/** @param uri of a file, or of a folder with everything in it */
function filesBelow(uris: readonly vscode.Uri[], uri: vscode.Uri): readonly vscode.Uri[] {
  return uris.filter(({ path }) => `${path}/`.startsWith(`${uri.path}/`));
}
