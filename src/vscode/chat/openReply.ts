import * as vscode from 'vscode';
import { replyMarkdown } from '../../core/chat/conversationMarkdown.ts';
import type { Conversation } from '../../core/chat/conversation.ts';
import { plainWindow } from '../platform/plainWindow.ts';
import type { ReplyDocuments } from './replyDocuments.ts';
import { modelLabel } from '../../words/modelLabel.ts';

/**
 * The plain view of a conversation's last reply: an editor, which works with a screen reader by line and word, a
 * braille display, and a magnifier.
 */
export async function openReply(conversation: Conversation | undefined, replies: ReplyDocuments): Promise<void> {
  const reply = conversation?.messages().findLast((message) => message.role === 'assistant');
  if (reply?.role !== 'assistant') {
    plainWindow.setStatusBarMessage(vscode.l10n.t("There's no reply to open."), 6000);
    return;
  }
  // The model's name has slashes.
  const uri = replies.add(`${modelLabel(reply.model).replaceAll('/', ' ')}.md`, replyMarkdown(reply));
  const document = await vscode.workspace.openTextDocument(uri);
  await vscode.window.showTextDocument(document, { preview: true });
}
