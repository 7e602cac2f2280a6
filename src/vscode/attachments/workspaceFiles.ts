import * as vscode from 'vscode';
import { DisposableList } from '../platform/disposables.ts';
import { IgnoredFiles } from './ignoredFiles.ts';
import type { OnDropped } from './ignoreRules.ts';
import { linksToSecretName } from './secretFile.ts';

const MOST_FILES = 5000;
/** For folders that VS Code doesn't watch: new and deleted files are noticed after this time, in milliseconds. */
const MOST_AGE_MS = 5 * 60_000;
const elsewhere = '**/node_modules/**';

/** The files that can be added by name. Listed on demand, and again only after files were added or deleted. */
export class WorkspaceFiles implements vscode.Disposable {
  readonly #own = new DisposableList();
  readonly #read: () => Promise<readonly vscode.Uri[]>;
  #list: Promise<readonly vscode.Uri[]> | undefined;
  #listedAt = 0;
  #isWatching = false;

  constructor(read: () => Promise<readonly vscode.Uri[]> = workspaceFiles) {
    this.#read = read;
  }

  /** Sorted by path. */
  list(): Promise<readonly vscode.Uri[]> {
    this.#watch();
    if (Date.now() - this.#listedAt > MOST_AGE_MS) this.#list = undefined;
    if (this.#list === undefined) this.#listedAt = Date.now();
    const list = (this.#list ??= this.#read());
    list.catch(() => {
      // Not cached: the next attempt might succeed.
      if (this.#list === list) this.#list = undefined;
    });
    return list;
  }

  dispose(): void {
    this.#own.dispose();
  }

  #watch(): void {
    if (this.#isWatching) return;
    this.#isWatching = true;
    const forget = () => {
      this.#list = undefined;
    };
    const files = this.#own.add(vscode.workspace.createFileSystemWatcher('**/*', false, true, false));
    const rules = this.#own.add(vscode.workspace.createFileSystemWatcher('**/.gitignore', true, false, true));
    this.#own.add(files.onDidCreate(forget));
    this.#own.add(files.onDidDelete(forget));
    this.#own.add(rules.onDidChange(forget));
    this.#own.add(vscode.workspace.onDidChangeWorkspaceFolders(forget));
    this.#own.add(
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration('files.exclude')) forget();
      }),
    );
  }
}

/** The files of the open folders that aren't ignored and don't seem to contain secrets, sorted by path. */
export async function workspaceFiles(onDropped?: OnDropped): Promise<readonly vscode.Uri[]> {
  // Two searches instead of a listing per folder, each of which would be a round trip if the files are on another
  // machine.
  const [found, ruleFiles] = await Promise.all([
    vscode.workspace.findFiles('**/*', elsewhere, MOST_FILES),
    vscode.workspace.findFiles('**/.gitignore', elsewhere),
  ]);
  const ignored = new IgnoredFiles(ruleFiles, onDropped);
  const isLeftOut = await Promise.all(
    found.map(async (uri) => (await ignored.has(uri)) || (await linksToSecretName(uri))),
  );
  return found
    .filter((_uri, index) => isLeftOut[index] === false)
    .sort((one, other) => one.path.localeCompare(other.path, 'en'));
}
