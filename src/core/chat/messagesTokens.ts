import type { ChatRequest } from '../../api/operations/chatCompletion.ts';
import { estimatedTokens } from '../../words/tokens.ts';

/** Estimated tokens of the messages of a request. Images aren't counted. */
export function messagesTokens(messages: ChatRequest['messages']): number {
  return messages.reduce((sum, { content }) => sum + tokensOf(content), 0);
}

function tokensOf(content: string | readonly object[]): number {
  if (typeof content === 'string') return estimatedTokens(content.length);
  return content.reduce(
    (sum, part) => sum + ('text' in part && typeof part.text === 'string' ? estimatedTokens(part.text.length) : 0),
    0,
  );
}
