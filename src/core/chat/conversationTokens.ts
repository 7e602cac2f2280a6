import type { Message } from './conversation.ts';
import type { SentFrom } from './sentFrom.ts';
import { estimatedTokens } from '../../words/tokens.ts';

/**
 * Estimated tokens of the messages that are sent. The service's count for the newest reply includes everything sent
 * before it, and the rest is estimated from the length. If that count was made while more was sent than now, it's
 * reduced by the share that is left out.
 */
export function conversationTokens(messages: readonly Message[], systemPrompt = '', sentFrom?: SentFrom): number {
  const line = Math.max(
    0,
    messages.findIndex(({ id }) => id === sentFrom?.id),
  );
  let tokens = 0;
  for (let at = messages.length - 1; at >= line; at -= 1) {
    const message = messages[at];
    if (message === undefined) break;
    if (message.role === 'assistant') {
      const { promptTokens, completionTokens } = message.end?.metrics ?? {};
      if (promptTokens?.from === 'service' && completionTokens !== undefined) {
        const isOfLess = line === 0 || message.at >= (sentFrom?.at ?? 0);
        const share = isOfLess ? 1 : shareFrom(messages.slice(0, at), line, systemPrompt);
        return tokens + Math.ceil(promptTokens.value * share) + completionTokens.value;
      }
    }
    tokens += estimateOf(message);
  }
  return tokens + estimatedTokens(systemPrompt.length);
}

function shareFrom(messages: readonly Message[], line: number, systemPrompt: string): number {
  const prompt = estimatedTokens(systemPrompt.length);
  return (sumOf(messages.slice(line)) + prompt) / Math.max(1, sumOf(messages) + prompt);
}

function sumOf(messages: readonly Message[]): number {
  return messages.reduce((all, message) => all + estimateOf(message), 0);
}

function estimateOf(message: Message): number {
  const attached = message.role === 'user' ? (message.attachments ?? []) : [];
  return attached.reduce((all, { tokens }) => all + tokens, estimatedTokens(message.text.length));
}
