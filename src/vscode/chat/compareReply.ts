import * as vscode from 'vscode';
import type { ChatSession } from '../../core/chat/chatSession.ts';
import { comparedQuestion } from '../../core/compare/comparedQuestion.ts';
import type { Attachments } from '../attachments/registerAttachments.ts';
import { commandIds } from '../settings/contributions.ts';

/**
 * Sends the question behind a reply to several models, with the same conversation so far.
 * @throws {ApiError} `attachmentLost`
 */
export async function compareReply(
  { conversation }: ChatSession,
  replyId: string,
  attachments: Pick<Attachments, 'source'>,
): Promise<void> {
  const question = await comparedQuestion(conversation, replyId, attachments.source(conversation.id));
  if (question !== undefined) await vscode.commands.executeCommand(commandIds.compareModels, question);
}
