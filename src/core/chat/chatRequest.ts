import { type ModelRef, refParts } from '../../shared/modelRef.ts';
import type { ContentPart, ChatRequest, ChatMessage } from '../../api/operations/chatCompletion.ts';
import type { ChatOptions } from '../../shared/chat.ts';
import { chatNumberFields } from '../../shared/chatParameters.ts';
import type { Message, UserMessage } from './conversation.ts';

/** What a conversation sets, and the settings where it leaves a field open. */
export function effectiveOptions(options: ChatOptions, defaults: ChatOptions): ChatOptions {
  return { ...defaults, ...options };
}

/**
 * The body of a chat completion for these messages. Replies without text are left out: they are failures, and would
 * be sent as empty answers.
 *
 * What goes with a message comes before its words: each context as a fenced block under a line that
 * names it, with an empty line between. Pictures are parts of their own after the text.
 *
 * @param contents by the attachment's id: a context's block, or a picture's `data:` address. A picture
 * without one is left out, and its name stands in its place.
 */
export function chatRequest(
  model: ModelRef,
  options: ChatOptions,
  messages: readonly Message[],
  contents: ReadonlyMap<string, string> = new Map(),
): ChatRequest {
  const sent: ChatMessage[] = [];
  for (const message of messages) {
    if (message.role === 'user') sent.push({ role: 'user', content: userContent(message, contents) });
    else if (message.text !== '') sent.push({ role: 'assistant', content: message.text });
  }
  return chatBody(model, options, sent);
}

/**
 * The body for these messages after the system prompt, whoever asks. A parameter nobody set is left out; `stream` is
 * always said, because the service's default may not be ours.
 */
export function chatBody(
  model: ModelRef,
  { systemPrompt = '', stream = true, ...numbers }: ChatOptions,
  messages: ChatRequest['messages'],
): ChatRequest {
  const system: ChatMessage[] = systemPrompt.trim() === '' ? [] : [{ role: 'system', content: systemPrompt }];
  return { model: refParts(model).model, ...chatNumberFields(numbers), stream, messages: [...system, ...messages] };
}

function userContent(message: UserMessage, contents: ReadonlyMap<string, string>): string | readonly ContentPart[] {
  const texts: string[] = [];
  const pictures: ContentPart[] = [];
  for (const attachment of message.attachments ?? []) {
    const content = contents.get(attachment.id);
    if (attachment.kind !== 'picture') texts.push(content ?? '');
    else if (content === undefined) texts.push(`[Picture: ${attachment.name}]`);
    else pictures.push({ type: 'image_url', image_url: { url: content } });
  }
  const text = [...texts, message.text].filter((part) => part !== '').join('\n\n');
  if (pictures.length === 0) return text;
  return text === '' ? pictures : [{ type: 'text', text }, ...pictures];
}
