import * as vscode from 'vscode';
import { attachedContents } from '../../core/chat/attachedContents.ts';
import { chatRequest } from '../../core/chat/chatRequest.ts';
import type { ChatSession } from '../../core/chat/chatSession.ts';
import type { ChatMessage } from '../../api/operations/chatCompletion.ts';
import type { Attachments } from '../attachments/registerAttachments.ts';
import { commandIds } from '../settings/contributions.ts';

/** Sends the question behind a reply to several models, with the same conversation so far. */
export async function compareReply(
  session: ChatSession | undefined,
  replyId: string,
  attachments: Pick<Attachments, 'source'>,
): Promise<void> {
  const messages = session?.conversation.messages() ?? [];
  const reply = messages.find(({ id }) => id === replyId);
  const until = messages.slice(
    0,
    messages.findIndex(({ id }) => id === replyId),
  );
  const asked = until.findLastIndex(({ role }) => role === 'user');
  const question = until[asked];
  if (session === undefined || reply?.role !== 'assistant' || question?.role !== 'user') return;
  const contents = await attachedContents(until, reply.model, attachments.source(session.conversation.id));
  const sent = chatRequest('', {}, until.slice(0, asked + 1), contents).messages.filter(isSaid);
  const { model: _model, ...options } = session.conversation.options;
  await vscode.commands.executeCommand(commandIds.compareModels, {
    models: [reply.model],
    text: question.text,
    content: sent.at(-1)?.content ?? question.text,
    before: sent.slice(0, -1),
    options,
  });
}

function isSaid(message: { readonly role: string }): message is ChatMessage {
  return message.role === 'user' || message.role === 'assistant';
}
