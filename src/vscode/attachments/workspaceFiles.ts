import * as vscode from 'vscode';
import { DisposableList } from '../platform/disposables.ts';
import { IgnoredFiles } from './ignoredFiles.ts';
import type { OnDropped } from './ignoreRules.ts';

const MOST_FILES = 5000;
/** For folders that VS Code was told not to watch: what comes and goes there is seen after this time. */
const MOST_AGE_MS = 5 * 60_000;
const elsewhere = '**/node_modules/**';

/** The files that can be added by name. They are listed when somebody asks, and again only once files have come or gone. */
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
      // Not kept: the next one who asks may have more luck.
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

/** The files of the open folders that are neither ignored nor look secret, sorted by path. */
export async function workspaceFiles(onDropped?: OnDropped): Promise<readonly vscode.Uri[]> {
  // Two searches in place of a look into every folder, each a round trip where the files are on another machine.
  const [found, ruleFiles] = await Promise.all([
    vscode.workspace.findFiles('**/*', elsewhere, MOST_FILES),
    vscode.workspace.findFiles('**/.gitignore', elsewhere),
  ]);
  const ignored = new IgnoredFiles(ruleFiles, onDropped);
  const isLeftOut = await Promise.all(found.map((uri) => ignored.has(uri)));
  return found
    .filter((_uri, index) => isLeftOut[index] === false)
    .sort((one, other) => one.path.localeCompare(other.path, 'en'));
}
