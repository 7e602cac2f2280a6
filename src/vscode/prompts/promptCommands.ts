import * as vscode from 'vscode';
import {
  type BuiltInPromptId,
  builtInPrompts,
  questionPrompt,
  selectionPrompt,
} from '../../core/prompts/builtInPrompts.ts';
import { type PromptTarget, promptTargets } from '../../core/prompts/promptDefinition.ts';
import { problemOfPromptFile, problemOfUnreadablePrompt } from '../../core/problems/promptProblems.ts';
import type { PromptRow } from '../../shared/protocol/chatProtocol.ts';
import { PromptRows, type RowMeaning } from '../../core/prompts/promptRows.ts';
import type { PromptFile } from '../../core/prompts/promptFile.ts';
import { reasonOf } from '../../core/problems/reasonOf.ts';
import type { Notifier } from '../platform/notify.ts';
import { linesToFix } from './fixAction.ts';
import { askLanguage } from './run/askLanguage.ts';
import { newPrompt } from './files/newPrompt.ts';
import { isRestricted, pickPrompt } from './files/pickPrompt.ts';
import { findPrompts, isForeignPrompt, promptDefinition, promptName, readPrompt } from './files/promptFiles.ts';
import { PromptRunner, type PromptRunnerDeps } from './run/promptRunner.ts';
import { servedModel } from './run/promptPlan.ts';
import { currentSource, type PromptSource, sourceOf, wholeDocument } from './run/promptSource.ts';
import { maySendHidden } from './run/runQuestions.ts';
import { requireTrust } from '../platform/requireTrust.ts';

export interface PromptCommandsDeps extends PromptRunnerDeps {
  /** The user's last editor that isn't a prompt file's. */
  readonly editorBeforePrompt: () => vscode.TextEditor | undefined;
  readonly notifier: Notifier;
  /** Adds the selection to the message in the chat, and brings the chat to the front. */
  readonly addToChat: () => Promise<void>;
  /** Where the user's own prompts are. */
  readonly userFolder: vscode.Uri;
}

/** What the prompt commands do. */
export class PromptCommands implements vscode.Disposable {
  readonly #deps: PromptCommandsDeps;
  readonly runner: PromptRunner;
  readonly #rows: PromptRows<vscode.Uri>;

  constructor(deps: PromptCommandsDeps) {
    this.#deps = deps;
    this.runner = new PromptRunner(deps);
    this.#rows = new PromptRows(async () => {
      const { prompts } = await findPrompts(deps.userFolder);
      return prompts.map(({ uri, name, folder, file: { description = '' } }) => ({
        file: uri,
        name,
        description,
        ...(folder !== undefined && { folder }),
      }));
    }, isRestricted);
  }

  /** @param argument can have a `target`, for key bindings */
  runSelection(argument: unknown): Promise<void> {
    const definition = selectionPrompt(vscode.l10n.t('Selection as Prompt'));
    return this.runner.run({ definition, ...targetOf(argument) });
  }

  runSelectionIn(): Promise<void> {
    return this.runSelection({ target: 'ask' });
  }

  /** In the chat's message box. @param argument can have the `question`, for key bindings, and a `target` */
  async askAboutSelection(argument: unknown): Promise<void> {
    const question = textArgument(argument, 'question');
    if (question === undefined) return this.#deps.addToChat();
    const definition = questionPrompt(vscode.l10n.t('Question'));
    await this.runner.run({ definition, inputs: new Map([['question', question]]), ...targetOf(argument) });
  }

  /** @param argument can have a `target`, and for `translate` a `language` */
  async runBuiltIn(id: BuiltInPromptId, argument: unknown, source?: PromptSource): Promise<void> {
    const definition = builtInPrompts()[id];
    const wish = { definition, ...targetOf(argument), ...(source && { source }) };
    if (id !== 'translate') return this.runner.run(wish);
    const given = textArgument(argument, 'language');
    // Before the user types a language.
    const target = wish.target ?? this.#deps.target() ?? definition.target;
    const model = given === undefined ? await servedModel(definition, target, this.#deps) : '';
    if (model === undefined) return;
    const language = given ?? (await askLanguage());
    if (language === undefined) return;
    const title = vscode.l10n.t('Translate to {0}', language);
    const inputs = new Map([['language', language]]);
    const decided = model === '' ? {} : { model };
    await this.runner.run({ ...wish, ...decided, definition: { ...definition, title }, inputs });
  }

  /** Fixes one diagnostic, with the lines around it. */
  async fixDiagnostic(uri: vscode.Uri, diagnostics: readonly vscode.Diagnostic[]): Promise<void> {
    const asked = this.runner.asks();
    const range = await linesToFix(uri, diagnostics);
    const definition = builtInPrompts().fix;
    const document = await vscode.workspace.openTextDocument(uri);
    const editor = vscode.window.visibleTextEditors.find((candidate) => candidate.document === document);
    const source = { ...wholeDocument(document, editor), ranges: [range] };
    await this.runner.run({ definition, source, diagnostics }, asked);
  }

  /** @param argument can have the `name` of a prompt, for key bindings, and a `target` */
  async runPrompt(argument: unknown): Promise<void> {
    const { userFolder } = this.#deps;
    const asked = this.runner.asks();
    const name = textArgument(argument, 'name');
    if (name !== undefined) {
      const prompt = (await findPrompts(userFolder)).prompts.find((candidate) => candidate.name === name);
      if (prompt !== undefined) return this.#runFile(prompt.uri, argument, undefined, asked);
    }
    const given = targetOf(argument);
    const choice = await pickPrompt(builtInPrompts(), userFolder, given.target ?? this.#deps.target());
    if (choice?.type === 'edit') return void (await vscode.window.showTextDocument(choice.file, { preview: false }));
    // What the user selects now comes first.
    await this.#runMeant(choice, { ...given, ...choice });
  }

  /** Runs the given prompt file, or the one in front. @param argument its URI, or can have a `target` */
  async runPromptFile(argument: unknown): Promise<void> {
    const uri = argument instanceof vscode.Uri ? argument : vscode.window.activeTextEditor?.document.uri;
    if (uri !== undefined) await this.#runFile(uri, argument);
  }

  /** What `/` and these characters can stand for in the message box. */
  findRows(typed: string): Promise<readonly PromptRow[]> {
    return this.#rows.find(typed);
  }

  /**
   * Runs the prompt of a row, like its command does, about the editor that the page offers as context.
   * @param argument can have a `target`, and a `comparison`
   */
  async runRow(id: string, argument?: unknown): Promise<void> {
    await this.#runMeant(this.#rows.meaning(id), argument, currentSource(this.#deps.lastEditor()));
  }

  newPrompt(): Promise<void> {
    return newPrompt(this.#deps.userFolder);
  }

  dispose(): void {
    this.runner.dispose();
  }

  async #runMeant(
    meaning: RowMeaning<vscode.Uri> | undefined,
    argument: unknown,
    source?: PromptSource,
  ): Promise<void> {
    switch (meaning?.type) {
      case 'builtIn':
        return this.runBuiltIn(meaning.id, argument, source);
      case 'file':
        return this.#runFile(meaning.file, argument, source);
      case 'new':
        return this.newPrompt();
      case 'trust':
        await vscode.commands.executeCommand('workbench.trust.manage');
        return;
      case undefined:
        return;
    }
  }

  async #runFile(
    uri: vscode.Uri,
    argument: unknown,
    given?: PromptSource,
    asked = this.runner.asks(this.#sourceBefore(uri) ?? given),
  ): Promise<void> {
    const { notifier, userFolder } = this.#deps;
    const name = promptName(uri);
    const isForeign = isForeignPrompt(uri, userFolder);
    // Files in a folder only count once the user trusts it.
    if (isForeign && !(await requireTrust(vscode.l10n.t('Workspace prompts run only in trusted workspaces.')))) return;
    let read: { readonly text: string; readonly file: PromptFile };
    try {
      read = await readPrompt(uri);
    } catch (error) {
      return notifier.problem(problemOfUnreadablePrompt(name, reasonOf(error)));
    }
    const wrong = read.file.remarks.find(({ severity }) => severity === 'error');
    if (wrong !== undefined) {
      const line = read.text.slice(0, wrong.from).split('\n').length;
      const open = {
        label: vscode.l10n.t('Open Prompt'),
        run: async () =>
          void (await vscode.window.showTextDocument(uri, { selection: new vscode.Range(line - 1, 0, line - 1, 0) })),
      };
      return notifier.problem(problemOfPromptFile(name, wrong.message, line), { first: [open] });
    }
    if (isForeign && !(await maySendHidden(name, read.text))) return;
    // Run from its own editor, a prompt is about the editor before it.
    const source = this.#sourceBefore(uri) ?? given;
    const wish = {
      definition: { ...promptDefinition(name, read.file, isForeign), file: uri.toString() },
      ...(source && { source }),
      ...targetOf(argument),
    };
    await this.runner.run(wish, asked);
  }

  /** With this prompt file in front: the editor before it, whether visible or not. */
  #sourceBefore(uri: vscode.Uri): PromptSource | undefined {
    if (vscode.window.activeTextEditor?.document.uri.toString() !== uri.toString()) return undefined;
    // Parlance might not have run by then.
    const other = this.#deps.editorBeforePrompt() ?? vscode.window.visibleTextEditors.find(isBeside);
    return other && sourceOf(other);
  }
}

/** Not the one in front, and neither an output channel nor a part of a notebook or a page. */
function isBeside({ document, viewColumn }: vscode.TextEditor): boolean {
  return viewColumn !== undefined && document !== vscode.window.activeTextEditor?.document;
}

function targetOf(argument: unknown): { readonly target?: PromptTarget | 'ask'; readonly comparison?: string } {
  const text = textArgument(argument, 'target');
  if (text === 'ask') return { target: 'ask' };
  const target = promptTargets.find((known) => known === text);
  const comparison = textArgument(argument, 'comparison');
  return target === undefined ? {} : { target, ...(comparison !== undefined && { comparison }) };
}

/** A text field of an argument from a key binding or another command. */
function textArgument(argument: unknown, name: string): string | undefined {
  if (typeof argument !== 'object' || argument === null || !(name in argument)) return undefined;
  const value: unknown = Reflect.get(argument, name);
  return typeof value === 'string' ? value : undefined;
}
