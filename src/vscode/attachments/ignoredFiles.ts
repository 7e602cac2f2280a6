import * as vscode from 'vscode';
import { Gate } from '../platform/gate.ts';
import { IgnoreRules, type OnDropped } from './ignoreRules.ts';
import { hasSecretName } from './secretFile.ts';

/** Number of `.gitignore` files that are read at once. */
const mostReads = 16;

/**
 * Decides which files are left out when several are added at once: those in `.gitignore` or `files.exclude`, git's own,
 * and those that might contain secrets. Created for each action, so that it sees the current files.
 */
export class IgnoredFiles {
  readonly #roots = new Map<string, IgnoreRules>();
  readonly #gate = new Gate(mostReads);
  readonly #excluded: readonly string[];
  readonly #onDropped: OnDropped | undefined;
  /** The folders with a `.gitignore`, if all of them are known. */
  readonly #withRules: ReadonlySet<string> | undefined;

  /** @param ruleFiles all existing `.gitignore` files, if known; other folders are then not checked for one */
  constructor(ruleFiles?: readonly vscode.Uri[], onDropped?: OnDropped) {
    this.#onDropped = onDropped;
    const excluded = vscode.workspace.getConfiguration('files').get<Record<string, unknown>>('exclude') ?? {};
    this.#excluded = Object.keys(excluded).filter((pattern) => excluded[pattern] === true);
    // Files that `files.exclude` hides aren't listed, but their rules count.
    const isListed = !new IgnoreRules(this.#excluded, noRules).excludes('.gitignore');
    if (ruleFiles !== undefined && isListed) {
      this.#withRules = new Set(ruleFiles.map((uri) => vscode.Uri.joinPath(uri, '..').toString()));
    }
  }

  /**
   * Secrets first: they count wherever the file is, and however its path is written.
   * @param isFolder true for a folder, because some rules only apply to folders
   */
  async has(uri: vscode.Uri, isFolder = false): Promise<boolean> {
    if (!isFolder && hasSecretName(uri)) return true;
    const place = placeOf(uri);
    return place !== undefined && place.path !== '' && this.#rulesOf(place.root).has(place.path, isFolder);
  }

  /** A listing of this folder had no `.gitignore`. */
  hasNone(folder: vscode.Uri): void {
    const place = placeOf(folder);
    if (place !== undefined) this.#rulesOf(place.root).hasNone(place.path);
  }

  #rulesOf(root: vscode.Uri): IgnoreRules {
    const key = root.toString();
    const known = this.#roots.get(key);
    if (known !== undefined) return known;
    const uriOf = (folder: string) => (folder === '' ? root : vscode.Uri.joinPath(root, folder));
    const rules = new IgnoreRules(
      this.#excluded,
      (folder) => this.#gate.pass(() => readRules(uriOf(folder))),
      (folder) => this.#withRules?.has(uriOf(folder).toString()) !== false,
      (folder, dropped) => this.#onDropped?.(uriOf(folder).path, dropped),
    );
    this.#roots.set(key, rules);
    return rules;
  }
}

const noRules = () => Promise.resolve(undefined);

async function readRules(folder: vscode.Uri): Promise<string | undefined> {
  try {
    return new TextDecoder().decode(await vscode.workspace.fs.readFile(vscode.Uri.joinPath(folder, '.gitignore')));
  } catch {
    // Most folders have none.
    return undefined;
  }
}

/** VS Code knows which folder contains a file, even if their case differs. Then only the number of parts counts. */
function placeOf(uri: vscode.Uri): { readonly root: vscode.Uri; readonly path: string } | undefined {
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  if (folder === undefined) return undefined;
  return { root: folder.uri, path: folderNames(uri).slice(folderNames(folder.uri).length).join('/') };
}

function folderNames({ path }: vscode.Uri): readonly string[] {
  return path.split('/').filter((part) => part !== '');
}
