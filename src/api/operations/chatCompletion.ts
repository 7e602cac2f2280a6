import type { WireModel } from '../../shared/modelRef.ts';
import { type ApiPaths, definedFields, jsonBody, type KeptBody, type Operation } from './operation.ts';
import type { ChatNumberFields } from '../../shared/chatParameters.ts';
import type { RefusedField } from '../service/refusedFields.ts';
import type { ToolCall, ToolFields, ToolMessage } from '../toolTypes.ts';
import type { ServiceMetrics, Usage } from '../types.ts';

export type ContentPart =
  | { readonly type: 'text'; readonly text: string }
  /** `url`: `https:`, or `data:` with the image in it. */
  | { readonly type: 'image_url'; readonly image_url: { readonly url: string } };

/** Element of `messages` (spec, Message). */
export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string | readonly ContentPart[];
}

/** Body of a chat completion (spec, ChatRequest). Absent fields aren't sent. `stream` always is. */
export interface ChatRequest extends ToolFields, ChatNumberFields {
  readonly model: WireModel;
  readonly messages: readonly (ChatMessage | ToolMessage)[];
  readonly stream: boolean;
}

export const chatPaths: ApiPaths = { native: '/v1/{segment}/chat/completions', compatible: '/chat/completions' };
/** The compatible API accepts content parts on its chat path. */
export const pictureChatPaths: ApiPaths = { native: '/v1/{segment}/multimodal/chat', compatible: '/chat/completions' };

/** A reply that arrives as events, streamed or whole. */
export interface ChatOperation extends Operation<'chat' | 'multimodalChat'> {
  readonly request: ChatRequest;
  readonly capability: 'chat' | 'imageInput';
  /** The numbers that Parlance set itself. For a model that refuses them, they're left out, or a limit is raised. */
  readonly ownFields?: readonly RefusedField[];
}

/**
 * `POST {base_url}/chat/completions` (spec, Create chat completion). If a message has parts, its native form:
 * multimodal chat, the only one that supports them.
 */
export function chatCompletion(request: ChatRequest): ChatOperation {
  const isText = request.messages.every(({ content }) => typeof content === 'string');
  return {
    name: isText ? 'chat' : 'multimodalChat',
    model: request.model,
    request,
    asked: lastAsked(request),
    paths: isText ? chatPaths : pictureChatPaths,
    capability: isText ? 'chat' : 'imageInput',
    method: 'POST',
    accept: request.stream ? 'text/event-stream, application/json' : 'application/json',
    body: () => jsonBody(request),
    hasImages: request.messages.some(hasImage),
    patience: request.stream ? 'stream' : 'wholeReply',
    retried: 'chat',
  };
}

/** A stored request with the usual names: its model wanted another one, which others might not know. */
export function withUsualNames<Body extends object>(
  body: Body & { readonly max_completion_tokens?: unknown },
): Omit<Body, 'max_completion_tokens'> & { readonly max_tokens?: number } {
  const { max_completion_tokens: limit, ...usual } = body;
  return typeof limit === 'number' ? { ...usual, max_tokens: limit } : usual;
}

function lastAsked({ messages }: ChatRequest): string {
  const content = messages.findLast(({ role }) => role === 'user')?.content ?? '';
  return typeof content === 'string' ? content : content.map((part) => ('text' in part ? part.text : '')).join('\n\n');
}

function hasImage({ content }: ChatRequest['messages'][number]): boolean {
  return typeof content !== 'string' && content.some(({ type }) => type === 'image_url');
}

/** The sum of a chat's events. */
export interface ChatAnswer {
  readonly text: string;
  readonly reasoning: string;
  readonly toolCalls?: readonly ToolCall[];
  readonly finishReason?: string;
  readonly usage?: Usage;
  readonly metrics?: ServiceMetrics | undefined;
  /** Everything the service sent besides the choices; absent if the reply didn't finish. */
  readonly fields?: Readonly<Record<string, unknown>> | undefined;
}

/** A reply as one document: the fields as the service sent them, with the text of a stream joined. */
export function keptReply(answer: ChatAnswer): KeptBody {
  const { text, reasoning, toolCalls = [], finishReason, usage, metrics, fields } = answer;
  return {
    ...fields,
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: text,
          ...(reasoning !== '' && { reasoning_content: reasoning }),
          ...(toolCalls.length > 0 && { tool_calls: toolCalls.map(toolCallBody) }),
        },
        ...(finishReason !== undefined && { finish_reason: finishReason }),
      },
    ],
    ...(usage !== undefined &&
      fields?.['usage'] === undefined && {
        usage: definedFields({
          prompt_tokens: usage.promptTokens,
          completion_tokens: usage.completionTokens,
          total_tokens: usage.totalTokens,
        }),
      }),
    ...(metrics !== undefined &&
      fields?.['x_metrics'] === undefined && {
        x_metrics: definedFields({
          ttft_seconds: metrics.ttftSeconds,
          tps: metrics.tokensPerSecond,
          total_time_seconds: metrics.totalTimeSeconds,
        }),
      }),
  };
}

function toolCallBody({ id, name, input, context: { extraContent } = {} }: ToolCall): object {
  return {
    id,
    type: 'function',
    function: { name, arguments: JSON.stringify(input) },
    ...(extraContent !== undefined && { extra_content: extraContent }),
  };
}
