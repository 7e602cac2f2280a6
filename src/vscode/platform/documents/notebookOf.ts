import * as vscode from 'vscode';

/** The open notebook that has this document as a cell; undefined for any other document. */
export function notebookOf({ uri }: vscode.TextDocument): vscode.NotebookDocument | undefined {
  return cellAt(uri)?.notebook;
}

/** The cell of an open notebook that has this URI. */
export function cellAt(uri: vscode.Uri): vscode.NotebookCell | undefined {
  if (uri.scheme !== 'vscode-notebook-cell') return undefined;
  const key = uri.toString();
  return vscode.workspace.notebookDocuments
    .flatMap((notebook) => notebook.getCells())
    .find(({ document }) => document.uri.toString() === key);
}

/** Brings a document to the front, or the notebook that has it as a cell. A closed document is opened again. */
export async function showDocument(document: vscode.TextDocument, selection?: vscode.Range): Promise<void> {
  const notebook = notebookOf(document);
  if (notebook === undefined) {
    await vscode.window.showTextDocument(document.uri, selection && { selection });
    return;
  }
  const index = notebook.getCells().findIndex((cell) => cell.document === document);
  await vscode.window.showNotebookDocument(
    notebook,
    selection && { selections: [new vscode.NotebookRange(index, index + 1)] },
  );
}
