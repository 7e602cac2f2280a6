import type { ModelRef } from '../../shared/modelRef.ts';
import type { Message } from './conversation.ts';
import type { AttachmentSource } from './sessionSurroundings.ts';

/**
 * The contents of these messages' attachments, by ID. A model that is known not to accept images gets no images of
 * older messages.
 * @throws {ApiError} `attachmentLost`
 */
export async function attachedContents(
  messages: readonly Message[],
  model: ModelRef,
  attachments: Pick<AttachmentSource, 'read' | 'seesPictures'>,
): Promise<ReadonlyMap<string, string>> {
  const isBlind = attachments.seesPictures(model) === false;
  const contents = new Map<string, string>();
  for (const message of messages) {
    for (const attachment of message.role === 'user' ? (message.attachments ?? []) : []) {
      if (attachment.kind === 'picture' && isBlind) continue;
      if (!contents.has(attachment.id)) contents.set(attachment.id, await attachments.read(attachment));
    }
  }
  return contents;
}
