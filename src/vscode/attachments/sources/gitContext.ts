import * as vscode from 'vscode';
import {
  problemOfNoChanges,
  problemOfNoGit,
  problemOfSecretChanges,
} from '../../../core/problems/attachmentProblems.ts';
import { contextBlock } from '../../../core/chat/contextBlock.ts';
import { withoutSecrets } from '../../../core/prompts/gitDiff.ts';
import { maxContextLength } from '../../../shared/messageLimits.ts';
import type { Taken } from '../contextSnapshot.ts';
import { distinctEnd } from '../filePaths.ts';
import { plainWindow } from '../../platform/plainWindow.ts';
import { numberText } from '../../../words/numberText.ts';
import { type GitRepository, gitRepositories, untrackedFiles } from './gitRepositories.ts';
import { newFiles, type NewFiles } from './newFiles.ts';

/** Characters of a context around the diff: its heading, and fences. */
const roomAround = 1000;

/** Git's staged or unstaged changes. */
export async function gitContext(staged: boolean, near: vscode.Uri | undefined): Promise<Taken> {
  const repositories = (await gitRepositories()) ?? [];
  if (repositories.length === 0) return problemOfNoGit();
  const repository = repositories.length === 1 ? repositories[0] : await chosen(repositories, near);
  if (repository === undefined) return undefined;
  const whole = await repository.diff(staged);
  const tracked = withoutSecrets(whole);
  const added = staged ? none : await newFilesOf(repository, maxContextLength - roomAround - tracked.text.length);
  const text = lineEnded(tracked.text) + added.text;
  const secret = tracked.leftOut + added.secret;
  if (text.trim() === '') return secret === 0 ? problemOfNoChanges(staged) : problemOfSecretChanges();
  const name = distinctEnd(
    repository.rootUri,
    repositories.map(({ rootUri }) => rootUri),
  );
  const words = staged ? vscode.l10n.t('Staged changes') : vscode.l10n.t('Unstaged changes');
  const remarks = [
    ...(secret === 0 ? [] : [skippedText(secret)]),
    ...(added.textless === 0 ? [] : [textlessText(added.textless)]),
  ];
  const left = remarks.length === 0 ? '' : ` (${remarks.join('; ')})`;
  return {
    kind: staged ? 'gitStaged' : 'gitWorking',
    name: words,
    detail: `${words}: ${name}${left}`,
    block: contextBlock({
      heading: `Git diff, ${staged ? 'staged' : 'not staged'}: ${name}`,
      language: 'diff',
      text,
    }),
  };
}

function skippedText(files: number): string {
  return files === 1
    ? vscode.l10n.t('1 file skipped because it might contain secrets')
    : vscode.l10n.t('{0} files skipped because they might contain secrets', numberText(files));
}

function textlessText(files: number): string {
  return files === 1
    ? vscode.l10n.t('1 new file without its contents: not text, or too large')
    : vscode.l10n.t('{0} new files without their contents: not text, or too large', numberText(files));
}

const none: NewFiles = { text: '', secret: 0, textless: 0 };

async function newFilesOf(repository: GitRepository, room: number): Promise<NewFiles> {
  await repository.status();
  return newFiles(repository.rootUri, untrackedFiles(repository), room);
}

function lineEnded(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}

async function chosen(
  repositories: readonly GitRepository[],
  near: vscode.Uri | undefined,
): Promise<GitRepository | undefined> {
  const holding = repositories
    .filter(({ rootUri }) => near?.path.startsWith(`${rootUri.path}/`) === true)
    .toSorted((one, other) => other.rootUri.path.length - one.rootUri.path.length)[0];
  const rows = repositories.map((repository) => ({
    label: repository.rootUri.path.slice(repository.rootUri.path.lastIndexOf('/') + 1),
    description: repository.rootUri.fsPath,
    repository,
  }));
  const sorted = rows.toSorted(
    (one, other) => Number(other.repository === holding) - Number(one.repository === holding),
  );
  const row = await plainWindow.showQuickPick(sorted, { title: vscode.l10n.t('Select a Repository') });
  return row?.repository;
}
