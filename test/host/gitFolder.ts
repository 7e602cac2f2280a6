import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { GitRepository } from '../../src/vscode/attachments/sources/gitRepositories.ts';
import { eventually } from './eventually.ts';
import { setUserSettings } from './userSettings.ts';

interface GitExtension {
  readonly enabled: boolean;
  getAPI(version: 1): GitApi;
}
interface GitApi {
  readonly repositories: readonly GitRepository[];
  openRepository(root: vscode.Uri): Promise<GitRepository | null>;
}

const openable = {
  // Git is turned off where most tests run.
  'git.enabled': true,
  // Our lowest VS Code treats a repository outside the open folder as a parent repository and asks first.
  'git.openRepositoryInParentFolders': 'always',
};

/** A new folder with a Git repository that is open in VS Code. */
export class GitFolder {
  readonly path: string;
  readonly repository: GitRepository;

  readonly #git: GitExtension;
  readonly #before: Readonly<Record<string, unknown>>;

  private constructor(
    path: string,
    repository: GitRepository,
    git: GitExtension,
    before: Readonly<Record<string, unknown>>,
  ) {
    this.#git = git;
    this.#before = before;
    this.path = path;
    this.repository = repository;
  }

  static async open(): Promise<GitFolder> {
    const before = Object.fromEntries(
      Object.keys(openable).map((id) => [id, vscode.workspace.getConfiguration().inspect(id)?.globalValue]),
    );
    await setUserSettings(openable);
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

  /** VS Code has read its current state. */
  async known(): Promise<void> {
    await this.repository.status();
  }

  async remove(): Promise<void> {
    await vscode.commands.executeCommand('git.close', this.repository.rootUri);
    await rm(this.path, { recursive: true, force: true });
    const { fsPath } = this.repository.rootUri;
    const isOpen = () => this.#git.getAPI(1).repositories.some(({ rootUri }) => rootUri.fsPath === fsPath);
    await eventually('the repository is closed', () => !isOpen());
    await setUserSettings(this.#before);
  }
}
