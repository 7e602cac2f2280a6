import * as vscode from 'vscode';
import { DisposableList } from '../platform/disposables.ts';

/** The text editor that the user was in last. While a chat tab has the focus, VS Code reports none. */
export class LastEditor implements vscode.Disposable {
  readonly #own = new DisposableList();
  #editor = vscode.window.activeTextEditor;

  constructor() {
    this.#own.add(
      vscode.window.onDidChangeActiveTextEditor((editor) => {
        if (editor !== undefined && isText(editor)) this.#editor = editor;
      }),
    );
  }

  /** Undefined once its document is closed. */
  get value(): vscode.TextEditor | undefined {
    const active = vscode.window.activeTextEditor;
    const editor = active !== undefined && isText(active) ? active : this.#editor;
    return editor === undefined || editor.document.isClosed ? undefined : editor;
  }

  dispose(): void {
    this.#own.dispose();
  }
}

/** Output channels and search results aren't a source of code. */
function isText({ document }: vscode.TextEditor): boolean {
  return document.uri.scheme !== 'output';
}
