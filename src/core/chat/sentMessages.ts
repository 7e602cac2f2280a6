import type { Message } from './conversation.ts';
import type { SentFrom } from './sentFrom.ts';
import { type SentConversation, tokensFrom } from './conversationTokens.ts';

/** The messages that are sent. All of them if the line isn't among them. */
export function sentMessages(messages: readonly Message[], sentFrom: SentFrom | undefined): readonly Message[] {
  const start = messages.findIndex(({ id }) => id === sentFrom?.id);
  return start <= 0 ? messages : messages.slice(start);
}

/** Where the line can be: before a question, because models expect a conversation to start with one. */
export function lineStops(messages: readonly Message[]): readonly string[] {
  return messages.filter(({ role }) => role === 'user').map(({ id }) => id);
}

/**
 * The line moved one question up (-1) or down (1).
 * @returns undefined if it can't move further; null if everything would be sent
 */
export function movedLine(
  messages: readonly Message[],
  from: string | undefined,
  step: -1 | 1,
): string | null | undefined {
  const stops = lineStops(messages);
  const at = Math.max(0, stops.indexOf(from ?? ''));
  const next = at + step;
  return next === 0 ? null : stops[next];
}

/**
 * Where to move the line down so that the rest uses at most half of the context window, or consists of only the latest
 * question and its reply.
 * @param contextWindow in tokens
 */
export function lineThatFits(
  conversation: SentConversation,
  contextWindow: number,
  systemPrompt: string,
): string | undefined {
  const messages = conversation.messages();
  const tokensAt = tokensFrom(conversation, systemPrompt);
  const line = messages.findIndex(({ id }) => id === conversation.sentFrom?.id);
  const first = messages.findIndex(({ role }) => role === 'user');
  let last: string | undefined;
  for (const [at, { id, role }] of messages.entries()) {
    if (role !== 'user' || at <= Math.max(line, first)) continue;
    if (tokensAt(at) <= contextWindow / 2) return id;
    last = id;
  }
  return last;
}
