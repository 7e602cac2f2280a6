import * as vscode from 'vscode';
import { IgnoredFiles } from '../ignoredFiles.ts';
import { isSecretFile } from '../secretFile.ts';
import { isLinked } from '../../platform/isLinked.ts';

/**
 * Tells of which files something may be sent that nobody chose: those of an open folder that's trusted, that are
 * neither ignored nor might hold secrets, and that no link leads to. Made anew for each act.
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
    // Also where no rule says so: what others wrote is known to the model, or is too much.
    if (uri.path.includes('/node_modules/')) return false;
    if ((await this.#ignored.has(uri)) || (await isSecretFile(uri))) return false;
    return !(await isLinked(uri));
  }
}
