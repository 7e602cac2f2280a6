import { ApiError } from '../apiError.ts';
import type { Clock } from '../clock.ts';
import { failureOfAnswer } from '../wire/errorBody.ts';
import type { Exchange } from '../exchange.ts';
import { GatheredBytes } from './gatheredBytes.ts';
import { requestIdOf } from '../wire/requestId.ts';
import type { WireTrace } from '../transport/wireTrace.ts';
import type {
  ExchangeControl,
  ResponseHead,
  ResponseReceiver,
  Transport,
  TransportRequest,
} from '../transport/transport.ts';
import type { Usage } from '../types.ts';
import type { ApiFailure } from '../../shared/apiFailure.ts';
import { isWithoutImageInput } from '../wire/errorCodes.ts';

/** What one exchange needs. */
export interface ExchangeDeps {
  readonly transport: Transport;
  readonly request: TransportRequest;
  readonly clock: Clock;
  readonly onExchange: ((exchange: Exchange) => void) | undefined;
  readonly onWire?: (() => void) | undefined;
  readonly onText?: ((atMs: number) => void) | undefined;
  readonly trace: WireTrace | undefined;
  readonly signal: AbortSignal | undefined;
}

/** What an operation does with a 2xx response. All methods may throw {@link ApiError}. */
export interface AnswerDecoder {
  /** Number of events so far, if the response is a stream. */
  readonly eventCount?: number;
  /** The service's last token counts. */
  readonly usage?: Usage | undefined;
  /** A 2xx response begins. */
  open(head: ResponseHead): void;
  /** @param atMs when it arrived, if the exchange is timed */
  data(chunk: Uint8Array, atMs?: number): void;
  end(): void;
  /** The exchange ended without `end`. `error` is an {@link ApiError} or the cancel's reason. */
  failed(error: unknown): void;
}

const errorBodyBytes = 64 * 1024;

/**
 * Sends a request and separates results from refusals: a status other than 2xx is read to its bounded end and becomes a
 * typed failure, and everything else goes to the operation's decoder. Reports to one {@link Exchange}.
 */
export class AnswerReader implements ResponseReceiver {
  readonly isTimed: boolean;
  readonly #deps: ExchangeDeps & { readonly decoder: AnswerDecoder };
  #control: ExchangeControl | undefined;
  #startedAtMs = 0;
  #head: ResponseHead | undefined;
  #headMs: number | undefined;
  #errorBody: GatheredBytes | undefined;
  #isOver = false;

  constructor(deps: ExchangeDeps & { readonly decoder: AnswerDecoder }) {
    this.#deps = deps;
    this.isTimed = deps.onText !== undefined;
  }

  start(): void {
    this.#startedAtMs = this.#deps.clock.now();
    this.#deps.trace?.request();
    this.#control = this.#deps.transport.send(this.#deps.request, this, this.#deps.signal);
  }

  sent(): void {
    this.#deps.onWire?.();
  }

  head(head: ResponseHead): void {
    this.#head = head;
    this.#headMs = this.#deps.clock.now() - this.#startedAtMs;
    this.#deps.trace?.head(head, this.#headMs);
    if (head.status >= 200 && head.status <= 299) this.#deps.decoder.open(head);
    else this.#errorBody = new GatheredBytes();
  }

  data(chunk: Uint8Array, atMs?: number): void {
    this.#deps.trace?.data(chunk);
    if (this.#errorBody === undefined) return this.#deps.decoder.data(chunk, atMs);
    const room = errorBodyBytes - this.#errorBody.size;
    this.#errorBody.add(chunk.subarray(0, room));
    // The status says what happened, and the beginning of the body has the message.
    if (chunk.length > room) throw this.#refusal(this.#errorBody);
  }

  end(): void {
    if (this.#errorBody !== undefined) throw this.#refusal(this.#errorBody);
    this.#deps.decoder.end();
    this.#tell('ok');
  }

  failed(error: unknown): void {
    // The status arrived before the connection broke, and says more than the break.
    const isLost = error instanceof ApiError && error.failure.kind === 'connectionLost';
    const said = isLost && this.#errorBody !== undefined ? this.#refusal(this.#errorBody) : error;
    const told = said instanceof ApiError ? this.#judged(said) : said;
    if (told instanceof ApiError) this.#tell('failed', told);
    else this.#tell('canceled');
    this.#deps.decoder.failed(told);
  }

  /** The decoder has everything it needs, although the body hasn't ended. */
  finish(): void {
    this.#control?.finish();
    this.#tell('ok');
  }

  /** The caller stopped reading. */
  abandon(): void {
    this.#control?.abandon();
    this.#tell('canceled');
  }

  /** Everything that matters has arrived. The rest is awaited briefly, and any end is fine. */
  settle(): void {
    this.#control?.settle();
  }

  pause(): void {
    this.#control?.pause();
  }

  resume(): void {
    this.#control?.resume();
  }

  #refusal(body: GatheredBytes): ApiError {
    return new ApiError(
      failureOfAnswer({
        status: this.#head?.status ?? 0,
        header: this.#head?.header ?? (() => undefined),
        text: new TextDecoder().decode(body.take()),
        url: this.#deps.request.url,
        nowMs: this.#deps.clock.now(),
      }),
    );
  }

  #judged(error: ApiError): ApiError {
    const failure = inLightOfRequest(error.failure, this.#deps.request);
    return failure === error.failure ? error : new ApiError(failure, error);
  }

  #tell(outcome: Exchange['outcome'], error?: ApiError): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const { method, url } = this.#deps.request;
    const requestId = this.#head === undefined ? undefined : requestIdOf(this.#head.header);
    const { usage, eventCount } = this.#deps.decoder;
    this.#deps.trace?.over(outcome, error?.failure, eventCount);
    this.#deps.onExchange?.({
      method,
      path: url.pathname,
      host: url.host,
      ...(this.#head === undefined ? {} : { status: this.#head.status, via: this.#head.via }),
      ...(requestId === undefined ? {} : { requestId }),
      ...(this.#headMs === undefined ? {} : { headMs: this.#headMs }),
      durationMs: this.#deps.clock.now() - this.#startedAtMs,
      outcome,
      ...(usage === undefined ? {} : { usage }),
      ...(error === undefined ? {} : { failure: error.failure.kind }),
    });
  }
}

/** The meaning of a response depends on what the request contained: a key, images. */
function inLightOfRequest(
  failure: ApiFailure,
  request: Pick<TransportRequest, 'hasImages'> & { readonly endpoint: Pick<TransportRequest['endpoint'], 'apiKey'> },
): ApiFailure {
  switch (failure.kind) {
    case 'unauthorized':
    case 'forbidden':
      return request.endpoint.apiKey === undefined ? { ...failure, isKeyless: true } : failure;
    case 'badRequest':
    case 'modelNotFound':
    case 'serverError':
    case 'unexpectedStatus':
      return lacksImageInput(failure, request) ? { ...failure, kind: 'noImageInput' } : failure;
    case 'streamError':
      return lacksImageInput(failure, request)
        ? { ...failure, kind: 'noImageInput', status: 200, body: 'json' }
        : failure;
    default:
      return failure;
  }
}

function lacksImageInput(
  failure: Parameters<typeof isWithoutImageInput>[0],
  { hasImages }: Pick<TransportRequest, 'hasImages'>,
): boolean {
  return hasImages === true && isWithoutImageInput(failure);
}
