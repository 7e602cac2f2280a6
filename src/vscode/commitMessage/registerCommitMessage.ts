import * as vscode from 'vscode';
import { problemOfSecretChanges } from '../../core/attachmentProblems.ts';
import { commitPrompt, shortDiff } from '../../core/commitPrompt.ts';
import { commandIds, contextKeys } from '../contributions.ts';
import type { Explainer } from '../explainer.ts';
import type { CommandHandlers } from '../lateCommands.ts';
import type { Notifier } from '../notify.ts';
import type { RecordedCalls } from '../requests/recordedCalls.ts';
import type { Settings } from '../settings.ts';
import { openRepositories, type GitRepository } from './gitApi.ts';
import { writeInto } from './writeInto.ts';

/** Of files in a notification. */
const mostNamed = 3;

export interface CommitMessageDeps {
  readonly commands: CommandHandlers;
  readonly service: RecordedCalls;
  readonly settings: Pick<Settings, 'chatDefaults'>;
  readonly explainer: Explainer;
  readonly notifier: Notifier;
}

/** Writes a commit message into the Source Control view's input box, from what is staged. */
export function registerCommitMessage(deps: CommitMessageDeps): vscode.Disposable {
  const { settings, explainer, notifier } = deps;
  const service = deps.service.from({ kind: 'prompt' });
  let running: AbortController | undefined;
  deps.commands.handle(commandIds.writeCommitMessage, async (target: unknown) => {
    if (running !== undefined) return;
    const abort = new AbortController();
    running = abort;
    try {
      await setRunning(true);
      await write(target, abort.signal);
    } catch (error) {
      if (!abort.signal.aborted) {
        const model = settings.chatDefaults().model;
        notifier.problem(explainer.problemOfError(error, { during: 'command', ...(model !== undefined && { model }) }));
      }
    } finally {
      running = undefined;
      await setRunning(false);
    }
  });
  deps.commands.handle(commandIds.stopCommitMessage, () => running?.abort());
  return { dispose: () => running?.abort() };

  async function write(target: unknown, signal: AbortSignal): Promise<void> {
    const repository = await repositoryOf(target);
    if (repository === undefined) return;
    const diff = await diffOf(repository);
    if (diff === undefined) return;
    const { text, secret } = shortDiff(diff);
    if (text === '' && secret.length > 0) return notifier.problem(problemOfSecretChanges());
    const model = settings.chatDefaults().model ?? (await chosenModel());
    if (model === undefined) return;
    const before = repository.inputBox.value;
    const messages = commitPrompt(text, before);
    const { temperature, topP } = settings.chatDefaults();
    const request = {
      model,
      messages,
      ...(temperature !== undefined && { temperature }),
      ...(topP !== undefined && { top_p: topP }),
      stream: true,
    };
    const { outcome, message } = await writeInto(repository.inputBox, (leave) =>
      service.streamChat(request, { signal: AbortSignal.any([signal, leave]) }),
    );
    const remarks = secret.length === 0 ? [] : [secretRemark(secret)];
    if (outcome === 'empty')
      remarks.push(vscode.l10n.t('{0} answered without a message. Try again, or another model.', model));
    if (outcome === 'incomplete') remarks.push(vscode.l10n.t('The reply ended early and may be incomplete.'));
    const isReplaced = (outcome === 'written' || outcome === 'incomplete') && before.trim() !== '';
    if (!isReplaced) return remarks.length === 0 ? undefined : notifier.info(remarks.join(' '));
    remarks.push(vscode.l10n.t('What stood in the box before was replaced.'));
    const restore = async () => {
      // What the person made of it meanwhile stays.
      if (repository.inputBox.value === message) repository.inputBox.value = before;
    };
    notifier.info(remarks.join(' '), [{ label: vscode.l10n.t('Put It Back'), run: restore }]);
  }

  async function repositoryOf(target: unknown): Promise<GitRepository | undefined> {
    const repositories = await openRepositories();
    if (repositories === undefined) {
      notifier.info(
        vscode.l10n.t(
          'A commit message needs VS Code’s Git extension beside Parlance. It is off, in Restricted Mode, or at the other end of a remote window.',
        ),
      );
      return undefined;
    }
    const root = rootOf(target);
    if (root !== undefined) return repositories.find(({ rootUri }) => rootUri.toString() === root.toString());
    if (repositories.length === 0) notifier.info(vscode.l10n.t('No Git repository is open in this window.'));
    if (repositories.length < 2) return repositories[0];
    const rows = repositories.map((repository) => ({
      label: vscode.workspace.asRelativePath(repository.rootUri),
      repository,
    }));
    const title = vscode.l10n.t('Write a Commit Message For');
    return (await vscode.window.showQuickPick(rows, { title }))?.repository;
  }

  /** Undefined where there is nothing to describe, or the person would rather stage something first. */
  async function diffOf(repository: GitRepository): Promise<string | undefined> {
    const { indexChanges, workingTreeChanges } = repository.state;
    if (indexChanges.length > 0) return repository.diff(true);
    if (workingTreeChanges.length === 0) {
      notifier.info(vscode.l10n.t('There are no changes to describe.'));
      return undefined;
    }
    const all = vscode.l10n.t('Describe All Changes');
    const text = vscode.l10n.t('Nothing is staged. Stage what the message is about, or have all changes described.');
    return (await vscode.window.showInformationMessage(text, all)) === all ? repository.diff(false) : undefined;
  }

  async function chosenModel(): Promise<string | undefined> {
    await vscode.commands.executeCommand(commandIds.selectModel);
    return settings.chatDefaults().model;
  }
}

async function setRunning(value: boolean): Promise<void> {
  await vscode.commands.executeCommand('setContext', contextKeys.commitMessageRunning, value);
}

/** @param names of files; empty where it cannot be told. */
function secretRemark(names: readonly string[]): string {
  const unnamed = vscode.l10n.t('a part without a file name');
  const first = names.slice(0, mostNamed).map((name) => name || unnamed);
  const more = names.length - first.length;
  const list = first.join(', ');
  return vscode.l10n.t(
    'Looks secret, so it was not sent: {0}.',
    more === 0 ? list : vscode.l10n.t('{0} and {1} more', list, more),
  );
}

/** The button of the Source Control view hands over its source control. */
function rootOf(target: unknown): vscode.Uri | undefined {
  if (typeof target !== 'object' || target === null || !('rootUri' in target)) return undefined;
  return target.rootUri instanceof vscode.Uri ? target.rootUri : undefined;
}
