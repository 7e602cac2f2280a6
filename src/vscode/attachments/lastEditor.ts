import * as vscode from 'vscode';
import { DisposableList } from '../platform/disposables.ts';

/** The text editor that a person was in last: while the chat has the focus in a tab, VS Code knows of none. */
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

/** The log's and a search's editors are no place to take code from. */
function isText({ document }: vscode.TextEditor): boolean {
  return document.uri.scheme !== 'output';
}
