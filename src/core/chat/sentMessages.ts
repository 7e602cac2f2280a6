import type { Message } from './conversation.ts';
import type { SentFrom } from './sentFrom.ts';
import { conversationTokens } from './conversationTokens.ts';

/** The messages that are sent. All of them if the line isn't among them, as in another version. */
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
 * Where to put the line so that the rest uses at most half of the context window, or consists of only the latest
 * question and its reply.
 * @param contextWindow in tokens
 */
export function lineThatFits(
  messages: readonly Message[],
  contextWindow: number,
  systemPrompt: string,
): string | undefined {
  const [, ...stops] = lineStops(messages);
  const fits = stops.find((id) => tokensFrom(messages, id, systemPrompt) <= contextWindow / 2);
  return fits ?? stops.at(-1);
}

function tokensFrom(messages: readonly Message[], id: string, systemPrompt: string): number {
  return conversationTokens(messages, systemPrompt, { id, at: Infinity });
}
