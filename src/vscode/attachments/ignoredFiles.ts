import ignore, { type Ignore } from 'ignore';
import * as vscode from 'vscode';
import { looksSecret } from '../../core/secretName.ts';

/**
 * Tells which files are left out where several are taken at once: those that `.gitignore` or
 * `files.exclude` name, git's own, and those that look as if they held secrets. Made anew for each act, so
 * that it knows the files as they are.
 */
export class IgnoredFiles {
  readonly #rules = new Map<string, Promise<Ignore | undefined>>();
  readonly #excluded = ignore({ allowRelativePaths: true });

  constructor() {
    this.#excluded.add('.git');
    const excluded = vscode.workspace.getConfiguration('files').get<Record<string, unknown>>('exclude') ?? {};
    for (const [pattern, isOn] of Object.entries(excluded)) {
      // A glob of VS Code's counts from the folder; one of git's without a slash counts from anywhere.
      if (isOn === true) this.#excluded.add(pattern.includes('/') ? pattern : `/${pattern}`);
    }
  }

  /** @param isFolder true for a folder, which some rules are about alone */
  async has(uri: vscode.Uri, isFolder = false): Promise<boolean> {
    const root = vscode.workspace.getWorkspaceFolder(uri);
    const path = root === undefined ? uri.path : within(root.uri, uri);
    if (path === '') return false;
    if (!isFolder && looksSecret(path)) return true;
    if (root === undefined) return false;
    const ending = isFolder ? '/' : '';
    if (this.#excluded.ignores(path + ending)) return true;
    const parts = path.split('/');
    let ignored = false;
    for (let depth = 0; depth < parts.length; depth += 1) {
      const rules = await this.#rulesOf(root.uri, parts.slice(0, depth).join('/'));
      if (rules === undefined) continue;
      const result = rules.test(parts.slice(depth).join('/') + ending);
      if (result.ignored) ignored = true;
      else if (result.unignored) ignored = false;
    }
    return ignored;
  }

  #rulesOf(root: vscode.Uri, folder: string): Promise<Ignore | undefined> {
    const uri = folder === '' ? root : vscode.Uri.joinPath(root, folder);
    const key = uri.toString();
    const known = this.#rules.get(key) ?? readRules(uri);
    this.#rules.set(key, known);
    return known;
  }
}

async function readRules(folder: vscode.Uri): Promise<Ignore | undefined> {
  try {
    const bytes = await vscode.workspace.fs.readFile(vscode.Uri.joinPath(folder, '.gitignore'));
    return ignore().add(new TextDecoder().decode(bytes));
  } catch {
    // Most folders have none.
    return undefined;
  }
}

function within(root: vscode.Uri, uri: vscode.Uri): string {
  const base = root.path.endsWith('/') ? root.path : `${root.path}/`;
  return uri.path.startsWith(base) ? uri.path.slice(base.length) : '';
}
