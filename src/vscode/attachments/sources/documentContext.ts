import * as vscode from 'vscode';
import { contextBlock } from '../../../core/chat/contextBlock.ts';
import { cellAt } from '../../platform/documents/notebookOf.ts';
import type { ContextSnapshot } from '../contextSnapshot.ts';
import { folderName } from '../filePaths.ts';

/** The path that users and models know a document by: relative to its folder, or its name if it has none. */
export function pathOf(uri: vscode.Uri): string {
  const cell = cellAt(uri);
  if (cell !== undefined) return `${pathOf(cell.notebook.uri)}${cellMark(cell)}`;
  if (uri.scheme === 'untitled') return uri.path.slice(uri.path.lastIndexOf('/') + 1);
  const path = vscode.workspace.asRelativePath(uri).replaceAll('\\', '/');
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  const start = `${folder?.name ?? ''}/`;
  // With several folders open, it starts with the name of the folder, which another might have too.
  if (folder === undefined || path !== start + vscode.workspace.asRelativePath(uri, false)) return path;
  return `${folderName(folder, vscode.workspace.workspaceFolders)}/${path.slice(start.length)}`;
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

/** A whole notebook, including unsaved changes, without outputs: its cells as Markdown. */
export function notebookContext(notebook: vscode.NotebookDocument): ContextSnapshot {
  const { uri } = notebook;
  return { kind: 'file', name: nameOf(uri), detail: pathOf(uri), block: notebookBlock(notebook) };
}

export function notebookBlock(notebook: vscode.NotebookDocument): string {
  const text = notebookText(notebook);
  return contextBlock({ heading: `File: ${pathOf(notebook.uri)}`, language: 'markdown', text });
}

/** Its cells as Markdown. */
export function notebookText(notebook: vscode.NotebookDocument): string {
  const cells = notebook.getCells().map(({ kind, document }, index) => {
    const text = document.getText();
    if (kind === vscode.NotebookCellKind.Markup) return text;
    return contextBlock({ heading: `Cell ${index + 1}:`, language: document.languageId, text });
  });
  return cells.join('\n\n');
}

/** The notebook in this file, unless the user has opened the file as text, whose unsaved changes count then. */
export async function notebookIn(uri: vscode.Uri): Promise<vscode.NotebookDocument | undefined> {
  const open = notebookAt(uri);
  if (open !== undefined || !uri.path.toLowerCase().endsWith('.ipynb')) return open;
  if (vscode.workspace.textDocuments.some((document) => document.uri.toString() === uri.toString())) return undefined;
  try {
    return await vscode.workspace.openNotebookDocument(uri);
  } catch {
    // It's damaged, or the extension for it is disabled.
    return undefined;
  }
}

/** The open notebook in this file. The text of the file lacks unsaved changes, and has outputs, for example images. */
export function notebookAt(uri: vscode.Uri): vscode.NotebookDocument | undefined {
  const key = uri.toString();
  return vscode.workspace.notebookDocuments.find((notebook) => notebook.uri.toString() === key);
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
