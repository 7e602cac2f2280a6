import type { ChatMessage, ChatRequest } from '../../api/operations/chatCompletion.ts';
import type { ModelRef } from '../../shared/modelRef.ts';
import type { ChatOptions } from '../../shared/chat.ts';
import { attachedContents } from '../chat/attachedContents.ts';
import { chatRequest } from '../chat/chatRequest.ts';
import type { Conversation } from '../chat/conversation.ts';
import type { AttachmentSource } from '../chat/sessionSurroundings.ts';

/** The question behind a reply, to ask other models the same. */
export interface ComparedQuestion {
  readonly models: readonly ModelRef[];
  readonly text: string;
  readonly content: ChatMessage['content'];
  readonly before: readonly ChatMessage[];
  readonly options: Omit<ChatOptions, 'model'>;
}

/**
 * What a retry of this reply would send, always with the images of the question itself: the reply's model might have
 * turned out not to accept them, but others do.
 * @throws {ApiError} `attachmentLost`
 */
export async function comparedQuestion(
  conversation: Conversation,
  replyId: string,
  attachments: Pick<AttachmentSource, 'read' | 'seesPictures'>,
): Promise<ComparedQuestion | undefined> {
  const reply = conversation.reply(replyId);
  const until = conversation.messagesBefore(replyId);
  const asked = until.findLastIndex(({ role }) => role === 'user');
  const question = until[asked];
  if (reply === undefined || question?.role !== 'user') return undefined;
  const sent = conversation.sentOf(until.slice(0, asked + 1));
  const read: AttachmentSource['read'] = (attachment) => attachments.read(attachment);
  const contents = new Map([
    ...(await attachedContents(sent.slice(0, -1), reply.model, attachments)),
    ...(await attachedContents([question], reply.model, { read, seesPictures: () => undefined })),
  ]);
  const messages = chatRequest('', {}, sent, contents).messages.filter(isSaid);
  const { model: _model, ...options } = conversation.options;
  return {
    models: [reply.model],
    text: question.text,
    content: messages.at(-1)?.content ?? question.text,
    before: messages.slice(0, -1),
    options,
  };
}

function isSaid(message: ChatRequest['messages'][number]): message is ChatMessage {
  return message.role === 'user' || message.role === 'assistant';
}
