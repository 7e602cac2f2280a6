import * as vscode from 'vscode';
import { DisposableSlot } from '../platform/disposables.ts';
import { notebookOf } from '../platform/documents/notebookOf.ts';

/** A position in a document that moves along when someone types before it. */
export class InsertPlace implements vscode.Disposable {
  readonly document: vscode.TextDocument;
  /** What is saved as a file: the document, or the notebook that has it as a cell. */
  readonly saved: Pick<vscode.TextDocument, 'uri' | 'isUntitled'>;
  readonly #watch = new DisposableSlot();
  #offset: number;
  #isCanceled = false;

  constructor(document: vscode.TextDocument, position: vscode.Position) {
    this.document = document;
    this.saved = notebookOf(document) ?? document;
    this.#offset = document.offsetAt(position);
    this.#watch.set(
      vscode.workspace.onDidChangeTextDocument(({ document: changed, contentChanges }) => {
        if (changed.uri.toString() !== document.uri.toString()) return;
        for (const { rangeOffset, rangeLength, text } of contentChanges) {
          if (rangeOffset + rangeLength <= this.#offset) this.#offset += text.length - rangeLength;
          else if (rangeOffset < this.#offset) this.#offset = rangeOffset + text.length;
        }
      }),
    );
  }

  /** The file's name, for users. */
  get name(): string {
    return vscode.workspace.asRelativePath(this.saved.uri, false);
  }

  get position(): vscode.Position {
    return this.document.positionAt(this.#offset);
  }

  /** Nothing should be inserted here any longer. */
  get isCanceled(): boolean {
    return this.#isCanceled;
  }

  dispose(): void {
    this.#isCanceled = true;
    this.#watch.dispose();
  }
}
