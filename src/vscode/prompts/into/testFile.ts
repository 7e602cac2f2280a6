import * as vscode from 'vscode';
import { problemOfRefusedEdit } from '../../../core/problems/promptProblems.ts';
import { answerCode } from '../../../core/prompts/answerCode.ts';
import type { Problem } from '../../../shared/problem.ts';
import { confirmInsert } from '../../platform/documents/confirmInsert.ts';

/**
 * Writes the code of a reply to a new test file, or adds it to the end of an existing one, which stays unsaved, and
 * shows it. Both can be undone.
 */
export async function writeTestFile(uri: vscode.Uri, reply: string, explain: (problem: Problem) => void) {
  const { text } = answerCode(reply, { isComplete: true, dropWords: true, joinBlocks: true });
  const code = `${text.trimEnd()}\n`;
  const document = await opened(uri);
  const added = document === undefined ? code : `\n\n${code}`;
  if (!(await confirmInsert(code, document && { document, after: document.getText() + added }))) return;
  const edit = new vscode.WorkspaceEdit();
  if (document === undefined) edit.createFile(uri, { contents: new TextEncoder().encode(code) });
  else edit.insert(uri, document.lineAt(document.lineCount - 1).range.end, added);
  if (!(await vscode.workspace.applyEdit(edit))) return explain(problemOfRefusedEdit(uri.path));
  const shown = await vscode.window.showTextDocument(uri, { preview: false });
  if (document === undefined) return;
  const end = shown.document.positionAt(shown.document.getText().length - code.length);
  shown.selection = new vscode.Selection(end, end);
  shown.revealRange(new vscode.Range(end, end), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}

/** @returns undefined if there's no such file */
async function opened(uri: vscode.Uri): Promise<vscode.TextDocument | undefined> {
  try {
    await vscode.workspace.fs.stat(uri);
  } catch {
    return undefined;
  }
  return vscode.workspace.openTextDocument(uri);
}
