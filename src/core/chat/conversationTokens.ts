import type { Message } from './conversation.ts';
import { estimatedTokens } from '../../words/tokens.ts';

/**
 * About how many tokens these messages come to. What the service counted for the newest reply holds all
 * that was before it; the rest is estimated from the length.
 */
export function conversationTokens(messages: readonly Message[], systemPrompt = ''): number {
  let tokens = 0;
  for (const message of messages.toReversed()) {
    if (message.role === 'user') {
      for (const attachment of message.attachments ?? []) tokens += attachment.tokens;
    } else {
      const { promptTokens, completionTokens } = message.end?.metrics ?? {};
      if (promptTokens?.from === 'service' && completionTokens !== undefined) {
        return tokens + promptTokens.value + completionTokens.value;
      }
    }
    tokens += estimatedTokens(message.text.length);
  }
  return tokens + estimatedTokens(systemPrompt.length);
}
