import * as vscode from 'vscode';
import { proposalScheme } from './proposalScheme.ts';

/** What a prompt is about: a document, and the parts of it that are selected. */
export interface PromptSource {
  readonly document: vscode.TextDocument;
  /** Where it is shown; a notebook's cell need not be. */
  readonly editor?: vscode.TextEditor;
  /** In the order of the document; empty where nothing is selected. */
  readonly ranges: readonly vscode.Range[];
  /** The place that counts where nothing is selected. */
  readonly cursors: readonly vscode.Position[];
}

/** The editor that has or last had the focus, or the cell that is chosen in a notebook. */
export function currentSource(): PromptSource | undefined {
  const editor = vscode.window.activeTextEditor;
  if (editor !== undefined && isOfPerson(editor.document)) return sourceOf(editor);
  const notebook = vscode.window.activeNotebookEditor;
  const index = notebook?.selection.start;
  if (notebook === undefined || index === undefined || index >= notebook.notebook.cellCount) return undefined;
  const { document } = notebook.notebook.cellAt(index);
  const shown = vscode.window.visibleTextEditors.find((candidate) => candidate.document === document);
  // A cell that is chosen, with no cursor in it, is as good as selected.
  return wholeDocument(document, shown);
}

/** As if all of the document were selected. */
export function wholeDocument(document: vscode.TextDocument, editor?: vscode.TextEditor): PromptSource {
  const all = new vscode.Range(0, 0, document.lineCount, 0);
  const range = document.validateRange(all);
  return {
    document,
    ranges: range.isEmpty ? [] : [range],
    cursors: [range.end],
    ...(editor !== undefined && { editor }),
  };
}

/** What is selected, byte for byte; several selections as VS Code copies them, one below the other. */
export function selectedText({ document, ranges }: PromptSource): string {
  const lineEnd = document.eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n';
  return ranges.map((range) => document.getText(range)).join(lineEnd);
}

function sourceOf(editor: vscode.TextEditor): PromptSource {
  const selections = editor.selections.toSorted((one, other) => one.start.compareTo(other.start));
  return {
    document: editor.document,
    editor,
    ranges: selections
      .filter((selection) => !selection.isEmpty)
      .map((selection) => new vscode.Range(selection.start, selection.end)),
    cursors: selections.map(({ active }) => active),
  };
}

/** Not a log or a proposal of ours, which a person reads but does not work on. */
function isOfPerson(document: vscode.TextDocument): boolean {
  return document.uri.scheme !== 'output' && document.uri.scheme !== proposalScheme;
}
