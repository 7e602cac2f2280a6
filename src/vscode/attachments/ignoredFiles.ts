import * as vscode from 'vscode';
import { Gate } from '../platform/gate.ts';
import { IgnoreRules, type OnDropped } from './ignoreRules.ts';
import { hasSecretName } from './secretFile.ts';

/** Of `.gitignore` files that are read at once. */
const mostReads = 16;

/**
 * Tells which files are left out where several are taken at once: those that `.gitignore` or
 * `files.exclude` name, git's own, and those that look as if they held secrets. Made anew for each act, so
 * that it knows the files as they are.
 */
export class IgnoredFiles {
  readonly #roots = new Map<string, IgnoreRules>();
  readonly #gate = new Gate(mostReads);
  readonly #excluded: readonly string[];
  readonly #onDropped: OnDropped | undefined;
  /** The folders that have a `.gitignore`, where all of them are known. */
  readonly #withRules: ReadonlySet<string> | undefined;

  /** @param ruleFiles all `.gitignore` files there are, where that is known: no other folder is asked for one */
  constructor(ruleFiles?: readonly vscode.Uri[], onDropped?: OnDropped) {
    this.#onDropped = onDropped;
    const excluded = vscode.workspace.getConfiguration('files').get<Record<string, unknown>>('exclude') ?? {};
    this.#excluded = Object.keys(excluded).filter((pattern) => excluded[pattern] === true);
    // Files that `files.exclude` hides are not listed, and count all the same.
    const isListed = !new IgnoreRules(this.#excluded, noRules).excludes('.gitignore');
    if (ruleFiles !== undefined && isListed) {
      this.#withRules = new Set(ruleFiles.map((uri) => vscode.Uri.joinPath(uri, '..').toString()));
    }
  }

  /**
   * Secrets first: they count wherever the file is, and however its path is written.
   *
   * @param isFolder true for a folder, which some rules are about alone
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

/** VS Code knows which folder a file is in, also where the two are written in different case; then only parts count. */
function placeOf(uri: vscode.Uri): { readonly root: vscode.Uri; readonly path: string } | undefined {
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  if (folder === undefined) return undefined;
  return { root: folder.uri, path: partsOf(uri).slice(partsOf(folder.uri).length).join('/') };
}

function partsOf({ path }: vscode.Uri): readonly string[] {
  return path.split('/').filter((part) => part !== '');
}
