import * as vscode from 'vscode';
import type { ComparedReply } from '../../core/compare/comparison.ts';
import { answerCode } from '../../core/prompts/answerCode.ts';
import { openCode } from '../platform/codeActs.ts';
import { plainWindow } from '../platform/plainWindow.ts';

/**
 * Proposes the code of a reply as a change to the file that the user was in, to keep or discard change by change.
 * @param last the text editor that the user was in last, which the comparison might cover
 */
export async function applyReply(
  { text, model }: ComparedReply,
  last: vscode.TextEditor | undefined,
  propose: (title: string, reply: string, editor: vscode.TextEditor) => Promise<void>,
): Promise<void> {
  if (last === undefined || last.document.isClosed) {
    const open = vscode.l10n.t('Open as New File');
    const chosen = await plainWindow.showInformationMessage(
      vscode.l10n.t('No editor is open to apply the code to.'),
      open,
    );
    const code = answerCode(text, { isComplete: true, dropWords: true, joinBlocks: true }).text;
    if (chosen === open) await openCode(code, '');
    return;
  }
  // An editor that is covered can't show what is selected in it.
  const editor = await vscode.window.showTextDocument(last.document, last.viewColumn);
  await propose(model, text, editor);
}
