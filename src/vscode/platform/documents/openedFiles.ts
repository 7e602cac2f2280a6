import * as vscode from 'vscode';
import { notebookOf } from './notebookOf.ts';

/**
 * Finds the file that an untitled document is saved as. VS Code empties and closes the document, and doesn't say which
 * file that is, but has opened it with the same text by then.
 */
export class OpenedFiles implements vscode.Disposable {
  readonly #opened = new Set<vscode.TextDocument>();
  readonly #watch = vscode.Disposable.from(
    vscode.workspace.onDidOpenTextDocument((document) => this.#opened.add(document)),
    vscode.workspace.onDidCloseTextDocument((document) => this.#opened.delete(document)),
  );

  /** @param isSame whether these are the words of the untitled document. A file without words is never the one. */
  find(isSame: (words: string) => boolean): vscode.TextDocument | undefined {
    return [...this.#opened].find((document) => {
      const { scheme } = (notebookOf(document) ?? document).uri;
      // A side of a proposed change, for example, can have the same words.
      if (document.isClosed || vscode.workspace.fs.isWritableFileSystem(scheme) !== true) return false;
      const words = singleSpaced(document.getText());
      return words !== '' && isSame(words);
    });
  }

  dispose(): void {
    this.#watch.dispose();
  }
}

/** Saving might change white space. */
export function singleSpaced(text: string): string {
  return text.replaceAll(/\s+/gu, ' ').trim();
}
