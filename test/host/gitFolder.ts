import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { GitRepository } from '../../src/vscode/commitMessage/gitApi.ts';
import { eventually } from './eventually.ts';

interface OpenedRepository extends GitRepository {
  status(): Promise<void>;
}
interface GitExtension {
  readonly enabled: boolean;
  getAPI(version: 1): GitApi;
}
interface GitApi {
  readonly repositories: readonly OpenedRepository[];
  openRepository(root: vscode.Uri): Promise<OpenedRepository | null>;
}

/** A new folder with a Git repository that VS Code has open. */
export class GitFolder {
  readonly path: string;
  readonly repository: OpenedRepository;

  readonly #git: GitExtension;
  readonly #enabledBefore: boolean | undefined;

  private constructor(
    path: string,
    repository: OpenedRepository,
    git: GitExtension,
    enabledBefore: boolean | undefined,
  ) {
    this.#git = git;
    this.#enabledBefore = enabledBefore;
    this.path = path;
    this.repository = repository;
  }

  static async open(): Promise<GitFolder> {
    // It is switched off where most tests run.
    const before = vscode.workspace.getConfiguration('git').inspect<boolean>('enabled')?.globalValue;
    await enableGit(true);
    const extension = vscode.extensions.getExtension<GitExtension>('vscode.git');
    assert.ok(extension);
    const git = await extension.activate();
    await eventually('Git is there', () => git.enabled);
    const path = await mkdtemp(join(tmpdir(), 'parlance-git-'));
    execFileSync('git', ['init', '-q'], { cwd: path });
    const repository = await git.getAPI(1).openRepository(vscode.Uri.file(path));
    assert.ok(repository);
    return new GitFolder(path, repository, git, before);
  }

  git(...args: readonly string[]): void {
    execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.test', ...args], { cwd: this.path });
  }

  async write(name: string, text: string): Promise<void> {
    await writeFile(join(this.path, name), text);
  }

  /** What VS Code knows of it is as it is now. */
  async known(): Promise<void> {
    await this.repository.status();
  }

  async remove(): Promise<void> {
    await vscode.commands.executeCommand('git.close', this.repository.rootUri);
    await rm(this.path, { recursive: true, force: true });
    const { fsPath } = this.repository.rootUri;
    const isOpen = () => this.#git.getAPI(1).repositories.some(({ rootUri }) => rootUri.fsPath === fsPath);
    await eventually('the repository is closed', () => !isOpen());
    await enableGit(this.#enabledBefore);
  }
}

async function enableGit(value: boolean | undefined): Promise<void> {
  await vscode.workspace.getConfiguration('git').update('enabled', value, vscode.ConfigurationTarget.Global);
}
