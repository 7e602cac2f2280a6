import type { ModelRef } from '../../shared/modelRef.ts';
import * as vscode from 'vscode';
import { pathOf } from '../attachments/sources/documentContext.ts';
import type { InferenceCalls } from '../../core/requests/inferenceCalls.ts';
import type { RequestOrigin } from '../../core/requests/requestRecord.ts';
import { type ChatRequest, chatCompletion } from '../../api/operations/chatCompletion.ts';
import { problemOfSecretChanges } from '../../core/problems/attachmentProblems.ts';
import { noGitExtensionText } from '../../core/problems/attachmentProblems.ts';
import { chatBody } from '../../core/chat/chatRequest.ts';
import { commitPrompt, shortDiff } from '../../core/prompts/commitPrompt.ts';
import { type GitRepository, gitRepositories, untrackedFiles } from '../attachments/sources/gitRepositories.ts';
import { incompleteSentence } from '../../words/ending.ts';
import { commandIds, contextKeys } from '../settings/contributions.ts';
import type { Explainer } from '../problems/explainer.ts';
import type { CommandHandlers } from '../platform/lateCommands.ts';
import type { Notifier } from '../platform/notify.ts';
import type { Settings } from '../settings/settings.ts';
import type { ServiceSupport } from '../service/serviceSupport.ts';
import { writeInto, type Written } from './writeInto.ts';
import { plainWindow } from '../platform/plainWindow.ts';
import { modelLabel } from '../../words/modelLabel.ts';

/** Number of files named in a notification. */
const mostNamed = 3;

export interface CommitMessageDeps {
  readonly commands: Pick<CommandHandlers, 'handle'>;
  readonly service: {
    from(origin: RequestOrigin, stop: () => void): { forModel(model: ModelRef): Pick<InferenceCalls, 'stream'> };
  };
  readonly settings: Pick<Settings, 'chatDefaults'>;
  readonly support: Pick<ServiceSupport, 'modelFor'>;
  readonly explainer: Pick<Explainer, 'problemOfError'>;
  readonly notifier: Pick<Notifier, 'info' | 'problem'>;
}

/** Writes a commit message into the Source Control view's input box, based on the staged changes. */
export function registerCommitMessage(deps: CommitMessageDeps): vscode.Disposable {
  const { settings, explainer, notifier } = deps;
  /** The replies that are being written, by the root of their repository, which has only one at a time. */
  const running = new Map<string, AbortController>();
  deps.commands.handle(commandIds.generateCommitMessage, (target: unknown) => told(() => begin(target)));
  deps.commands.handle(commandIds.stopCommitMessage, (target: unknown) => stop(repositoryRoot(target)));
  return { dispose: () => stop() };

  /** Stops the one for this repository, or all of them if VS Code doesn't say which. */
  function stop(root?: vscode.Uri): void {
    const own = root && running.get(root.toString());
    // In a browser, each repository has the button, and none is known by its root.
    const isUnknown = root === undefined || vscode.env.uiKind === vscode.UIKind.Web;
    for (const abort of own !== undefined ? [own] : isUnknown ? running.values() : []) abort.abort();
  }

  async function told(act: () => Promise<void>): Promise<void> {
    try {
      await act();
    } catch (error) {
      notifier.problem(explainer.problemOfError(error, { during: 'command' }));
    }
  }

  async function begin(target: unknown): Promise<void> {
    const repository = await repositoryOf(target);
    if (repository === undefined || isBusy(repository)) return;
    await repository.status();
    const { indexChanges, workingTreeChanges } = repository.state;
    if (indexChanges.length > 0) return describe(repository, true);
    const isClean = workingTreeChanges.length === 0 && untrackedFiles(repository).length === 0;
    if (isClean) return notifier.info(vscode.l10n.t('There are no changes to describe.'));
    // New files are among the changes, but in no diff before they're staged.
    if ((await repository.diff(false)).trim() === '') return tellNothingShown();
    const all = vscode.l10n.t('Describe All Changes');
    const text = vscode.l10n.t('Nothing is staged. Stage the changes to describe, or describe all changes.');
    notifier.info(text, [{ label: all, run: () => told(() => describe(repository, false)) }]);
  }

  async function describe(repository: GitRepository, staged: boolean): Promise<void> {
    const { text, secret } = shortDiff(await repository.diff(staged));
    if (text.trim() === '') return secret.length > 0 ? notifier.problem(problemOfSecretChanges()) : tellNothingShown();
    const usual = settings.chatDefaults().model ?? (await chosenModel());
    const model = usual && (await deps.support.modelFor('chat', usual));
    if (model === undefined || model === '') return;
    const before = repository.inputBox.value;
    // A message has its own rules, and a token limit would cut it in half.
    const { systemPrompt: _system, maxTokens: _limit, ...options } = settings.chatDefaults();
    const request = chatBody(model, { ...options, stream: true }, commitPrompt(text, before));
    const written = await write(repository, model, request);
    if (written === undefined) return;
    const { outcome, message, finishReason } = written;
    const remarks = secret.length === 0 ? [] : [secretRemark(secret)];
    // They're in no diff before, but a commit of all changes has them.
    if (!staged && untrackedFiles(repository).length > 0)
      remarks.push(vscode.l10n.t("New files weren't included because they aren't staged."));
    if (outcome === 'empty')
      remarks.push(vscode.l10n.t('{0} returned no message. Try again, or select another model.', modelLabel(model)));
    if (outcome === 'incomplete') remarks.push(incompleteSentence(finishReason));
    const isReplaced = (outcome === 'written' || outcome === 'incomplete') && before.trim() !== '';
    if (isReplaced) remarks.push(vscode.l10n.t('Your previous commit message was replaced.'));
    if (remarks.length === 0) return;
    const restore = async () => {
      // The user's edits stay.
      if (repository.inputBox.value === message) repository.inputBox.value = before;
    };
    const buttons = isReplaced ? [{ label: vscode.l10n.t('Restore'), run: restore }] : [];
    notifier.info(remarks.join(' '), buttons);
  }

  /** Undefined if another reply is being written, or this one was stopped or failed, which is shown. */
  async function write(repository: GitRepository, model: ModelRef, request: ChatRequest): Promise<Written | undefined> {
    if (isBusy(repository)) return undefined;
    const abort = new AbortController();
    const key = repository.rootUri.toString();
    running.set(key, abort);
    const origin = { kind: 'prompt', prompt: vscode.l10n.t('Generate Commit Message') } as const;
    const service = deps.service.from(origin, () => abort.abort());
    try {
      await setRunning();
      const signal = (leave: AbortSignal) => AbortSignal.any([abort.signal, leave]);
      return await writeInto(repository.inputBox, (leave) =>
        service.forModel(model).stream(chatCompletion(request), { signal: signal(leave) }),
      );
    } catch (error) {
      if (!abort.signal.aborted) notifier.problem(explainer.problemOfError(error, { during: 'command', model }));
      return undefined;
    } finally {
      running.delete(key);
      await setRunning();
    }
  }

  /** Tells the user. */
  function isBusy({ rootUri }: GitRepository): boolean {
    const own = running.get(rootUri.toString());
    if (own === undefined) return false;
    const text = vscode.l10n.t('A commit message is already being generated for this repository.');
    notifier.info(text, [{ label: vscode.l10n.t('Stop'), run: () => Promise.resolve(own.abort()) }]);
    return true;
  }

  /** For the buttons of each repository. In a browser, VS Code knows the roots by other URIs. */
  async function setRunning(): Promise<void> {
    const roots = running.size === 0 ? false : [...running.keys()];
    await vscode.commands.executeCommand('setContext', contextKeys.commitMessageRunning, roots);
  }

  function tellNothingShown(): void {
    notifier.info(vscode.l10n.t("No changes to describe. New files are included once they're staged."));
  }

  async function repositoryOf(target: unknown): Promise<GitRepository | undefined> {
    const repositories = await gitRepositories();
    if (repositories === undefined) {
      notifier.info(noGitExtensionText());
      return undefined;
    }
    const root = repositoryRoot(target);
    if (root !== undefined) return repositories.find(({ rootUri }) => rootUri.toString() === root.toString());
    if (repositories.length === 0) notifier.info(vscode.l10n.t('No Git repository is open in this window.'));
    if (repositories.length < 2) return repositories[0];
    const rows = repositories.map((repository) => ({
      label: pathOf(repository.rootUri),
      repository,
    }));
    const title = vscode.l10n.t('Select a Repository');
    return (await plainWindow.showQuickPick(rows, { title }))?.repository;
  }
}

async function chosenModel(): Promise<ModelRef | undefined> {
  return vscode.commands.executeCommand<ModelRef | undefined>(commandIds.selectDefaultModel);
}

/** @param names names of files; empty if unknown. */
function secretRemark(names: readonly string[]): string {
  const unnamed = vscode.l10n.t('a section without a file name');
  const first = names.slice(0, mostNamed).map((name) => name || unnamed);
  const more = names.length - first.length;
  const list = first.join(', ');
  return vscode.l10n.t(
    'Not sent because it might contain secrets: {0}.',
    more === 0 ? list : vscode.l10n.t('{0} and {1} more', list, more),
  );
}

/** The button in the Source Control view passes its source control. */
function repositoryRoot(target: unknown): vscode.Uri | undefined {
  if (typeof target !== 'object' || target === null || !('rootUri' in target)) return undefined;
  return target.rootUri instanceof vscode.Uri ? target.rootUri : undefined;
}
