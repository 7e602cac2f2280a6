import * as v from 'valibot';
import type { ImageRequest, MultimodalChatRequest, VideoRequest } from '../../api/mediaTypes.ts';
import type { ChatRequest } from '../../api/types.ts';
import type { SentBody } from '../../core/requests/requestBody.ts';
import type { LoggedRequest } from '../../core/requests/requestLog.ts';
import type { RecordedCalls } from './recordedCalls.ts';

const model = v.string();
const chatSchema = v.looseObject({ model, messages: v.array(v.any()), stream: v.boolean() });
const mediaSchema = v.looseObject({ model });
const compatibleImageSchema = v.looseObject({ model, prompt: v.string(), size: v.optional(v.string()) });

/** Why a request cannot be sent again. */
export type NotRepeatable = 'noBody' | 'fileLeftOut' | 'recording';

export function whyNotRepeatable(request: LoggedRequest, sent: SentBody | undefined): NotRepeatable | undefined {
  if (request.operation === 'audio') return 'recording';
  if (request.operation === 'catalogue') return undefined;
  if (sent?.body === undefined) return 'noBody';
  return sent.isPartial === true ? 'fileLeftOut' : undefined;
}

/** Whether a request went to another service than the one that is set now, such as one that was added in VS Code's own list. */
export function wentElsewhere(sent: Pick<SentBody, 'url'> | undefined, origins: readonly string[]): boolean {
  return sent !== undefined && !origins.includes(new URL(sent.url).origin);
}

/**
 * Sends the same body again, to the service as it is set now and by the same of its two APIs.
 *
 * @param anotherModel asked instead of the first one.
 * @throws {ApiError}, or the signal's reason on a cancel.
 */
export async function repeatRequest(
  calls: RecordedCalls,
  request: LoggedRequest,
  sent: SentBody | undefined,
  signal: AbortSignal,
  anotherModel?: string,
): Promise<void> {
  const body = { ...asObject(sent?.body), ...(anotherModel !== undefined && { model: anotherModel }) };
  switch (request.operation) {
    case 'chat':
      for await (const event of calls.streamChat(v.parse(chatSchema, body) satisfies ChatRequest, { signal }))
        void event;
      return;
    case 'multimodalChat': {
      const api = sent?.url.endsWith('/multimodal/chat') === true ? 'native' : 'compatible';
      const stream = calls.streamMultimodalChat(v.parse(chatSchema, body) satisfies MultimodalChatRequest, {
        signal,
        api,
      });
      for await (const event of stream) void event;
      return;
    }
    case 'video':
      await calls.generateVideo(v.parse(mediaSchema, body) satisfies VideoRequest, { signal });
      return;
    case 'image':
      await (sent?.url.endsWith('/images/generations') === true
        ? calls.generateImage(fromCompatible(body), { signal, api: 'compatible' })
        : calls.generateImage({ positive_prompt: '', ...v.parse(mediaSchema, body) }, { signal, api: 'native' }));
      return;
    case 'catalogue':
      await calls.listModels({ signal });
      return;
    case 'audio':
      throw new Error('A recording is not kept');
  }
}

function fromCompatible(body: object): ImageRequest {
  const { prompt, size, ...rest } = v.parse(compatibleImageSchema, body);
  const [, width, height] = /^(\d+)x(\d+)$/.exec(size ?? '') ?? [];
  return {
    ...rest,
    positive_prompt: prompt,
    ...(width !== undefined && height !== undefined && { width: Number(width), height: Number(height) }),
  };
}

function asObject(body: unknown): object {
  return typeof body === 'object' && body !== null ? body : {};
}
