import * as vscode from 'vscode';
import { promptFileEnding } from '../../core/prompts/promptDefinition.ts';
import { DisposableList } from '../platform/disposables.ts';
import { documentSchemes } from '../settings/contributions.ts';

/** The text editor that the user was in last. While a chat tab has the focus, VS Code reports none. */
export class LastEditor implements vscode.Disposable {
  readonly #own = new DisposableList();
  #editor: vscode.TextEditor | undefined;
  #ofUser: vscode.TextEditor | undefined;
  #beforePrompt: vscode.TextEditor | undefined;

  constructor() {
    // Includes the one that is already open: Parlance might start long after it was opened.
    this.#take(vscode.window.activeTextEditor);
    this.#own.add(vscode.window.onDidChangeActiveTextEditor((editor) => this.#take(editor)));
  }

  /** Undefined once its document is closed. */
  get value(): vscode.TextEditor | undefined {
    const active = vscode.window.activeTextEditor;
    const editor = active !== undefined && isText(active) ? active : this.#editor;
    return editor === undefined || editor.document.isClosed ? undefined : editor;
  }

  /** The same, without our own documents, for example a reply in a diff: the target for code. */
  get ofUser(): vscode.TextEditor | undefined {
    const last = this.value;
    const editor = last !== undefined && isOfUser(last) ? last : this.#ofUser;
    return editor === undefined || editor.document.isClosed ? undefined : editor;
  }

  /** The last one that isn't a prompt file's: what a prompt is about that is run from its own editor. */
  get beforePrompt(): vscode.TextEditor | undefined {
    return this.#beforePrompt?.document.isClosed === true ? undefined : this.#beforePrompt;
  }

  #take(editor: vscode.TextEditor | undefined): void {
    if (editor !== undefined && isText(editor)) this.#editor = editor;
    if (editor !== undefined && isOfUser(editor)) this.#ofUser = editor;
    if (editor !== undefined && isOfUser(editor) && !isPrompt(editor)) this.#beforePrompt = editor;
  }

  dispose(): void {
    this.#own.dispose();
  }
}

/** Documents of ours are read-only. */
function isOfUser(editor: vscode.TextEditor): boolean {
  const ours: readonly string[] = Object.values(documentSchemes);
  return isText(editor) && !ours.includes(editor.document.uri.scheme);
}

function isPrompt({ document }: vscode.TextEditor): boolean {
  return document.uri.path.endsWith(promptFileEnding);
}

/** Output channels and search results aren't a source of code. */
function isText({ document }: vscode.TextEditor): boolean {
  return document.uri.scheme !== 'output';
}
