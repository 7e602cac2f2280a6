import type { AttachmentsView } from '../../../shared/attachment.ts';
import { type ChatState, modelOf } from '../page/chatState.ts';
import type { OfferedLength } from './lengthOffer.ts';
import { isFullAlone, isNearlyFull } from './lengthWords.ts';

/**
 * What can be done about a conversation before the next message is too long; undefined while that's far away.
 * @param tokens of the next message, with everything sent before it
 */
export function offeredLength(state: ChatState, tokens: number, view: AttachmentsView): OfferedLength | undefined {
  const { conversationId, messages, hasOlder, summary } = state;
  if (!isNearlyFull(tokens, view) || summary !== undefined) return undefined;
  const line = messages.findIndex(({ id }) => id === view.length?.sentFrom);
  const questions = messages.slice(Math.max(0, line)).filter(({ role }) => role === 'user').length;
  return {
    conversationId,
    model: modelOf(state),
    larger: view.length?.larger ?? [],
    ...(view.maxTokens !== undefined && !isFullAlone(tokens, view) && { maxTokens: view.maxTokens }),
    canLeaveOut: questions > 1 || (line === -1 && hasOlder),
  };
}
