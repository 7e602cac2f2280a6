import { type ModelRef, refParts } from '../../shared/modelRef.ts';
import type { ContentPart, ChatRequest, ChatMessage } from '../../api/operations/chatCompletion.ts';
import type { ChatOptions } from '../../shared/chat.ts';
import { chatNumberFields, type ChatNumbers, type ChatParameterName } from '../../shared/chatParameters.ts';
import type { Message, UserMessage } from './conversation.ts';

/** The conversation's options, with the settings for each field that it leaves out. */
export function effectiveOptions(options: ChatOptions, defaults: ChatOptions): ChatOptions {
  return { ...defaults, ...options };
}

/**
 * The body of a chat completion for these messages. Replies without text are left out: they're failures, and would be
 * sent as empty replies.
 *
 * Attachments come before the text of their message: each context as a fenced block under a line that names it, with an
 * empty line between. Images are separate parts after the text.
 * @param contents by the attachment's ID: a context's block, or an image's `data:` URL. An image without one is
 * replaced with its name.
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

/** Nothing else, because anything else would be left out of the body. */
type Numbers = ChatNumbers & { readonly [K in Exclude<keyof ChatOptions, ChatParameterName>]?: never };

/**
 * The body for these messages after the system prompt. Parameters that nobody set are left out. `stream` is always
 * sent, because services have different defaults.
 */
export function chatBody(
  model: ModelRef,
  { model: _model, systemPrompt = '', stream = true, ...rest }: ChatOptions,
  messages: ChatRequest['messages'],
): ChatRequest {
  const numbers: Numbers = rest;
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
