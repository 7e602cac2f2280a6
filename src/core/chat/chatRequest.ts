import type { ContentPart, MultimodalChatRequest, MultimodalMessage } from '../../api/mediaTypes.ts';
import type { ChatMessage, ChatRequest } from '../../api/types.ts';
import type { ChatOptions } from '../../shared/chat.ts';
import type { Message, UserMessage } from './conversation.ts';

/** What a conversation sets, and the settings where it leaves a field open. */
export function effectiveOptions(options: ChatOptions, defaults: ChatOptions): ChatOptions {
  return { ...defaults, ...options };
}

/**
 * The body of a chat completion for these messages. A parameter nobody set is left out; `stream` is
 * always said, because the service's default may not be ours. Replies without text are left out:
 * they are failures, and would be sent as empty answers.
 *
 * What goes with a message comes before its words: each context as a fenced block under a line that
 * names it, with an empty line between. Pictures are parts of their own after the text.
 *
 * @param contents by the attachment's id: a context's block, or a picture's `data:` address. A picture
 * without one is left out, and its name stands in its place.
 */
export function chatRequest(
  model: string,
  options: ChatOptions,
  messages: readonly Message[],
  contents: ReadonlyMap<string, string> = new Map(),
): MultimodalChatRequest {
  const sent: MultimodalMessage[] = systemMessages(options);
  for (const message of messages) {
    if (message.role === 'user') sent.push({ role: 'user', content: userContent(message, contents) });
    else if (message.text !== '') sent.push({ role: 'assistant', content: message.text });
  }
  return { ...parameters(model, options), messages: sent };
}

/** The body for one text alone, of no conversation. */
export function promptRequest(model: string, options: ChatOptions, text: string): ChatRequest {
  return { ...parameters(model, options), messages: [...systemMessages(options), { role: 'user', content: text }] };
}

/** The same request where it holds no picture; undefined where it does. */
export function textRequest(request: MultimodalChatRequest): ChatRequest | undefined {
  const messages: ChatRequest['messages'][number][] = [];
  for (const message of request.messages) {
    const { content } = message;
    if (typeof content !== 'string') return undefined;
    messages.push({ ...message, content });
  }
  return { ...request, messages };
}

function systemMessages({ systemPrompt = '' }: ChatOptions): ChatMessage[] {
  return systemPrompt.trim() === '' ? [] : [{ role: 'system', content: systemPrompt }];
}

function parameters(model: string, options: ChatOptions): Omit<ChatRequest, 'messages'> {
  return {
    model,
    ...(options.maxTokens !== undefined && { max_tokens: options.maxTokens }),
    ...(options.temperature !== undefined && { temperature: options.temperature }),
    ...(options.topP !== undefined && { top_p: options.topP }),
    stream: options.stream ?? true,
  };
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
