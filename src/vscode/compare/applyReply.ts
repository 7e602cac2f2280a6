import * as vscode from 'vscode';
import type { ComparedReply } from '../../core/compare/comparison.ts';
import { answerCode, withoutOuterFence } from '../../core/prompts/answerCode.ts';
import { modelLabel } from '../../words/modelLabel.ts';
import { openCode } from '../platform/codeActs.ts';
import { plainWindow } from '../platform/plainWindow.ts';

/**
 * Proposes the code of a complete reply as a change to the file that the user was in, to keep or discard change by
 * change.
 * @param last the text editor that the user was in last, which the comparison might cover
 */
export async function applyReply(
  { text, model }: Pick<ComparedReply, 'text' | 'model'>,
  last: vscode.TextEditor | undefined,
  propose: (title: string, reply: string, editor: vscode.TextEditor) => Promise<void>,
): Promise<void> {
  const code = answerCode(text, { isComplete: true, dropWords: true, joinBlocks: true }).text;
  if (last === undefined || last.document.isClosed) {
    const open = vscode.l10n.t('Open as New File');
    const chosen = await plainWindow.showInformationMessage(
      vscode.l10n.t('No editor is open to apply the code to.'),
      open,
    );
    if (chosen === open) await openCode(code, '');
    return;
  }
  // An editor that is covered can't show what is selected in it.
  const editor = await vscode.window.showTextDocument(last.document, last.viewColumn);
  // The text around a single block is dropped where that's right for the file.
  const isOneBlock = answerCode(text, { isComplete: true, dropWords: true }).without !== 'nothing';
  const isDocument = last.document.languageId === 'markdown' && withoutOuterFence(text, true) !== undefined;
  await propose(modelLabel(model), isOneBlock || isDocument ? text : code, editor);
}
