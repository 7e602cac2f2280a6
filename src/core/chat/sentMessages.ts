import type { Message } from './conversation.ts';
import type { SentFrom } from './sentFrom.ts';
import { conversationTokens } from './conversationTokens.ts';

/** Those of the messages that are sent. All of them where the line isn't among them, as in another version. */
export function sentMessages(messages: readonly Message[], sentFrom: SentFrom | undefined): readonly Message[] {
  const start = messages.findIndex(({ id }) => id === sentFrom?.id);
  return start <= 0 ? messages : messages.slice(start);
}

/** Where the line may be: before a question, because models expect a conversation to begin with one. */
export function lineStops(messages: readonly Message[]): readonly string[] {
  return messages.filter(({ role }) => role === 'user').map(({ id }) => id);
}

/**
 * The line one question further up (-1) or down (1).
 *
 * @returns undefined where it can't go further; null where all is sent then
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
 * Where the line goes so that what is left takes at most half of the context window, or only the latest question and
 * its reply are left.
 *
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
