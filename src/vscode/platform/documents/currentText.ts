import * as vscode from 'vscode';
import { bytesText } from '../../../words/bytes.ts';

/**
 * The text of a file, including unsaved changes. VS Code keeps the document of a deleted file for a while, and for as
 * long as it has a tab, although the file is gone.
 *
 * @param maxSize in bytes
 * @param known about the file, from a moment ago
 * @throws {vscode.FileSystemError} if there's no such file, or it can't be read
 * @throws {Error} if it's too large
 */
export async function currentText(uri: vscode.Uri, maxSize: number, known?: vscode.FileStat): Promise<string> {
  const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
  const size = open?.isUntitled === true ? 0 : (known ?? (await vscode.workspace.fs.stat(uri))).size;
  if ((open?.getText().length ?? size) > maxSize) {
    throw new Error(vscode.l10n.t("It's larger than {0}.", bytesText(maxSize)));
  }
  return open?.getText() ?? new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
}
