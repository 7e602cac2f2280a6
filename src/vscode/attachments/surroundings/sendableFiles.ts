import * as vscode from 'vscode';
import { IgnoredFiles } from '../ignoredFiles.ts';
import { isSecretFile } from '../secretFile.ts';
import { isLinked } from '../../platform/isLinked.ts';

/**
 * Decides which files can be sent although nobody selected them: those in an open, trusted folder that aren't ignored,
 * don't seem to contain secrets, and aren't reached through a link. Created for each action.
 */
export class SendableFiles {
  readonly #ignored = new IgnoredFiles();
  readonly #known = new Map<string, Promise<boolean>>();

  has(uri: vscode.Uri): Promise<boolean> {
    const key = uri.toString();
    const known = this.#known.get(key) ?? this.#judge(uri);
    this.#known.set(key, known);
    return known;
  }

  async #judge(uri: vscode.Uri): Promise<boolean> {
    if (!vscode.workspace.isTrusted || vscode.workspace.getWorkspaceFolder(uri) === undefined) return false;
    // Even without a rule for it: third-party code is known to the model, or there's too much of it.
    if (uri.path.includes('/node_modules/')) return false;
    if ((await this.#ignored.has(uri)) || (await isSecretFile(uri))) return false;
    return !(await isLinked(uri));
  }
}
