import type { ApiFailure } from '../../shared/apiFailure.ts';
import type { ChatRequest } from '../operations/chatCompletion.ts';
import { refusalWords } from './refusalWords.ts';

type Messages = ChatRequest['messages'];

/**
 * The messages with something in place of what their model needs with tool calls: those of another model, or from
 * before VS Code was restarted, have none. Undefined if the failure isn't about that.
 */
export function withSubstitutes(messages: Messages, failure: ApiFailure): Messages | undefined {
  const words = refusalWords(failure) ?? '';
  const substituted = /\bthought_?signature\b/i.test(words)
    ? messages.map(withSignature)
    : /\breasoning_content\b.{0,80}\b(?:passed back|missing)\b|\bmissing\b.{0,20}\breasoning_content\b/is.test(words)
      ? messages.map(withReasoning)
      : messages;
  return substituted.some((message, index) => message !== messages[index]) ? substituted : undefined;
}

/**
 * The messages without what belongs to the tool calls in them: it can be a whole train of thought, signed for one
 * model, and is no business of another.
 */
export function withoutContexts(messages: Messages): Messages {
  return messages.map((message) => {
    if (!('tool_calls' in message)) return message;
    const { reasoning_content: _content, reasoning_details: _details, ...rest } = message;
    return { ...rest, tool_calls: rest.tool_calls.map(({ extra_content: _extra, ...call }) => call) };
  });
}

/** Google's own word for a call that it didn't make. */
function withSignature(message: Messages[number]): Messages[number] {
  if (!('tool_calls' in message) || message.tool_calls.every((call) => call.extra_content !== undefined))
    return message;
  const signature = { google: { thought_signature: 'skip_thought_signature_validator' } };
  return { ...message, tool_calls: message.tool_calls.map((call) => ({ extra_content: signature, ...call })) };
}

/** DeepSeek only checks that it's there. */
function withReasoning(message: Messages[number]): Messages[number] {
  return 'tool_calls' in message && message.reasoning_content === undefined
    ? { ...message, reasoning_content: '' }
    : message;
}
