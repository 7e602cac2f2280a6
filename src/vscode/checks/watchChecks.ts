import * as vscode from 'vscode';
import { DisposableList } from '../platform/disposables.ts';
import { isChecksFile, type LoadedChecks } from './checksFiles.ts';
import { checksPattern } from './checksNames.ts';

/** What happens to files of checks, and to the files that they refer to. */
export interface ChecksWatch {
  readonly files: () => readonly LoadedChecks[];
  /** It has to be read again, and might be gone. */
  readonly changed: (uri: vscode.Uri) => void;
  /** By a user, in VS Code: a file that disappears in a switch of branches returns. */
  readonly deleted: (file: LoadedChecks) => void;
  /** By a user, in VS Code. */
  readonly renamed: (file: LoadedChecks, to: vscode.Uri) => void;
}

export function watchChecks({ files, changed, deleted, renamed }: ChecksWatch): vscode.Disposable {
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
  own.add(
    vscode.workspace.onDidDeleteFiles((event) => {
      for (const uri of event.files) for (const file of within(files(), uri)) deleted(file);
    }),
  );
  own.add(
    vscode.workspace.onDidRenameFiles((event) => {
      for (const { oldUri, newUri } of event.files) {
        for (const file of within(files(), oldUri)) {
          const rest = file.uri.path.slice(oldUri.path.length);
          renamed(file, newUri.with({ path: newUri.path + rest }));
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
function within(files: readonly LoadedChecks[], uri: vscode.Uri): readonly LoadedChecks[] {
  return files.filter((file) => `${file.uri.path}/`.startsWith(`${uri.path}/`));
}
