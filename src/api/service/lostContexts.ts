import type { ChatRequest } from '../operations/chatCompletion.ts';
import { type ContextField, contextFields } from './refusedFields.ts';

type Messages = ChatRequest['messages'];

/** What a refusal says is missing: calls of another model, or from before VS Code was restarted, have no context. */
export function missingContext(words: string): ContextField | undefined {
  if (/\bthought_?signature\b/i.test(words)) return 'extra_content';
  const isReasoning =
    /\breasoning_content\b.{0,80}\b(?:passed back|missing)\b|\bmissing\b.{0,20}\breasoning_content\b/is;
  return isReasoning.test(words) ? 'reasoning_content' : undefined;
}

/** The messages with something in place of a missing context. The same ones if none is missing. */
export function withSubstitutes(messages: Messages, field: ContextField): Messages {
  const substituted = messages.map(field === 'extra_content' ? withSignature : withReasoning);
  return substituted.some((message, index) => message !== messages[index]) ? substituted : messages;
}

export function hasContext(messages: Messages, field: ContextField): boolean {
  return messages.some(
    (message) =>
      'tool_calls' in message &&
      (field === 'extra_content'
        ? message.tool_calls.some((call) => call.extra_content !== undefined)
        : message[field] !== undefined),
  );
}

/**
 * The messages without what belongs to the tool calls in them: it can be a whole train of thought, signed for one
 * model, and is no business of another.
 */
export function withoutContexts(messages: Messages, fields: readonly ContextField[] = contextFields): Messages {
  const keeps = (field: ContextField, value: unknown) => value !== undefined && !fields.includes(field);
  return messages.map((message) => {
    if (!('tool_calls' in message)) return message;
    const { reasoning_content: content, reasoning_details: details, tool_calls: calls, ...rest } = message;
    return {
      ...rest,
      ...(keeps('reasoning_content', content) && { reasoning_content: content }),
      ...(keeps('reasoning_details', details) && { reasoning_details: details }),
      tool_calls: calls.map(({ extra_content: extra, ...call }) =>
        keeps('extra_content', extra) ? { ...call, extra_content: extra } : call,
      ),
    };
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
