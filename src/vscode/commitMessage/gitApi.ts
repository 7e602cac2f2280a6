import * as vscode from 'vscode';

/** The part of VS Code's Git extension that is used here; its API has been at version 1 since 2019. */
export interface GitRepository {
  readonly rootUri: vscode.Uri;
  readonly inputBox: { value: string };
  readonly state: { readonly indexChanges: readonly unknown[]; readonly workingTreeChanges: readonly unknown[] };
  /** Of the staged changes, or of the others. */
  diff(staged: boolean): Promise<string>;
}

interface GitExtension {
  readonly enabled: boolean;
  getAPI(version: 1): { readonly repositories: readonly GitRepository[] };
}

/**
 * The repositories that are open; undefined where the Git extension is off, or at the other end of a
 * remote window, or cannot work with this kind of folder.
 */
export async function openRepositories(): Promise<readonly GitRepository[] | undefined> {
  const extension = vscode.extensions.getExtension<GitExtension>('vscode.git');
  if (extension === undefined) return undefined;
  const git = extension.isActive ? extension.exports : await extension.activate();
  return git.enabled ? git.getAPI(1).repositories : undefined;
}
