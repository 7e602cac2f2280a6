import type { Conversation, Message, Reply } from './conversation.ts';
import { estimatedTokens } from '../../words/tokens.ts';

/** What is needed to know how much of a conversation is sent. */
export type SentConversation = Pick<Conversation, 'messages' | 'sentFrom' | 'sentWith'>;

/**
 * Estimated tokens of the messages that are sent. The service's count for the newest reply includes everything sent
 * before it, and the rest is estimated from the length. If more or less is sent now than when that count was made, it's
 * scaled in proportion.
 */
export function conversationTokens(conversation: SentConversation, systemPrompt = ''): number {
  const line = conversation.messages().findIndex(({ id }) => id === conversation.sentFrom?.id);
  return tokensFrom(conversation, systemPrompt)(Math.max(0, line));
}

/** What {@link conversationTokens} would have been before this reply. */
export function tokensSentFor(reply: Reply, conversation: SentConversation, systemPrompt?: string): number {
  const messages = (): readonly Message[] => conversation.sentWith(reply);
  const sentWith: SentConversation['sentWith'] = (each) => conversation.sentWith(each);
  return conversationTokens({ messages, sentFrom: undefined, sentWith }, systemPrompt);
}

/** A request that had this many tokens at least didn't fit: all of a refused one, or twice what was counted of another. */
export function tokensThatDidNotFit(reply: Reply, conversation: SentConversation, systemPrompt?: string): number {
  const { sentAtLeast, metrics } = reply.end ?? {};
  const sent = tokensSentFor(reply, conversation, systemPrompt);
  return sentAtLeast === undefined ? sent : Math.min(sent, 2 * (metrics?.promptTokens?.value ?? sent));
}

/**
 * What {@link conversationTokens} would be with the line before the message with this index. Every message is measured
 * once, no matter how many lines are tried.
 */
export function tokensFrom(conversation: SentConversation, systemPrompt: string): (line: number) => number {
  const messages = conversation.messages();
  const prompt = estimatedTokens(systemPrompt.length);
  let sum = 0;
  // The estimate for everything before each message, and for all of them.
  const before = [0, ...messages.map((message) => (sum += estimateOf(message)))];
  const between = (from: number, to: number): number => (before[to] ?? 0) - (before[from] ?? 0);
  const counted = messages.findLastIndex((message) => countOf(message) !== undefined);
  const reply = messages[counted];
  const count = countOf(reply);
  if (reply?.role !== 'assistant' || count === undefined) return (line) => between(line, messages.length) + prompt;
  const then = Math.max(1, sumOf(conversation.sentWith(reply)) + prompt);
  const since = replyLength(reply, count.completionTokens) + between(counted + 1, messages.length);
  return (line) =>
    line > counted
      ? between(line, messages.length) + prompt
      : Math.ceil((count.promptTokens * (between(line, counted) + prompt)) / then) + since;
}

/** What the service counted for a reply's request and for the reply, unless it dropped some of the request. */
function countOf(
  message: Message | undefined,
): { readonly promptTokens: number; readonly completionTokens: number } | undefined {
  const end = message?.role === 'assistant' && message.end?.sentAtLeast === undefined ? message.end : undefined;
  const { promptTokens, completionTokens } = end?.metrics ?? {};
  if (promptTokens?.from !== 'service' || completionTokens === undefined) return undefined;
  return { promptTokens: promptTokens.value, completionTokens: completionTokens.value };
}

/**
 * How many of a reply's tokens are its text, because its reasoning isn't sent again. Some services count reasoning that
 * they don't send: a token has at least one character.
 */
function replyLength({ text, reasoning }: Reply, completionTokens: number): number {
  const length = text.length + reasoning.length;
  return length === 0 ? completionTokens : Math.min(Math.ceil((completionTokens * text.length) / length), text.length);
}

function sumOf(messages: readonly Message[]): number {
  return messages.reduce((all, message) => all + estimateOf(message), 0);
}

function estimateOf(message: Message): number {
  const attached = message.role === 'user' ? (message.attachments ?? []) : [];
  return attached.reduce((all, { tokens }) => all + tokens, estimatedTokens(message.text.length));
}
