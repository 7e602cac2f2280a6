import type { MultimodalChatRequest } from '../mediaTypes.ts';
import { jsonBody, type Operation } from './operation.ts';
import type { ApiForm, ChatRequest } from '../types.ts';

/** `POST {base_url}/chat/completions` (spec, Create chat completion), and its native form. */
export function chatCompletion(request: ChatRequest, api: ApiForm): Operation {
  return chat(request, api, '/v1/{segment}/chat/completions');
}

/** The native multimodal chat; the compatible API takes content parts on its chat path. */
export function multimodalChat(request: MultimodalChatRequest, api: ApiForm): Operation {
  return chat(request, api, '/v1/{segment}/multimodal/chat');
}

function chat(request: ChatRequest | MultimodalChatRequest, api: ApiForm, nativePath: string): Operation {
  return {
    api,
    path: api === 'native' ? nativePath : '/chat/completions',
    method: 'POST',
    accept: request.stream ? 'text/event-stream, application/json' : 'application/json',
    body: jsonBody(request),
    hasImages: request.messages.some(hasImage),
    patience: request.stream ? 'stream' : 'wholeReply',
    retried: 'chat',
  };
}

function hasImage({ content }: (ChatRequest | MultimodalChatRequest)['messages'][number]): boolean {
  return Array.isArray(content) && content.some(({ type }) => type === 'image_url');
}
