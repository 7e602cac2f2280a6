import { ApiError } from './apiError.ts';
import { AnswerReader, type AnswerDecoder } from './answerReader.ts';
import type { Clock } from './clock.ts';
import { parseJson } from './decode.ts';
import { looksLikeHtml, notTheService } from './errorBody.ts';
import type { Exchange } from './exchange.ts';
import { requestIdOf } from './requestId.ts';
import { sampleOf } from './sample.ts';
import type { ResponseHead, Transport, TransportRequest } from './transport.ts';

const bodyBytes = 8 * 1024 * 1024;

/**
 * One exchange whose answer is a single JSON text.
 *
 * @returns the parsed JSON.
 * @throws {ApiError}, or the signal's reason on a cancel.
 */
export function jsonAnswer(deps: {
  readonly transport: Transport;
  readonly request: TransportRequest;
  readonly clock: Clock;
  readonly onExchange: ((exchange: Exchange) => void) | undefined;
  readonly signal: AbortSignal | undefined;
}): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const decoder = new JsonBody(resolve, reject);
    new AnswerReader({ ...deps, decoder }).start();
  });
}

class JsonBody implements AnswerDecoder {
  readonly #resolve: (json: unknown) => void;
  readonly #reject: (error: unknown) => void;
  readonly #chunks: Uint8Array[] = [];
  #bytes = 0;
  #head: ResponseHead | undefined;

  constructor(resolve: (json: unknown) => void, reject: (error: unknown) => void) {
    this.#resolve = resolve;
    this.#reject = reject;
  }

  open(head: ResponseHead): void {
    this.#head = head;
  }

  data(chunk: Uint8Array): void {
    this.#bytes += chunk.length;
    if (this.#bytes > bodyBytes) throw new ApiError({ kind: 'tooLarge', what: 'body', limitBytes: bodyBytes });
    this.#chunks.push(chunk);
  }

  end(): void {
    const text = new TextDecoder().decode(Buffer.concat(this.#chunks));
    const { status, header } = this.#head ?? { status: 0, header: () => undefined };
    const requestId = requestIdOf(header);
    const id = requestId === undefined ? {} : { requestId };
    if (text.trim() === '') throw new ApiError({ kind: 'emptyAnswer', status, ...id });
    const json = parseJson(text);
    if (json !== undefined) return this.#resolve(json);
    if (looksLikeHtml(text)) throw new ApiError(notTheService({ status, header, text }));
    throw new ApiError({ kind: 'malformed', where: 'body', sample: sampleOf(text), ...id });
  }

  failed(error: unknown): void {
    this.#reject(error);
  }
}
