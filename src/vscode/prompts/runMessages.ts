import * as vscode from 'vscode';
import type { PromptTarget } from '../../core/promptDefinition.ts';
import type { PromptRunEnd } from '../../core/promptRun.ts';
import type { Problem } from '../../shared/problem.ts';
import type { Explainer } from '../explainer.ts';
import type { Notifier, NotifyButton } from '../notify.ts';

/** A way to do again what was not done, for as long as it is offered. */
export interface RunAgain extends vscode.Disposable {
  run(): Promise<void>;
}

/** What a run of a prompt tells the person, with ways to go on. */
export class RunMessages {
  readonly #explainer: Explainer;
  readonly #notifier: Notifier;

  constructor(deps: { readonly explainer: Explainer; readonly notifier: Notifier }) {
    this.#explainer = deps.explainer;
    this.#notifier = deps.notifier;
  }

  explain(problem: Problem, reply = ''): void {
    this.#notifier.problem(problem, opening(reply));
  }

  info(text: string, reply: string): void {
    this.#notifier.info(text, opening(reply));
  }

  failed(target: PromptTarget, model: string, end: PromptRunEnd, again: RunAgain): void {
    const circumstances = { during: 'command', model, ...(end.attempts && { attempts: end.attempts }) } as const;
    const problem =
      end.error === undefined && end.failure !== undefined
        ? this.#explainer.problem(end.failure, circumstances)
        : this.#explainer.problemOfError(end.error, circumstances);
    const kept = target === 'replace' ? opening(end.text) : [];
    const detail = end.text === '' ? problem.detail : `${problem.detail} ${vscode.l10n.t('The text so far is kept.')}`;
    this.#notifier.problem({ ...problem, detail }, [button(again), ...kept], () => again.dispose());
  }

  /** The reply ended too early, so it is not proposed. */
  cut(end: PromptRunEnd, again: RunAgain): void {
    const title =
      end.finishReason === 'length'
        ? vscode.l10n.t('The reply reached the token limit before its end, so it cannot replace the text.')
        : vscode.l10n.t('The reply may be incomplete, so it cannot replace the text.');
    this.#notifier.error(title, [button(again), ...opening(end.text)], () => again.dispose());
  }
}

function button(again: RunAgain): NotifyButton {
  return { label: vscode.l10n.t('Run Again'), run: () => again.run() };
}

function opening(reply: string): readonly NotifyButton[] {
  if (reply === '') return [];
  const run = async () => {
    await vscode.window.showTextDocument(
      await vscode.workspace.openTextDocument({ language: 'markdown', content: reply }),
    );
  };
  return [{ label: vscode.l10n.t('Open Reply'), run }];
}
