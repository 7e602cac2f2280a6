import * as vscode from 'vscode';
import { DisposableSlot } from '../platform/disposables.ts';
import { notebookOf } from '../platform/documents/notebookOf.ts';
import { OpenedFiles, singleSpaced } from '../platform/documents/openedFiles.ts';

interface Caret {
  /** Of the document. */
  readonly text: string;
  readonly offset: number;
}

/**
 * A position in a document that moves along when someone types before it, and into the file that an untitled document
 * is saved as.
 */
export class InsertPlace implements vscode.Disposable {
  readonly #watch = new DisposableSlot();
  #document: vscode.TextDocument;
  #offset: number;
  #isCanceled = false;

  constructor(document: vscode.TextDocument, position: vscode.Position) {
    this.#document = document;
    this.#offset = document.offsetAt(position);
    this.#follow();
  }

  get document(): vscode.TextDocument {
    return this.#document;
  }

  /** What is saved as a file: the document, or the notebook that has it as a cell. */
  get saved(): Pick<vscode.TextDocument, 'uri' | 'isUntitled'> {
    return notebookOf(this.#document) ?? this.#document;
  }

  /** The file's name, for users. */
  get name(): string {
    return vscode.workspace.asRelativePath(this.saved.uri, false);
  }

  get position(): vscode.Position {
    return this.#document.positionAt(this.#offset);
  }

  /** An untitled document was closed, and not saved as a file that is known. It would be created again. */
  get isGone(): boolean {
    return this.#document.isClosed && this.#document.isUntitled;
  }

  /** Nothing should be inserted here any longer. */
  get isCanceled(): boolean {
    return this.#isCanceled;
  }

  dispose(): void {
    this.#isCanceled = true;
    this.#watch.dispose();
  }

  #follow(): void {
    const opened = new OpenedFiles();
    let last = this.#caret();
    this.#watch.set(
      vscode.Disposable.from(
        opened,
        vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
          if (document.uri.toString() !== this.#document.uri.toString()) return;
          for (const { rangeOffset, rangeLength, text } of contentChanges) {
            if (rangeOffset + rangeLength <= this.#offset) this.#offset += text.length - rangeLength;
            else if (rangeOffset < this.#offset) this.#offset = rangeOffset + text.length;
          }
          // It's emptied before it's closed.
          if (document.isUntitled && document.getText() !== '') last = this.#caret();
        }),
        vscode.workspace.onDidCloseTextDocument((document) => {
          if (document !== this.#document || !this.isGone) return;
          const file = opened.find((words) => words === singleSpaced(last.text));
          if (file !== undefined) this.#moveTo(file, last);
        }),
      ),
    );
  }

  #caret(): Caret {
    return { text: this.#document.getText(), offset: this.#offset };
  }

  /** Saving might have changed white space, for example at the end of lines. */
  #moveTo(file: vscode.TextDocument, { text, offset }: Caret): void {
    const lines = text.slice(0, offset).split('\n');
    const position = new vscode.Position(lines.length - 1, lines.at(-1)?.length ?? 0);
    this.#document = file;
    this.#offset = file.offsetAt(file.validatePosition(position));
  }
}
