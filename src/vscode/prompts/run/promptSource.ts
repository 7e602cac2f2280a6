import * as vscode from 'vscode';
import { documentSchemes } from '../../settings/contributions.ts';
import type { PromptTarget } from '../../../core/prompts/promptDefinition.ts';

/** What a prompt is about: a document, and the parts of it that are selected. */
export interface PromptSource {
  readonly document: vscode.TextDocument;
  /** Where it is shown; a notebook's cell need not be. */
  readonly editor?: vscode.TextEditor;
  /** In the order of the document; empty where nothing is selected. */
  readonly ranges: readonly vscode.Range[];
  /** The places that count where nothing is selected; of several the first that was set comes first. */
  readonly cursors: readonly vscode.Position[];
  /** The other cells, where several of a notebook are chosen; in order, and after this one. */
  readonly moreCells?: readonly PromptSource[];
}

/** The editor that has or last had the focus, or the cells that are chosen in a notebook. */
export function currentSource(): PromptSource | undefined {
  const editor = vscode.window.activeTextEditor;
  const notebook = vscode.window.activeNotebookEditor;
  const chosen = notebook === undefined ? [] : chosenCells(notebook);
  // VS Code has the editor of a cell as the active one, also where the cells are what is selected.
  const areSelected =
    chosen.length > 1 && (editor === undefined || chosen.some(({ document }) => document === editor.document));
  if (!areSelected && editor !== undefined && isOfPerson(editor)) return sourceOf(editor);
  if (notebook === undefined) return sourceBesidePage();
  const cells = chosen.map(({ document }) => {
    const shown = vscode.window.visibleTextEditors.find((candidate) => candidate.document === document);
    // A cell that is chosen, with no cursor in it, is as good as selected.
    return wholeDocument(document, shown);
  });
  const written = cells.filter(({ ranges }) => ranges.length > 0);
  const [first = cells[0], ...moreCells] = written;
  return first && moreCells.length > 0 ? { ...first, moreCells } : first;
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
export function selectedText(source: PromptSource): string {
  const lineEnd = source.document.eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n';
  return [source, ...(source.moreCells ?? [])]
    .flatMap(({ document, ranges }) => ranges.map((range) => document.getText(range)))
    .join(lineEnd);
}

/** What is selected in an editor. */
export function sourceOf(editor: vscode.TextEditor): PromptSource {
  const inOrder = editor.selections.toSorted((one, other) => one.start.compareTo(other.start));
  return {
    document: editor.document,
    editor,
    ranges: inOrder
      .filter((selection) => !selection.isEmpty)
      .map((selection) => new vscode.Range(selection.start, selection.end)),
    cursors: editor.selections.map(({ active }) => active),
  };
}

/** In order, each once. */
function chosenCells({ notebook, selections }: vscode.NotebookEditor): readonly vscode.NotebookCell[] {
  return notebook.getCells().filter(({ index }) => selections.some(({ start, end }) => index >= start && index < end));
}

/** With a chat or another page in front VS Code knows of no editor: then it is the only one in view. */
function sourceBesidePage(): PromptSource | undefined {
  const inView = vscode.window.visibleTextEditors.filter(
    (editor) => editor.viewColumn !== undefined && isOfPerson(editor),
  );
  const [only] = inView;
  return only !== undefined && inView.length === 1 ? sourceOf(only) : undefined;
}

/** Not a proposal of ours, and of a log what is selected: a person reads it, but does not work on it. */
function isOfPerson({ document, selections }: vscode.TextEditor): boolean {
  if (document.uri.scheme === 'output') return selections.some(({ isEmpty }) => !isEmpty);
  return document.uri.scheme !== documentSchemes.proposal;
}

/** Whether the reply goes into what it is about. */
export function writes(target: PromptTarget | 'ask'): boolean {
  return target === 'replace' || target === 'cursor';
}

/** What is written into the document is asked for each selection by itself; all else at once. */
export function partsOf(source: PromptSource, target: PromptTarget): readonly PromptSource[];
export function partsOf(source: PromptSource | undefined, target: PromptTarget): readonly (PromptSource | undefined)[];
export function partsOf(source: PromptSource | undefined, target: PromptTarget): readonly (PromptSource | undefined)[] {
  if (source === undefined || !writes(target) || source.ranges.length < 2) return [source];
  return source.ranges.map((range) => ({ ...source, ranges: [range] }));
}
