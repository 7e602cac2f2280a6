import * as vscode from 'vscode';
import { documentSchemes, panelTypes } from '../../settings/contributions.ts';
import type { PromptTarget } from '../../../core/prompts/promptDefinition.ts';

/** What a prompt is about: a document, and its selected parts. */
export interface PromptSource {
  readonly document: vscode.TextDocument;
  /** Where it's shown; undefined for some notebook cells. */
  readonly editor?: vscode.TextEditor;
  /** In document order; empty without a selection. */
  readonly ranges: readonly vscode.Range[];
  /** The cursors, which count without a selection. Of several, the one that was set first comes first. */
  readonly cursors: readonly vscode.Position[];
  /** The other selected cells of a notebook, in order, after this one. */
  readonly moreCells?: readonly PromptSource[];
}

/**
 * The editor that has or last had the focus, or the selected cells of a notebook.
 * @param last the user's last editor, which our pages offer as context even if something else covers it
 */
export function currentSource(last?: vscode.TextEditor): PromptSource | undefined {
  const editor = vscode.window.activeTextEditor;
  const notebook = vscode.window.activeNotebookEditor;
  const chosen = notebook === undefined ? [] : chosenCells(notebook);
  // VS Code reports a cell's editor as active even if cells are selected.
  const areSelected =
    chosen.length > 1 && (editor === undefined || chosen.some(({ document }) => document === editor.document));
  if (!areSelected && editor !== undefined && isOfPerson(editor)) return sourceOf(editor);
  if (notebook === undefined) return last === undefined ? sourceBesidePage() : sourceOf(last);
  const cells = chosen.map(({ document }) => {
    const shown = vscode.window.visibleTextEditors.find((candidate) => candidate.document === document);
    // A selected cell without a cursor in it counts as a selection.
    return wholeDocument(document, shown);
  });
  const written = cells.filter(({ ranges }) => ranges.length > 0);
  const [first = cells[0], ...moreCells] = written;
  return first && moreCells.length > 0 ? { ...first, moreCells } : first;
}

/** The same, for a command. Only our own pages and VS Code's walkthrough are about an editor that they cover. */
export function sourceOfCommand(last: vscode.TextEditor | undefined): PromptSource | undefined {
  const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
  if (tab?.input instanceof vscode.TabInputWebview && isOurs(tab.input)) return currentSource(last);
  // VS Code doesn't say what its own pages are, so what is visible comes first.
  return currentSource() ?? (tab !== undefined && tab.input === undefined ? currentSource(last) : undefined);
}

/** As if the whole document were selected. */
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

/** The selected text, unchanged. Several selections are on separate lines, like VS Code copies them. */
export function selectedText(source: PromptSource): string {
  const lineEnd = source.document.eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n';
  return [source, ...(source.moreCells ?? [])]
    .flatMap(({ document, ranges }) => ranges.map((range) => document.getText(range)))
    .join(lineEnd);
}

/** The selections of an editor. */
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

function isOurs({ viewType }: vscode.TabInputWebview): boolean {
  // VS Code adds a prefix to the type.
  return Object.values(panelTypes).some((type) => viewType.endsWith(type));
}

/** With a chat or another page in front, VS Code reports no editor. Then it's the only visible one. */
function sourceBesidePage(): PromptSource | undefined {
  const inView = vscode.window.visibleTextEditors.filter(
    (editor) => editor.viewColumn !== undefined && isOfPerson(editor),
  );
  const [only] = inView;
  return only !== undefined && inView.length === 1 ? sourceOf(only) : undefined;
}

/**
 * Not our own proposals. In an output channel, only the selection counts, because users read it but don't work on it.
 */
function isOfPerson({ document, selections }: vscode.TextEditor): boolean {
  if (document.uri.scheme === 'output') return selections.some(({ isEmpty }) => !isEmpty);
  return document.uri.scheme !== documentSchemes.proposal;
}

/** Whether the reply is written into its source. */
export function writes(target: PromptTarget | 'ask'): boolean {
  return target === 'replace' || target === 'cursor';
}

/** A reply that is written into the document is requested separately for each selection; any other for all at once. */
export function partsOf(source: PromptSource, target: PromptTarget): readonly PromptSource[];
export function partsOf(source: PromptSource | undefined, target: PromptTarget): readonly (PromptSource | undefined)[];
export function partsOf(source: PromptSource | undefined, target: PromptTarget): readonly (PromptSource | undefined)[] {
  if (source === undefined || !writes(target) || source.ranges.length < 2) return [source];
  return source.ranges.map((range) => ({ ...source, ranges: [range] }));
}
