import type * as vscode from 'vscode';
import { pathOf } from '../attachments/sources/documentContext.ts';
import { DisposableList } from '../platform/disposables.ts';
import { FollowedDocument } from '../platform/documents/followedDocument.ts';
import { notebookOf } from '../platform/documents/notebookOf.ts';

/** A position in a document that moves along when someone types before it, wherever the document continues. */
export class InsertPlace implements vscode.Disposable {
  readonly #own = new DisposableList();
  readonly #followed: FollowedDocument;
  #offset: number;
  #isLost = false;
  #isCanceled = false;

  constructor(document: vscode.TextDocument, position: vscode.Position) {
    this.#followed = this.#own.add(new FollowedDocument(document));
    this.#offset = document.offsetAt(position);
    this.#own.add(
      this.#followed.onDidChange((change) => {
        if ('offsetOf' in change) this.#offset = change.offsetOf(this.#offset);
        else for (const edit of change.edits) this.#edited(edit);
      }),
    );
  }

  get document(): vscode.TextDocument {
    return this.#followed.document;
  }

  /** What is saved as a file: the document, or the notebook that has it as a cell. */
  get saved(): Pick<vscode.TextDocument, 'uri' | 'isUntitled'> {
    return notebookOf(this.document) ?? this.document;
  }

  /** The file's name, for users. */
  get name(): string {
    return pathOf(this.saved.uri);
  }

  get position(): vscode.Position {
    return this.document.positionAt(this.#offset);
  }

  /** The document is gone, as far as known. */
  get isGone(): boolean {
    return this.#isLost || (this.document.isClosed && this.document.isUntitled);
  }

  /** Nothing should be inserted here any longer. */
  get isCanceled(): boolean {
    return this.#isCanceled;
  }

  /** Reopens the document if it's closed. @returns false if it's gone, or others have changed it since */
  async open(): Promise<boolean> {
    this.#isLost = (await this.#followed.open()) === undefined;
    return !this.#isLost;
  }

  dispose(): void {
    this.#isCanceled = true;
    this.#own.dispose();
  }

  #edited({ rangeOffset, rangeLength, text }: vscode.TextDocumentContentChangeEvent): void {
    if (rangeOffset + rangeLength <= this.#offset) this.#offset += text.length - rangeLength;
    else if (rangeOffset < this.#offset) this.#offset = rangeOffset + text.length;
  }
}
