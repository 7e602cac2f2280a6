import type { ModelRef } from '../../../shared/modelRef.ts';
import * as vscode from 'vscode';
import type { ChatRequest } from '../../../api/operations/chatCompletion.ts';
import { commandIds } from '../../settings/contributions.ts';
import { plainLabel } from '../../platform/plainLabel.ts';
import type { PromptRunEnd } from '../../../core/prompts/promptRun.ts';
import { DisposableList } from '../../platform/disposables.ts';
import { endingText } from '../../../words/ending.ts';
import { marksExplained } from '../../../words/figureMark.ts';
import { speedText } from '../../../words/replySpeed.ts';
import { modelLabel } from '../../../words/modelLabel.ts';

/** A request's messages and its whole reply, for a check. */
interface KeptReply {
  readonly messages: ChatRequest['messages'];
  readonly reply: string;
}

/**
 * The line above a reply in its own document: which model wrote it, how fast, and what can be done with it. It isn't
 * part of the text.
 */
export class ReplyLenses implements vscode.CodeLensProvider, vscode.Disposable {
  readonly #own = new DisposableList();
  readonly #changed = this.#own.add(new vscode.EventEmitter<void>());
  readonly #lines = new WeakMap<vscode.TextDocument, string>();
  readonly #done = new WeakMap<vscode.TextDocument, KeptReply>();
  readonly onDidChangeCodeLenses = this.#changed.event;

  constructor() {
    this.#own.add(vscode.languages.registerCodeLensProvider({ scheme: 'untitled', language: 'markdown' }, this));
  }

  started(document: vscode.TextDocument, model: ModelRef): void {
    this.#lines.set(document, vscode.l10n.t('{0} · writing…', modelLabel(model)));
    this.#changed.fire();
  }

  /** @param sent the messages that it answers */
  ended(document: vscode.TextDocument, model: ModelRef, end: PromptRunEnd, sent: ChatRequest['messages']): void {
    if (end.outcome === 'done') this.#done.set(document, { messages: sent, reply: end.text });
    const parts = [
      modelLabel(model),
      speedText(end.metrics),
      endingText({ state: end.outcome, finishReason: end.finishReason }),
    ];
    this.#lines.set(document, parts.filter((part) => part !== undefined && part !== '').join(' · '));
    this.#changed.fire();
  }

  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    const title = this.#lines.get(document);
    if (title === undefined) return [];
    const top = new vscode.Range(0, 0, 0, 0);
    // Without a command a lens is only words.
    const words = { title: plainLabel(title), command: '', tooltip: marksExplained(title).join('\n') };
    const kept = this.#done.get(document);
    const keep = {
      title: vscode.l10n.t('$(beaker) Keep as a Check'),
      command: commandIds.keepRequestAsCheck,
      arguments: [{ kept }],
    };
    return [words, ...(kept === undefined ? [] : [keep])].map((command) => new vscode.CodeLens(top, command));
  }

  dispose(): void {
    this.#own.dispose();
  }
}
