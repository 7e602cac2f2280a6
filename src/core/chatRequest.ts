import type { ChatMessage, ChatRequest } from '../api/types.ts';
import type { ChatOptions } from '../shared/chat.ts';
import type { Message } from './conversation.ts';

/** What a conversation sets, and the settings where it leaves a field open. */
export function effectiveOptions(options: ChatOptions, defaults: ChatOptions): ChatOptions {
  return { ...defaults, ...options };
}

/**
 * The body of a chat completion for these messages. A parameter nobody set is left out; `stream` is
 * always said, because the service's default may not be ours. Replies without text are left out:
 * they are failures, and would be sent as empty answers.
 */
export function chatRequest(model: string, options: ChatOptions, messages: readonly Message[]): ChatRequest {
  const sent: ChatMessage[] = [];
  if (options.systemPrompt !== undefined && options.systemPrompt.trim() !== '') {
    sent.push({ role: 'system', content: options.systemPrompt });
  }
  for (const message of messages) {
    if (message.role === 'user' || message.text !== '') sent.push({ role: message.role, content: message.text });
  }
  return {
    model,
    messages: sent,
    ...(options.maxTokens !== undefined && { max_tokens: options.maxTokens }),
    ...(options.temperature !== undefined && { temperature: options.temperature }),
    ...(options.topP !== undefined && { top_p: options.topP }),
    stream: options.stream ?? true,
  };
}
