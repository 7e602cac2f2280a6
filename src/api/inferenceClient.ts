import type { ApiFailure } from '../shared/apiFailure.ts';
import { ApiError } from './apiError.ts';
import { operationUrl } from './baseUrl.ts';
import { ChatReply } from './chatReply.ts';
import { systemClock, type Clock } from './clock.ts';
import { decodeModels } from './decodeModels.ts';
import type { Exchange } from './exchange.ts';
import { jsonAnswer } from './jsonAnswer.ts';
import { RetryBucket, retryDelayMs, type RetriedCall } from './retry.ts';
import type { Transport, TransportRequest } from './transport.ts';
import type { CallOptions, ChatClient, ChatEvent, ChatRequest, Endpoint, ModelInfo } from './types.ts';
import { unexpectedError } from './unexpectedError.ts';

export type { Exchange } from './exchange.ts';

/** The service's operations. Every failure is an {@link ApiError}; a cancel throws the signal's reason. */
export class InferenceClient implements ChatClient {
  readonly #endpoint: () => Promise<Endpoint>;
  readonly #transport: Transport;
  readonly #clock: Clock;
  readonly #onExchange: ((exchange: Exchange) => void) | undefined;
  readonly #retries: RetryBucket;

  /**
   * @param deps.endpoint asked anew for each attempt; may throw an {@link ApiError} `setup`.
   * @param deps.transport disposed with the client.
   * @param deps.onExchange told of each HTTP exchange when it is over, for the log.
   */
  constructor(deps: {
    readonly endpoint: () => Promise<Endpoint>;
    readonly transport: Transport;
    readonly clock?: Clock;
    readonly onExchange?: (exchange: Exchange) => void;
  }) {
    this.#endpoint = deps.endpoint;
    this.#transport = deps.transport;
    this.#clock = deps.clock ?? systemClock;
    this.#onExchange = deps.onExchange;
    this.#retries = new RetryBucket(10, 10_000, () => this.#clock.now());
  }

  /** `POST {base_url}/chat/completions` (spec, Create chat completion). */
  async *streamChat(request: ChatRequest, options: CallOptions = {}): AsyncGenerator<ChatEvent, void, undefined> {
    const { signal } = options;
    const failures: ApiFailure[] = [];
    let waitedMs = 0;
    for (;;) {
      const attempt = failures.length + 1;
      let hasOutput = false;
      let reply: ChatReply | undefined;
      try {
        yield { type: 'attempt', attempt };
        const exchange = await this.#prepare(signal, (endpoint) => chatExchange(endpoint, request));
        reply = new ChatReply({ ...this.#around(signal), request: exchange });
        for (;;) {
          const batch = await reply.nextBatch();
          // What came after the cancel is no longer wanted.
          signal?.throwIfAborted();
          if (batch === undefined) return;
          for (const event of batch) {
            hasOutput ||= event.type === 'text' || event.type === 'reasoning';
            yield event;
          }
        }
      } catch (error) {
        signal?.throwIfAborted();
        if (!(error instanceof ApiError)) throw unexpectedError(error);
        failures.push(error.failure);
        const delayMs = hasOutput ? undefined : this.#retryDelayMs('chat', failures, waitedMs);
        if (delayMs === undefined) throw error;
        yield { type: 'retrying', attempt: attempt + 1, delayMs, failure: error.failure };
        await this.#clock.sleep(delayMs, signal);
        waitedMs += delayMs;
      } finally {
        reply?.abandon();
      }
    }
  }

  /**
   * The model catalogue: `GET {native_url}/v1/models`, and where that does not exist,
   * `GET {base_url}/models`, which compatible services have.
   */
  async listModels(options: CallOptions = {}): Promise<readonly ModelInfo[]> {
    const { signal } = options;
    try {
      return await this.#catalogue(signal, (endpoint) => operationUrl(endpoint.nativeUrl, '/v1/models'));
    } catch (error) {
      if (signal?.aborted === true || !(error instanceof ApiError) || !isNoCatalogue(error.failure)) throw error;
      return await this.#catalogue(signal, (endpoint) => operationUrl(endpoint.baseUrl, '/models'));
    }
  }

  dispose(): void {
    this.#transport.dispose();
  }

  async #catalogue(signal: AbortSignal | undefined, urlOf: (endpoint: Endpoint) => URL): Promise<readonly ModelInfo[]> {
    const failures: ApiFailure[] = [];
    let waitedMs = 0;
    for (;;) {
      try {
        const request = await this.#prepare(signal, (endpoint) => catalogueExchange(endpoint, urlOf(endpoint)));
        return decodeModels(await jsonAnswer({ ...this.#around(signal), request }));
      } catch (error) {
        signal?.throwIfAborted();
        if (!(error instanceof ApiError)) throw unexpectedError(error);
        failures.push(error.failure);
        const delayMs = this.#retryDelayMs('catalogue', failures, waitedMs);
        if (delayMs === undefined) throw error;
        await this.#clock.sleep(delayMs, signal);
        waitedMs += delayMs;
      }
    }
  }

  async #prepare(
    signal: AbortSignal | undefined,
    make: (endpoint: Endpoint) => TransportRequest,
  ): Promise<TransportRequest> {
    signal?.throwIfAborted();
    const endpoint = await this.#endpoint();
    signal?.throwIfAborted();
    return make(endpoint);
  }

  #retryDelayMs(call: RetriedCall, failures: readonly ApiFailure[], waitedMs: number): number | undefined {
    const delayMs = retryDelayMs(call, { failures, waitedMs }, this.#clock.random());
    return delayMs !== undefined && this.#retries.take() ? delayMs : undefined;
  }

  #around(signal: AbortSignal | undefined) {
    return { transport: this.#transport, clock: this.#clock, onExchange: this.#onExchange, signal };
  }
}

function chatExchange(endpoint: Endpoint, request: ChatRequest): TransportRequest {
  return {
    endpoint,
    url: operationUrl(endpoint.baseUrl, '/chat/completions'),
    method: 'POST',
    accept: request.stream ? 'text/event-stream, application/json' : 'application/json',
    body: JSON.stringify(request),
    patience: request.stream ? 'stream' : 'wholeReply',
  };
}

function catalogueExchange(endpoint: Endpoint, url: URL): TransportRequest {
  return { endpoint, url, method: 'GET', accept: 'application/json', patience: 'catalogue' };
}

function isNoCatalogue(failure: ApiFailure): boolean {
  switch (failure.kind) {
    case 'notTheService':
    case 'malformed':
    case 'emptyAnswer':
    case 'modelNotFound':
      return true;
    case 'unexpectedStatus':
      return failure.status === 405;
    default:
      return false;
  }
}
