import type { ChatRequest } from '../operations/chatCompletion.ts';
import type { MessageRule } from './refusedFields.ts';

type Messages = ChatRequest['messages'];

/** The rule that a refusal says was broken. */
export function brokenRule(words: string): MessageRule | undefined {
  if (/\btool call id\b.{0,200}\blength of 9\b/is.test(words)) return 'tool_call_id';
  return /\bunexpected role 'user' after role 'tool'/i.test(words) ? 'user_after_tool' : undefined;
}

/** The messages by a rule. */
export function byRule(rule: MessageRule, messages: Messages): Messages {
  return rule === 'tool_call_id' ? withShortIds(messages) : withRepliesToTools(messages);
}

function withShortIds(messages: Messages): Messages {
  const known = new Map<string, string>();
  const short = (id: string): string => {
    if (/^[a-zA-Z0-9]{9}$/.test(id)) return id;
    const made = known.get(id) ?? `call${String(known.size + 1).padStart(5, '0')}`;
    known.set(id, made);
    return made;
  };
  return messages.map((message) => {
    if ('tool_calls' in message) {
      return { ...message, tool_calls: message.tool_calls.map((call) => ({ ...call, id: short(call.id) })) };
    }
    return 'tool_call_id' in message ? { ...message, tool_call_id: short(message.tool_call_id) } : message;
  });
}

function withRepliesToTools(messages: Messages): Messages {
  return messages.flatMap((message, index) =>
    message.role === 'user' && messages[index - 1]?.role === 'tool'
      ? [{ role: 'assistant' as const, content: 'OK' }, message]
      : [message],
  );
}
