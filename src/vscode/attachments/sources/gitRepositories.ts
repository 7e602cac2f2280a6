import * as vscode from 'vscode';
import { untrackedStatus } from '../../../core/prompts/gitDiff.ts';

/** The part of VS Code's Git extension that we use. Its API has been at version 1 since 2019. */
export interface GitRepository {
  readonly rootUri: vscode.Uri;
  readonly inputBox: { value: string };
  readonly state: {
    readonly indexChanges: readonly GitChange[];
    readonly workingTreeChanges: readonly GitChange[];
    /** New files, if the user has them listed apart from other changes. */
    readonly untrackedChanges?: readonly GitChange[];
  };
  /** Reads the state again: VS Code notices a moment late what was changed outside it, or just now. */
  status(): Promise<void>;
  /** The staged changes, or the others. */
  diff(staged: boolean): Promise<string>;
}

interface GitChange {
  readonly uri: vscode.Uri;
  readonly status: number;
}

interface GitApi {
  readonly state: 'uninitialized' | 'initialized';
  readonly onDidChangeState: vscode.Event<unknown>;
  readonly repositories: readonly GitRepository[];
}

interface GitExtension {
  getAPI(version: 1): GitApi;
}

// After VS Code starts, its first search for repositories takes a moment.
const firstLookMs = 5000;

/**
 * The repositories that are open in VS Code. Undefined if the Git extension is off, on the other side of a remote
 * window, or can't work with this kind of folder.
 */
export async function gitRepositories(): Promise<readonly GitRepository[] | undefined> {
  const extension = vscode.extensions.getExtension<GitExtension>('vscode.git');
  if (extension === undefined) return undefined;
  try {
    const git = (await extension.activate()).getAPI(1);
    if (git.state === 'uninitialized') await nextState(git);
    return git.repositories;
  } catch {
    // Git is turned off.
    return undefined;
  }
}

/** Files that Git doesn't track yet, which are in no diff. */
export function untrackedFiles({ state }: GitRepository): readonly vscode.Uri[] {
  const { workingTreeChanges, untrackedChanges = [] } = state;
  return [...workingTreeChanges, ...untrackedChanges].flatMap(({ uri, status }) =>
    status === untrackedStatus ? [uri] : [],
  );
}

function nextState({ onDidChangeState }: GitApi): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      subscription.dispose();
      resolve();
    };
    const subscription = onDidChangeState(end);
    const timer = setTimeout(end, firstLookMs);
  });
}
