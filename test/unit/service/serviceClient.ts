import { type IncomingMessage, request } from 'node:http';
import type { InferenceService } from '../../service/inferenceService.ts';

/** A body that every chat model accepts. */
export const goodBody = { model: 'local/echo', messages: [{ role: 'user', content: 'Hello, you there' }] } as const;

/** A body with one user message. */
export function question(model: string, content: string): object {
  return { model, messages: [{ role: 'user', content }] };
}

interface Call {
  /** The full URL; by default, the chat URL of `baseUrl`. */
  readonly url?: string;
  readonly method?: string;
  /** Null sends no key; the correct one by default. */
  readonly key?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
  readonly bytes: Buffer;
  /** True if the connection ended before the response did. */
  readonly isCut: boolean;
}

/** Sends one request over its own connection; `body` as JSON, or unchanged if it's text or bytes. */
export async function send(service: InferenceService, body: unknown, call: Call = {}): Promise<Answer> {
  const response = await open(service, body, call);
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) chunks.push(chunk);
  } catch {
    // The response broke off, which `complete` shows.
  }
  const bytes = Buffer.concat(chunks);
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    text: bytes.toString(),
    bytes,
    isCut: !response.complete,
  };
}

/** The response's headers; its body still has to be read, or dropped with `destroy()`. */
export function open(service: InferenceService, body: unknown, call: Call = {}): Promise<IncomingMessage> {
  const { url = `${service.baseUrl}/chat/completions`, method = 'POST', key = service.apiKey } = call;
  const headers = {
    ...(method === 'POST' ? { 'content-type': 'application/json' } : {}),
    ...(key === null ? {} : { authorization: `Bearer ${key}` }),
    ...call.headers,
  };
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method, headers, agent: false }, resolve);
    outgoing.once('error', reject);
    outgoing.end(method === 'POST' ? encode(body) : undefined);
  });
}

function encode(body: unknown): string | Buffer {
  return typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
}

export interface Chunk {
  readonly id: string;
  readonly object: string;
  readonly created: number;
  readonly model: string;
  readonly choices: readonly {
    readonly index: number;
    readonly delta: { readonly role?: string; readonly content?: string; readonly reasoning_content?: string };
    readonly finish_reason: string | null;
  }[];
  readonly usage?: Usage;
  readonly x_metrics?: Metrics;
}

interface Usage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly total_tokens: number;
}

interface Metrics {
  readonly ttft_seconds: number;
  readonly tps: number;
  readonly total_time_seconds: number;
}

/** The data of a well-formed stream, event by event. */
export function dataOf(stream: string): string[] {
  return stream
    .split('\n\n')
    .filter((event) => event !== '')
    .map((event) => event.replace(/^data: /, ''));
}

/** The chunks of a well-formed stream, without its `[DONE]`. */
export function chunksOf(stream: string): Chunk[] {
  return dataOf(stream)
    .filter((data) => data !== '[DONE]')
    .map((data): Chunk => JSON.parse(data));
}

export function textOf(chunks: readonly Chunk[]): string {
  return chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('');
}

export interface WholeReply {
  readonly id: string;
  readonly object: string;
  readonly created: number;
  readonly model: string;
  readonly choices: readonly {
    readonly index: number;
    readonly message: { readonly role: string; readonly content: string; readonly reasoning_content?: string };
    readonly finish_reason: string;
  }[];
  readonly usage?: Usage;
  readonly x_metrics?: Metrics;
}

export function wholeReplyOf({ text }: Answer): WholeReply {
  return JSON.parse(text);
}

export interface ErrorBody {
  readonly error: {
    readonly message: string;
    readonly type: string;
    readonly code: string;
    readonly param: string | null;
    readonly request_id: string;
  };
}

export function errorOf({ text }: Answer): ErrorBody['error'] {
  const body: ErrorBody = JSON.parse(text);
  return body.error;
}
