import * as vscode from 'vscode';
import { figureText } from '../../core/figureText.ts';
import type { PromptRunEnd } from '../../core/promptRun.ts';
import { contextKeys } from '../contributions.ts';
import { plainLabel } from '../plainLabel.ts';
import { endWord } from './endWord.ts';

/** What a run tells of itself. */
export interface RunReport {
  started(number: number, count: number): void;
  grew(text: string): void;
  waits(delayMs: number): void;
  ended(end: PromptRunEnd): void;
}

const refreshMs = 250;
// As in the chat, until the service's own count comes.
const charactersPerToken = 4;

/** Shows a prompt that runs, with a way to stop it, and afterwards in the status bar how fast the reply was. */
export class RunStatus implements vscode.Disposable {
  readonly #running = new Set<AbortController>();
  #item: vscode.StatusBarItem | undefined;

  async during<T>(
    title: string,
    model: string,
    abort: AbortController,
    run: (report: RunReport) => Promise<T>,
  ): Promise<T> {
    this.#running.add(abort);
    this.#updateContext();
    try {
      const location = vscode.ProgressLocation.Notification;
      return await vscode.window.withProgress(
        { location, title: plainLabel(title), cancellable: true },
        async (progress, token) => {
          token.onCancellationRequested(() => abort.abort());
          const say = (message: string) => progress.report({ message: plainLabel(message) });
          let shownAt = 0;
          let of = '';
          let first: { readonly at: number; readonly length: number } | undefined;
          return run({
            started: (number, count) => {
              first = undefined;
              of = count === 1 ? '' : vscode.l10n.t('{0} of {1}', number, count);
              say([of, vscode.l10n.t('waiting for {0}…', model)].filter((part) => part !== '').join(' · '));
            },
            grew: (text) => {
              const now = performance.now();
              if (now - shownAt < refreshMs) return;
              shownAt = now;
              first ??= { at: now, length: text.length };
              const rate = (text.length - first.length) / charactersPerToken / ((now - first.at) / 1000);
              const speed = now === first.at ? '' : vscode.l10n.t('≈ {0} tok/s', Math.round(rate));
              const words = vscode.l10n.t('{0} is writing', model);
              say([of, words, speed].filter((part) => part !== '').join(' · '));
            },
            waits: (delayMs) => say(vscode.l10n.t('trying again in {0} s…', Math.ceil(delayMs / 1000))),
            ended: (end) => this.#ended(title, model, end),
          });
        },
      );
    } finally {
      this.#running.delete(abort);
      this.#updateContext();
    }
  }

  /** Stops what was started last. */
  stop(): void {
    [...this.#running].at(-1)?.abort();
  }

  dispose(): void {
    for (const abort of this.#running) abort.abort();
    this.#item?.dispose();
  }

  #ended(title: string, model: string, end: PromptRunEnd): void {
    this.#item ??= this.#createItem();
    const icon = end.outcome === 'done' ? 'check' : end.outcome === 'failed' ? 'error' : 'warning';
    const { timeToFirstTokenSeconds, tokensPerSecond } = end.metrics;
    const short = figureText(
      {
        ...(timeToFirstTokenSeconds && { timeToFirstTokenSeconds }),
        ...(tokensPerSecond && { tokensPerSecond }),
      },
      vscode.env.language,
    );
    const all = figureText(end.metrics, vscode.env.language);
    const words = endWord(end);
    this.#item.text = [`$(${icon}) ${plainLabel(title)}`, words, short].filter((part) => part).join(' · ');
    const facts = [
      title,
      vscode.l10n.t('Model: {0}', model),
      all,
      words,
      end.finishReason === undefined ? undefined : vscode.l10n.t('Finish reason: {0}', end.finishReason),
      end.requestId === undefined ? undefined : vscode.l10n.t('Request id: {0}', end.requestId),
    ];
    this.#item.tooltip = facts.filter((fact) => fact !== undefined && fact !== '').join('\n');
    this.#item.accessibilityInformation = { label: vscode.l10n.t('Last prompt: {0}, {1}', title, all) };
    this.#item.show();
  }

  #createItem(): vscode.StatusBarItem {
    const item = vscode.window.createStatusBarItem('parlance.lastPrompt', vscode.StatusBarAlignment.Right, 50);
    item.name = vscode.l10n.t('Parlance: last prompt');
    return item;
  }

  #updateContext(): void {
    void vscode.commands.executeCommand('setContext', contextKeys.promptRunning, this.#running.size > 0);
  }
}
