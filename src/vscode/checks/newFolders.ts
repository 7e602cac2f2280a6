import * as vscode from 'vscode';
import { DisposableList } from '../platform/disposables.ts';
import { checksPattern } from './checksNames.ts';

/** What is written into a new folder at once has arrived after this many milliseconds. Later files are reported. */
const PAUSE_MS = 500;
/** While a build or a checkout creates files for minutes, the pauses are this many times as long as the searches. */
const PAUSES_PER_SEARCH = 10;
/** If more files and folders appear together, all of them are taken for folders, because asking costs more. */
const MOST_LOOKED_AT = 100;
/** If more folders appear together, one search of the whole workspace costs less than one of each. */
const MOST_SEARCHED = 4;
const MOST_FOUND = 500;
const packages = '**/node_modules/**';
/** Those and git's own files aren't searched. */
const unsearched = /\/(?:node_modules|\.git)(?:\/|$)/;

export interface NewFoldersDeps {
  readonly found: (checks: vscode.Uri) => void;
  readonly onError: (cause: unknown) => void;
}

/**
 * Finds files of checks in folders that appear. VS Code's watcher reports a folder that's moved into the workspace, but
 * nothing in it, and on Linux it misses what is written into a new folder before it watches that too. A folder that
 * isn't trusted isn't searched.
 */
export function watchNewFolders({ found, onError }: NewFoldersDeps): vscode.Disposable {
  const own = new DisposableList();
  let created: vscode.Uri[] = [];
  let timer: NodeJS.Timeout | undefined;
  const search = async () => {
    const all = created;
    created = [];
    const folders = await foldersAmong(withoutNested(all));
    const uris = folders.length > MOST_SEARCHED ? await foundBelow(folders) : await foundInEach(folders, onError);
    if (!own.disposed) for (const uri of uris) found(uri);
  };
  // One search after the other.
  const searchAfter = (pauseMs: number) => {
    timer ??= setTimeout(() => void searchNow(), pauseMs);
  };
  const searchNow = async () => {
    const startedMs = performance.now();
    await search().catch(onError);
    const tookMs = performance.now() - startedMs;
    timer = undefined;
    if (created.length > 0 && !own.disposed) searchAfter(Math.max(PAUSE_MS, tookMs * PAUSES_PER_SEARCH));
  };
  const watcher = own.add(vscode.workspace.createFileSystemWatcher('**/*', false, true, true));
  own.add(
    watcher.onDidCreate((uri) => {
      if (!vscode.workspace.isTrusted || unsearched.test(uri.path)) return;
      created.push(uri);
      searchAfter(PAUSE_MS);
    }),
  );
  own.add({ dispose: () => clearTimeout(timer) });
  return own;
}

/** VS Code's watcher might report a folder and some of what is in it. */
function withoutNested(uris: readonly vscode.Uri[]): readonly vscode.Uri[] {
  const paths = pathsOf(uris);
  return uris.filter(({ path }) => !isBelow(path, paths));
}

async function foldersAmong(uris: readonly vscode.Uri[]): Promise<readonly vscode.Uri[]> {
  if (uris.length > MOST_LOOKED_AT) return uris;
  const areFolders = await Promise.all(uris.map(isFolder));
  return uris.filter((_uri, at) => areFolders[at]);
}

async function foundBelow(folders: readonly vscode.Uri[]): Promise<readonly vscode.Uri[]> {
  const paths = pathsOf(folders);
  const uris = await vscode.workspace.findFiles(checksPattern, packages);
  return uris.filter(({ path }) => isBelow(path, paths)).slice(0, MOST_FOUND);
}

async function foundInEach(
  folders: readonly vscode.Uri[],
  onError: (cause: unknown) => void,
): Promise<readonly vscode.Uri[]> {
  const search = async (folder: vscode.Uri): Promise<readonly vscode.Uri[]> => {
    try {
      return await vscode.workspace.findFiles(new vscode.RelativePattern(folder, checksPattern), packages, MOST_FOUND);
    } catch (cause) {
      // It might have gone meanwhile, and the others still count.
      if (await isFolder(folder)) onError(cause);
      return [];
    }
  };
  return (await Promise.all(folders.map(search))).flat();
}

function pathsOf(uris: readonly vscode.Uri[]): ReadonlySet<string> {
  return new Set(uris.map(({ path }) => path));
}

/** Whether one of the folders contains it, at any depth. */
function isBelow(path: string, folders: ReadonlySet<string>): boolean {
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
    if (folders.has(path.slice(0, end))) return true;
  }
  return false;
}

async function isFolder(uri: vscode.Uri): Promise<boolean> {
  try {
    return ((await vscode.workspace.fs.stat(uri)).type & vscode.FileType.Directory) !== 0;
  } catch {
    // Already gone.
    return false;
  }
}
