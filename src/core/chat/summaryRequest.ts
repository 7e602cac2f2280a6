import type { ModelRef } from '../../shared/modelRef.ts';
import * as l10n from '@vscode/l10n';
import type { ChatRequest } from '../../api/operations/chatCompletion.ts';
import type { ChatOptions } from '../../shared/chat.ts';
import { chatRequest } from './chatRequest.ts';
import type { Message } from './conversation.ts';

/** Asks the model for a summary of these messages that another chat can start with. */
export function summaryRequest(
  model: ModelRef,
  options: ChatOptions,
  messages: readonly Message[],
  contents?: ReadonlyMap<string, string>,
): ChatRequest {
  const text = l10n.t(
    "Summarize this conversation so that it can go on in a new chat: its goal, what was decided and why, what was done, and what's still open. Keep the names, numbers, and code that are still needed. Write the summary only.",
  );
  const request: Message = { role: 'user', id: 'summary', at: 0, text };
  return chatRequest(model, options, [...messages, request], contents);
}
