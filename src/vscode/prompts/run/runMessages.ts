import type { ModelRef } from '../../../shared/modelRef.ts';
import * as vscode from 'vscode';
import { incompleteSentence } from '../../../words/ending.ts';
import type { PromptTarget } from '../../../core/prompts/promptDefinition.ts';
import type { PromptRunEnd } from '../../../core/prompts/promptRun.ts';
import type { Problem } from '../../../shared/problem.ts';
import type { Explainer } from '../../problems/explainer.ts';
import { openModelText } from '../../platform/documents/openModelText.ts';
import type { Notifier, NotifyButton, OwnActions } from '../../platform/notify.ts';

/** Repeats what wasn't done, for as long as it's offered. */
export interface RunAgain extends vscode.Disposable {
  run(): Promise<void>;
  /** With a model that the user selects: in place of the default model, or of the prompt's own. */
  runWithAnother(): Promise<void>;
}

/** What a run of a prompt tells the user, with ways to continue. */
export class RunMessages {
  readonly #explainer: Explainer;
  readonly #notifier: Notifier;

  constructor(deps: { readonly explainer: Explainer; readonly notifier: Notifier }) {
    this.#explainer = deps.explainer;
    this.#notifier = deps.notifier;
  }

  explain(problem: Problem, reply = ''): void {
    this.#notifier.problem(problem, { first: opening(reply) });
  }

  info(text: string, reply: string): void {
    this.#notifier.info(text, opening(reply));
  }

  /** Only the code of these replies was written into the file. */
  leftOut(replies: readonly string[]): void {
    const text = vscode.l10n.t("Only the reply's code was inserted. Open the reply to read its explanation.");
    this.info(text, replies.join('\n\n---\n\n'));
  }

  failed(target: PromptTarget, model: ModelRef, end: PromptRunEnd, again: RunAgain): void {
    const circumstances = { during: 'command', model, ...(end.attempts && { attempts: end.attempts }) } as const;
    const problem =
      end.error === undefined && end.failure !== undefined
        ? this.#explainer.problem(end.failure, circumstances)
        : this.#explainer.problemOfError(end.error, circumstances);
    const kept = target === 'replace' ? opening(end.text) : [];
    const detail = end.text === '' ? problem.detail : `${problem.detail} ${vscode.l10n.t('The text so far was kept.')}`;
    this.#notifier.problem({ ...problem, detail }, { first: [button(again), ...kept], ...ending(again) });
  }

  /** Nothing was sent. */
  notRun(error: unknown, again: RunAgain): void {
    this.#notifier.problem(this.#explainer.problemOfError(error, { during: 'command' }), ending(again));
  }

  /** Why a proposal is incomplete. A failure was already reported. */
  endedEarly(ends: readonly PromptRunEnd[], count: number, again: () => RunAgain): void {
    const last = ends.at(-1);
    const cut = ends.find(({ outcome }) => outcome === 'incomplete');
    if (last === undefined || last.failure !== undefined) return;
    if (cut !== undefined) return this.#cut(cut, again());
    const whole = ends.filter(({ outcome }) => outcome === 'done').length;
    if (whole > 0) {
      const text = vscode.l10n.t(
        '{0} of {1} replies are complete and can be applied. The other selections are unchanged.',
        whole,
        count,
      );
      return this.info(text, last.text);
    }
    // A user who stopped it might still want what arrived.
    if (last.text !== '') this.info(vscode.l10n.t('Stopped'), last.text);
  }

  #cut(end: PromptRunEnd, again: RunAgain): void {
    const title = `${incompleteSentence(end.finishReason)} ${vscode.l10n.t("It can't replace the text.")}`;
    this.#notifier.error(title, [button(again), ...opening(end.text)], () => again.dispose());
  }
}

/** What a notification does with it, besides offering it. */
function ending(again: RunAgain): { readonly own: OwnActions; readonly onGone: () => void } {
  return { own: { selectModel: () => again.runWithAnother() }, onGone: () => again.dispose() };
}

function button(again: RunAgain): NotifyButton {
  return { label: vscode.l10n.t('Run Again'), run: () => again.run() };
}

function opening(reply: string): readonly NotifyButton[] {
  if (reply === '') return [];
  const run = async () => {
    await vscode.window.showTextDocument(await openModelText(reply, 'markdown'));
  };
  return [{ label: vscode.l10n.t('Open Reply'), run }];
}
