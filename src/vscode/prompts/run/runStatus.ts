import type { ModelRef } from '../../../shared/modelRef.ts';
import * as vscode from 'vscode';
import { tokenRate } from '../../../core/chat/replyMetrics.ts';
import type { PromptRunEnd } from '../../../core/prompts/promptRun.ts';
import { contextKeys } from '../../settings/contributions.ts';
import type { StatusItem } from '../../statusBar/statusItem.ts';
import { plainWindow } from '../../platform/plainWindow.ts';
import { marksExplained } from '../../../words/figureMark.ts';
import { waitText } from '../../../words/duration.ts';
import { endingText } from '../../../words/ending.ts';
import { rateText, speedText } from '../../../words/replySpeed.ts';
import { estimatedTokens } from '../../../words/tokens.ts';
import { modelLabel } from '../../../words/modelLabel.ts';
import { numberText } from '../../../words/numberText.ts';
import { setContext } from '../../platform/setContext.ts';

/** What a run reports about itself. */
export interface RunReport {
  started(number: number, count: number): void;
  grew(text: string): void;
  waits(delayMs: number): void;
  ended(end: PromptRunEnd): void;
}

const refreshMs = 250;

/** Shows a running prompt, with a way to stop it, and afterwards the speed of the reply in the status bar. */
export class RunStatus implements vscode.Disposable {
  /** The running prompts, each with its model. */
  readonly #running = new Map<AbortController, string>();
  readonly #item: Pick<StatusItem, 'tellEnd' | 'showPrompt'>;

  constructor(item: Pick<StatusItem, 'tellEnd' | 'showPrompt'>) {
    this.#item = item;
  }

  async during<T>(
    title: string,
    model: ModelRef,
    abort: AbortController,
    run: (report: RunReport) => Promise<T>,
  ): Promise<T> {
    this.#running.set(abort, model);
    this.#updateContext();
    try {
      const location = vscode.ProgressLocation.Notification;
      return await plainWindow.withProgress({ location, title: title, cancellable: true }, async (progress, token) => {
        token.onCancellationRequested(() => abort.abort());
        const say = (message: string) => progress.report({ message: message });
        let shownAt = 0;
        let of = '';
        let first: { readonly at: number; readonly length: number } | undefined;
        return run({
          started: (number, count) => {
            first = undefined;
            of = count === 1 ? '' : vscode.l10n.t('{0} of {1}', number, numberText(count));
            say([of, vscode.l10n.t('waiting for {0}…', modelLabel(model))].filter((part) => part !== '').join(' · '));
          },
          grew: (text) => {
            const now = performance.now();
            if (now - shownAt < refreshMs) return;
            shownAt = now;
            first ??= { at: now, length: text.length };
            const rate = tokenRate(estimatedTokens(text.length - first.length), (now - first.at) / 1000);
            const speed = rate === undefined ? '' : rateText({ value: rate, from: 'estimate' });
            const words = vscode.l10n.t('{0} is replying', modelLabel(model));
            say([of, words, speed].filter((part) => part !== '').join(' · '));
          },
          waits: (delayMs) => say(vscode.l10n.t('trying again in {0}…', waitText(delayMs))),
          ended: (end) => this.#tell(title, end),
        });
      });
    } finally {
      this.#running.delete(abort);
      this.#updateContext();
    }
  }

  /** Stops the one that was started last. */
  stop(): void {
    [...this.#running.keys()].at(-1)?.abort();
  }

  dispose(): void {
    for (const abort of this.#running.keys()) abort.abort();
  }

  #tell(title: string, end: PromptRunEnd): void {
    const icon = end.outcome === 'done' ? 'check' : end.outcome === 'failed' ? 'error' : 'warning';
    const { timeToFirstTokenSeconds, tokensPerSecond } = end.metrics;
    const speed = speedText({
      ...(timeToFirstTokenSeconds && { timeToFirstTokenSeconds }),
      ...(tokensPerSecond && { tokensPerSecond }),
    });
    const ending = endingText({ state: end.outcome, finishReason: end.finishReason });
    const words = [title, ending, speed].filter((part) => part).join(' · ');
    this.#item.tellEnd({ icon, words, notes: marksExplained(words) });
  }

  #updateContext(): void {
    this.#item.showPrompt([...this.#running.values()].at(-1));
    setContext(contextKeys.promptRunning, this.#running.size > 0);
  }
}
