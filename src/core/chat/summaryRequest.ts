import type { ModelRef } from '../../shared/modelRef.ts';
import * as l10n from '@vscode/l10n';
import type { ChatRequest } from '../../api/operations/chatCompletion.ts';
import type { ChatOptions } from '../../shared/chat.ts';
import { chatRequest } from './chatRequest.ts';
import type { Message } from './conversation.ts';
import { isOverflowFailure } from '../../api/wire/errorCodes.ts';

/** Asks the model for a summary of these messages that another chat can start with. */
export function summaryRequest(
  model: ModelRef,
  options: ChatOptions,
  messages: readonly Message[],
  contents?: ReadonlyMap<string, string>,
): ChatRequest {
  const text = l10n.t(
    "Summarize this conversation so that it can continue in a new chat: its goal, what was decided and why, what was done, and what's still open. Keep the names, numbers, and code that are still needed. Write the summary only.",
  );
  const request: Message = { role: 'user', id: 'summary', at: 0, text };
  return chatRequest(model, options, [...messages, request], contents);
}

/**
 * The messages to summarize: without the last questions if they were too long for their model, because the request for
 * the summary would be too long as well.
 */
export function summarizedMessages(messages: readonly Message[]): readonly Message[] {
  let end = messages.length;
  while (isRefused(messages[end - 1])) end -= messages[end - 2]?.role === 'user' ? 2 : 1;
  return end > 0 ? messages.slice(0, end) : messages;
}

function isRefused(message: Message | undefined): boolean {
  if (message?.role !== 'assistant' || message.text !== '') return false;
  const { failure } = message.end ?? {};
  return failure !== undefined && isOverflowFailure(failure);
}
