import * as vscode from 'vscode';
import { continuedConversation } from '../../core/compare/continuedConversation.ts';
import type { ComparedReply, Comparison } from '../../core/compare/comparison.ts';
import type { ChatOptions } from '../../shared/chat.ts';
import type { ReplyAct } from '../../shared/protocol/compareProtocol.ts';
import type { Attachments } from '../attachments/registerAttachments.ts';
import type { Chat } from '../chat/registerChat.ts';
import type { ReplyDocuments } from '../chat/replyDocuments.ts';
import { type CodeTarget, copyText, insertCode } from '../platform/codeActs.ts';
import { applyReply } from './applyReply.ts';
import { plainWindow } from '../platform/plainWindow.ts';
import { modelLabel } from '../../words/modelLabel.ts';
import { parametersText } from '../../words/parameterWords.ts';

export interface ReplyActsDeps {
  readonly attachments: Attachments;
  readonly replies: ReplyDocuments;
  readonly continueInChat: Chat['continueInChat'];
  readonly lastEditor: CodeTarget;
  /** Shows a reply as a change to an editor's selection. */
  readonly propose: (title: string, reply: string, editor: vscode.TextEditor) => Promise<void>;
}

/**
 * Does what the buttons under a reply offer.
 * @param shared the parameters of a column without its own
 * @returns whether its text is on the clipboard now
 */
export async function comparedReplyAct(
  act: ReplyAct,
  reply: ComparedReply,
  comparison: Comparison,
  shared: ChatOptions,
  { attachments, lastEditor, replies, continueInChat, propose }: ReplyActsDeps,
): Promise<boolean> {
  switch (act) {
    case 'copy':
      return copyText(reply.text);
    case 'insert':
      await insertCode(reply.text, lastEditor);
      break;
    case 'apply':
      if (reply.state === 'done') await applyReply(reply, lastEditor.ofUser, propose);
      break;
    case 'compareText':
      await compareTexts(reply, comparison, replies);
      break;
    case 'continueInChat':
      await continueInChat(
        (by) => continuedConversation(comparison, reply.columnId, shared, by),
        (attachment) => attachments.store.read(comparison.id, attachment),
      );
  }
  return false;
}

/**
 * Shows two replies to the same question in VS Code's diff editor. If there are several others, the user selects one.
 */
async function compareTexts(reply: ComparedReply, comparison: Comparison, documents: ReplyDocuments): Promise<void> {
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
