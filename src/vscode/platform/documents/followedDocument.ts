import * as vscode from 'vscode';
import { DisposableList } from '../disposables.ts';
import { otherLineBreaks } from './otherLineBreaks.ts';
import { OpenedFiles, singleSpaced } from './openedFiles.ts';

export type FollowedChange =
  | { readonly edits: readonly vscode.TextDocumentContentChangeEvent[] }
  /** It has other line breaks, or another document continues it. The function says where an offset is now. */
  | { readonly offsetOf: (offset: number) => number };

/**
 * A document that VS Code replaces while the user works on it: it's closed and reopened, its file is renamed, or it's
 * an untitled one that is saved as a file.
 */
export class FollowedDocument implements vscode.Disposable {
  readonly #own = new DisposableList();
  readonly #changed = this.#own.add(new vscode.EventEmitter<FollowedChange>());
  #document: vscode.TextDocument;
  #lineBreaks: vscode.EndOfLine;
  /** Differs from the document's after a rename, until the renamed file is open. */
  #uri: vscode.Uri;
  /** The last text of an untitled document: saving it empties it. */
  #unsaved: { readonly text: string; readonly opened: OpenedFiles } | undefined;

  readonly onDidChange = this.#changed.event;

  constructor(document: vscode.TextDocument) {
    this.#document = document;
    this.#lineBreaks = document.eol;
    this.#uri = document.uri;
    if (document.isUntitled) {
      this.#unsaved = { text: document.getText(), opened: this.#own.add(new OpenedFiles()) };
    }
    this.#own.add(vscode.workspace.onDidChangeTextDocument((event) => this.#textChanged(event)));
    this.#own.add(vscode.workspace.onDidOpenTextDocument((opened) => this.#continueIn(opened)));
    this.#own.add(vscode.workspace.onDidRenameFiles(({ files }) => this.#renamed(files)));
  }

  /** The one that continues it, or the last one, if it's closed. */
  get document(): vscode.TextDocument {
    return this.#document;
  }

  /** Reopens it if it's closed. Undefined if it's gone, or others have changed it since. */
  async open(): Promise<vscode.TextDocument | undefined> {
    if (!this.#document.isClosed) return this.#document;
    // It would be created again.
    if (this.#document.isUntitled) return undefined;
    try {
      this.#continueIn(await vscode.workspace.openTextDocument(this.#uri));
    } catch {
      return undefined;
    }
    return this.#document.isClosed ? undefined : this.#document;
  }

  dispose(): void {
    this.#own.dispose();
  }

  #textChanged(event: vscode.TextDocumentChangeEvent): void {
    const { document, contentChanges } = event;
    if (document !== this.#document || contentChanges.length === 0) return;
    if (this.#unsaved !== undefined) {
      const text = document.getText();
      const saved = text === '' ? this.#savedAs(this.#unsaved) : undefined;
      if (saved !== undefined) return this.#moveTo(saved, this.#unsaved.text);
      this.#unsaved = { ...this.#unsaved, text };
    }
    const offsetOf = otherLineBreaks(event, this.#lineBreaks);
    this.#lineBreaks = document.eol;
    this.#changed.fire(offsetOf === undefined ? { edits: contentChanges } : { offsetOf });
  }

  #savedAs({ text, opened }: { readonly text: string; readonly opened: OpenedFiles }): vscode.TextDocument | undefined {
    const words = singleSpaced(text);
    return opened.find((others) => others === words);
  }

  #continueIn(opened: vscode.TextDocument): void {
    const isReplaced = this.#document.isClosed || this.#uri.toString() !== this.#document.uri.toString();
    if (!isReplaced || opened === this.#document || opened.uri.toString() !== this.#uri.toString()) return;
    if (opened.getText() === this.#document.getText()) this.#moveTo(opened);
  }

  #renamed(files: vscode.FileRenameEvent['files']): void {
    const { scheme, authority, path } = this.#uri;
    for (const { oldUri, newUri } of files) {
      const isWithin = path === oldUri.path || path.startsWith(`${oldUri.path}/`);
      if (!isWithin || scheme !== oldUri.scheme || authority !== oldUri.authority) continue;
      this.#uri = newUri.with({ path: newUri.path + path.slice(oldUri.path.length) });
    }
    // VS Code can have opened it already.
    for (const document of vscode.workspace.textDocuments) this.#continueIn(document);
  }

  /** @param saved the last text of the untitled document that was saved, which might have changed white space */
  #moveTo(document: vscode.TextDocument, saved?: string): void {
    this.#document = document;
    this.#lineBreaks = document.eol;
    this.#uri = document.uri;
    this.#unsaved = undefined;
    this.#changed.fire({
      offsetOf: (offset) => {
        if (saved === undefined) return offset;
        const lines = saved.slice(0, offset).split('\n');
        return document.offsetAt(new vscode.Position(lines.length - 1, lines.at(-1)?.length ?? 0));
      },
    });
  }
}
