import * as vscode from 'vscode';
import { contextBlock } from '../../../core/chat/contextBlock.ts';
import { cellAt } from '../../platform/documents/notebookOf.ts';
import type { ContextSnapshot } from '../contextSnapshot.ts';

/** The path that users and models know a document by: relative to its folder, or its name if it has none. */
export function pathOf(uri: vscode.Uri): string {
  const cell = cellAt(uri);
  if (cell !== undefined) return `${pathOf(cell.notebook.uri)}${cellMark(cell)}`;
  if (uri.scheme === 'untitled') return uri.path.slice(uri.path.lastIndexOf('/') + 1);
  return vscode.workspace.asRelativePath(uri).replaceAll('\\', '/');
}

/** The last part of the path. */
export function nameOf(uri: vscode.Uri): string {
  const cell = cellAt(uri);
  return `${uri.path.slice(uri.path.lastIndexOf('/') + 1)}${cell === undefined ? '' : cellMark(cell)}`;
}

/** Distinguishes the cells of a notebook, which have its path. */
function cellMark({ index }: vscode.NotebookCell): string {
  return `#cell${index + 1}`;
}

/** A whole document, including unsaved changes. */
export function documentContext(document: vscode.TextDocument): ContextSnapshot {
  const path = pathOf(document.uri);
  return { kind: 'file', name: nameOf(document.uri), detail: path, block: documentBlock(document) };
}

export function documentBlock(document: vscode.TextDocument): string {
  const text = document.getText();
  return contextBlock({ heading: `File: ${pathOf(document.uri)}`, language: document.languageId, text });
}

/** The selection of an editor; several selections in the order of the text. Undefined without one. */
export function selectionContext(editor: vscode.TextEditor): ContextSnapshot | undefined {
  const { document } = editor;
  const selections = editor.selections
    .filter((selection) => !selection.isEmpty)
    .toSorted((one, other) => one.start.compareTo(other.start));
  if (selections.length === 0) return undefined;
  const path = pathOf(document.uri);
  const lines = selections.map(linesOf);
  const blocks = selections.map((selection, index) =>
    contextBlock({
      heading: `Selection: ${path}, ${lineWords(lines[index] ?? '')}`,
      language: document.languageId,
      text: document.getText(selection),
    }),
  );
  return {
    kind: 'selection',
    name: `${nameOf(document.uri)}:${lines.join(',')}`,
    detail: `${path}:${lines.join(',')}`,
    block: blocks.join('\n\n'),
  };
}

/** `3-10`, or `3` for one line; counted from 1. */
export function linesOf(range: vscode.Range): string {
  // A selection of whole lines ends at the start of the next one.
  const last = range.end.character === 0 && range.end.line > range.start.line ? range.end.line - 1 : range.end.line;
  return last === range.start.line ? String(last + 1) : `${range.start.line + 1}-${last + 1}`;
}

export function lineWords(lines: string): string {
  return lines.includes('-') ? `lines ${lines}` : `line ${lines}`;
}
