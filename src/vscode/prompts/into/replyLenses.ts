import type { ModelRef } from '../../../shared/modelRef.ts';
import * as vscode from 'vscode';
import { pathOf } from '../../attachments/sources/documentContext.ts';
import type { ChatRequest } from '../../../api/operations/chatCompletion.ts';
import { commandIds } from '../../settings/contributions.ts';
import type { Problem } from '../../../shared/problem.ts';
import { plainLabel } from '../../platform/plainLabel.ts';
import type { PromptRunEnd } from '../../../core/prompts/promptRun.ts';
import { DisposableList } from '../../platform/disposables.ts';
import { endingText } from '../../../words/ending.ts';
import { marksExplained } from '../../../words/figureMark.ts';
import { speedText } from '../../../words/replySpeed.ts';
import { modelLabel } from '../../../words/modelLabel.ts';
import { problemOfRefusedEdit } from '../../../core/problems/promptProblems.ts';
import { answerCode } from '../../../core/prompts/answerCode.ts';
import { confirmInsert } from '../../platform/documents/confirmInsert.ts';

/** Only the lens runs it, so it isn't in the manifest. */
const writeTestsCommand = 'parlance.internal.writeTests';

/** A prompt file that was sent, and what its variables stood for. */
export interface SentPrompt {
  readonly uri: string;
  readonly values: Readonly<Record<string, string>>;
}

/** A request's messages and its whole reply, for a check. */
interface KeptReply {
  readonly messages: ChatRequest['messages'];
  readonly reply: string;
  readonly prompt?: SentPrompt;
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
  readonly #tests = new WeakMap<vscode.TextDocument, vscode.Uri>();
  /** Replies whose tests are being written to their file. */
  readonly #writing = new WeakSet<vscode.TextDocument>();
  readonly onDidChangeCodeLenses = this.#changed.event;

  constructor(explain: (problem: Problem) => void) {
    this.#own.add(
      vscode.commands.registerCommand(writeTestsCommand, async (given: unknown) => {
        const document = vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === given);
        const tests = document && this.#tests.get(document);
        if (document === undefined || tests === undefined || this.#writing.has(document)) return;
        this.#writing.add(document);
        try {
          await writeTestFile(tests, document.getText(), explain);
        } finally {
          this.#writing.delete(document);
        }
      }),
    );
    this.#own.add(vscode.languages.registerCodeLensProvider({ scheme: 'untitled' }, this));
  }

  started(document: vscode.TextDocument, model: ModelRef): void {
    this.#lines.set(document, vscode.l10n.t('{0} · writing…', modelLabel(model)));
    this.#changed.fire();
  }

  /**
   * @param about.sent the messages that it answers
   * @param about.prompt the prompt file that they come from, if any
   * @param about.testUri the file for the tests in the reply, if it was asked for tests and that's known
   */
  ended(
    document: vscode.TextDocument,
    model: ModelRef,
    end: PromptRunEnd,
    {
      sent,
      prompt,
      testUri,
    }: {
      readonly sent: ChatRequest['messages'];
      readonly prompt?: SentPrompt | undefined;
      readonly testUri?: vscode.Uri | undefined;
    },
  ): void {
    const kept = { messages: sent, reply: end.text, ...(prompt !== undefined && { prompt }) };
    if (end.outcome === 'done') {
      this.#done.set(document, kept);
      if (testUri !== undefined && end.text.trim() !== '') this.#tests.set(document, testUri);
    }
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
    // A lens without a command is plain text.
    const words = { title: plainLabel(title), command: '', tooltip: marksExplained(title).join('\n') };
    const kept = this.#done.get(document);
    const keep = {
      title: vscode.l10n.t('$(beaker) Keep as a Check'),
      command: commandIds.keepRequestAsCheck,
      arguments: [{ kept }],
    };
    const tests = this.#tests.get(document);
    const lenses: vscode.Command[] = [words, ...(kept === undefined ? [] : [keep])];
    if (tests !== undefined) {
      const write = `$(new-file) ${plainLabel(vscode.l10n.t('Write to {0}', pathOf(tests)))}`;
      lenses.splice(1, 0, { title: write, command: writeTestsCommand, arguments: [document.uri.toString()] });
    }
    return lenses.map((command) => new vscode.CodeLens(top, command));
  }

  dispose(): void {
    this.#own.dispose();
  }
}

/**
 * Writes the code of a reply to a new test file, or adds it to the end of an existing one, which stays unsaved, and
 * shows it. Both can be undone.
 */
async function writeTestFile(uri: vscode.Uri, reply: string, explain: (problem: Problem) => void) {
  const { text } = answerCode(reply, { isComplete: true, dropWords: true, joinBlocks: true });
  const code = `${text.trimEnd()}\n`;
  const document = await opened(uri);
  const added = document === undefined ? code : `\n\n${code}`;
  if (!(await confirmInsert(code, document && { document, after: document.getText() + added }))) return;
  const edit = new vscode.WorkspaceEdit();
  if (document === undefined) edit.createFile(uri, { contents: new TextEncoder().encode(code) });
  else edit.insert(uri, document.lineAt(document.lineCount - 1).range.end, added);
  if (!(await vscode.workspace.applyEdit(edit))) return explain(problemOfRefusedEdit(uri.path));
  const shown = await vscode.window.showTextDocument(uri, { preview: false });
  if (document === undefined) return;
  const end = shown.document.positionAt(shown.document.getText().length - code.length);
  shown.selection = new vscode.Selection(end, end);
  shown.revealRange(new vscode.Range(end, end), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}

/** @returns undefined if there's no such file */
async function opened(uri: vscode.Uri): Promise<vscode.TextDocument | undefined> {
  try {
    await vscode.workspace.fs.stat(uri);
  } catch {
    return undefined;
  }
  return vscode.workspace.openTextDocument(uri);
}
