import * as vscode from 'vscode';
import type { ComparedReply, Comparison } from '../../core/compare/comparison.ts';
import type { ReplyDocuments } from '../chat/replyDocuments.ts';
import { plainWindow } from '../platform/plainWindow.ts';
import { modelLabel } from '../../words/modelLabel.ts';
import { parametersText } from '../../words/parameterWords.ts';

/**
 * Shows two replies to the same question in VS Code's diff editor. If there are several others, the user selects one.
 */
export async function compareTexts(
  reply: ComparedReply,
  comparison: Comparison,
  documents: ReplyDocuments,
): Promise<void> {
  const others = comparison.replies.filter(
    ({ id, turnId, text }) => id !== reply.id && turnId === reply.turnId && text !== '',
  );
  if (others.length === 0) {
    void plainWindow.showInformationMessage(vscode.l10n.t("There's no other reply to compare with yet."));
    return;
  }
  const rows = others.map((other) => {
    // Two columns with one model differ in these.
    const own = parametersText(other.options ?? {});
    return { label: modelLabel(other.model), ...(own !== '' && { description: own }), other };
  });
  const row =
    rows.length === 1
      ? rows[0]
      : await plainWindow.showQuickPick(rows, { title: vscode.l10n.t('Compare {0} With', modelLabel(reply.model)) });
  if (row === undefined) return;
  const [left, right] = [reply, row.other].map(({ model, text }) =>
    documents.add(`${modelLabel(model).replaceAll('/', ' ')}.md`, text),
  );
  const title = vscode.l10n.t('{0} ↔ {1}', modelLabel(reply.model), modelLabel(row.other.model));
  await vscode.commands.executeCommand('vscode.diff', left, right, title);
}
