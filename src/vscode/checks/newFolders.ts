import * as vscode from 'vscode';
import { isUnder } from '../../core/checks/isUnder.ts';
import { Paced } from '../../shared/paced.ts';
import { DisposableList } from '../platform/disposables.ts';
import { checksPattern } from './checksNames.ts';

/**
 * What is written into a new folder at once has arrived after half a second, and later files are reported. A build or a
 * checkout creates files for minutes.
 */
const pace = { leastMs: 500, share: 0.1 };
/**
 * If more files and folders appear together, all of them are taken for folders, because asking costs more. If more are
 * changed, none of them: hardly any is a folder.
 */
const MOST_LOOKED_AT = 100;
/** If more folders appear together, one search of the whole workspace costs less than one of each. */
const MOST_SEARCHED = 10;
const MOST_FOUND = 500;
const packages = '**/node_modules/**';
/** Those and git's own files aren't searched. */
const unsearched = /(?:^|\/)(?:node_modules|\.git)(?:\/|$)/;

export interface NewFoldersDeps {
  readonly found: (checks: vscode.Uri) => void;
  readonly onError: (cause: unknown) => void;
}

/**
 * Finds files of checks in folders that appear. VS Code's watcher reports a folder that's moved into the workspace, but
 * nothing in it, and on Linux it misses what is written into a new folder before it watches that too. A folder that is
 * deleted and made again at once is reported as changed. A folder that isn't trusted isn't searched.
 */
export function watchNewFolders({ found, onError }: NewFoldersDeps): vscode.Disposable {
  const own = new DisposableList();
  let created: vscode.Uri[] = [];
  let changed: vscode.Uri[] = [];
  const search = async () => {
    const all = changed.length > MOST_LOOKED_AT ? created : [...created, ...changed];
    created = [];
    changed = [];
    const folders = await foldersAmong(all);
    const uris = folders.length > MOST_SEARCHED ? await foundBelow(folders) : await foundInEach(folders, onError);
    if (!own.disposed) for (const uri of uris) found(uri);
  };
  const searching = new Paced(() => search().catch(onError), pace, globalThis);
  own.add({ dispose: () => searching.stop() });
  const lookAt = (uri: vscode.Uri, uris: vscode.Uri[]) => {
    if (!vscode.workspace.isTrusted || unsearched.test(vscode.workspace.asRelativePath(uri, false))) return;
    uris.push(uri);
    searching.soon();
  };
  const watcher = own.add(vscode.workspace.createFileSystemWatcher('**/*', false, false, true));
  own.add(watcher.onDidCreate((uri) => lookAt(uri, created)));
  own.add(watcher.onDidChange((uri) => lookAt(uri, changed)));
  return own;
}

/** Without those in another one of them: the watcher might report a folder and some of what is in it. */
async function foldersAmong(uris: readonly vscode.Uri[]): Promise<readonly vscode.Uri[]> {
  if (uris.length > MOST_LOOKED_AT) return uris;
  const paths = pathsOf(uris);
  const outermost = uris.filter(({ path }) => !isUnder(path, paths));
  const areFolders = await Promise.all(outermost.map(isFolder));
  return outermost.filter((_uri, at) => areFolders[at]);
}

async function foundBelow(folders: readonly vscode.Uri[]): Promise<readonly vscode.Uri[]> {
  const paths = pathsOf(folders);
  const uris = await vscode.workspace.findFiles(checksPattern, packages);
  return uris.filter(({ path }) => isUnder(path, paths)).slice(0, MOST_FOUND);
}

async function foundInEach(
  folders: readonly vscode.Uri[],
  onError: (cause: unknown) => void,
): Promise<readonly vscode.Uri[]> {
  const search = async (folder: vscode.Uri): Promise<readonly vscode.Uri[]> => {
    try {
      return await vscode.workspace.findFiles(new vscode.RelativePattern(folder, checksPattern), packages, MOST_FOUND);
    } catch (cause) {
      // It might be gone by now, and the others still count.
      if (await isFolder(folder)) onError(cause);
      return [];
    }
  };
  return (await Promise.all(folders.map(search))).flat();
}

function pathsOf(uris: readonly vscode.Uri[]): ReadonlySet<string> {
  return new Set(uris.map(({ path }) => path));
}

async function isFolder(uri: vscode.Uri): Promise<boolean> {
  try {
    return ((await vscode.workspace.fs.stat(uri)).type & vscode.FileType.Directory) !== 0;
  } catch {
    // Already gone.
    return false;
  }
}
