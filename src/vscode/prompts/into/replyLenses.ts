import type { ModelRef } from '../../../shared/modelRef.ts';
import * as vscode from 'vscode';
import { plainLabel } from '../../platform/plainLabel.ts';
import type { PromptRunEnd } from '../../../core/prompts/promptRun.ts';
import { DisposableList } from '../../platform/disposables.ts';
import { endingText } from '../../../words/ending.ts';
import { marksExplained } from '../../../words/figureMark.ts';
import { speedText } from '../../../words/replySpeed.ts';
import { modelLabel } from '../../../words/modelLabel.ts';

/** The line above a reply in its own document: which model wrote it, and how fast. Not part of the text. */
export class ReplyLenses implements vscode.CodeLensProvider, vscode.Disposable {
  readonly #own = new DisposableList();
  readonly #changed = this.#own.add(new vscode.EventEmitter<void>());
  readonly #lines = new WeakMap<vscode.TextDocument, string>();
  readonly onDidChangeCodeLenses = this.#changed.event;

  constructor() {
    this.#own.add(vscode.languages.registerCodeLensProvider({ scheme: 'untitled', language: 'markdown' }, this));
  }

  started(document: vscode.TextDocument, model: ModelRef): void {
    this.#lines.set(document, vscode.l10n.t('{0} · writing…', modelLabel(model)));
    this.#changed.fire();
  }

  ended(document: vscode.TextDocument, model: ModelRef, end: PromptRunEnd): void {
    const parts = [model, speedText(end.metrics), endingText({ state: end.outcome, finishReason: end.finishReason })];
    this.#lines.set(document, parts.filter((part) => part !== undefined && part !== '').join(' · '));
    this.#changed.fire();
  }

  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    const title = this.#lines.get(document);
    // Without a command, a lens is only text.
    return title === undefined
      ? []
      : [
          new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), {
            title: plainLabel(title),
            command: '',
            tooltip: marksExplained(title).join('\n'),
          }),
        ];
  }

  dispose(): void {
    this.#own.dispose();
  }
}
