import type { ApiFailure, TimeoutFailure } from '../../shared/apiFailure.ts';
import { ApiError } from '../apiError.ts';
import { authorizationFor } from './authorization.ts';
import type { Carriage, CarriedRequest, CarrierEvents } from './carrier.ts';
import type { ConnectionPool } from './connectionPool.ts';
import { Countdown } from '../countdown.ts';
import { sendOverHost } from './hostCarrier.ts';
import { openHeaders } from './openHeaders.ts';
import { answerMs, firstByteMs, silenceMs, type Timeouts } from './timeouts.ts';
import type { ExchangeControl, ResponseReceiver, TransportRequest } from './transport.ts';
import type { TimedQueue } from './timedQueue.ts';
import type { TransportSettings } from './transportSettings.ts';
import { requestIdOf } from '../wire/requestId.ts';
import { unexpectedError } from '../unexpectedError.ts';

/** The two carriers, and what the transport has learned about them. */
export interface CallRoutes {
  readonly settings: () => TransportSettings;
  readonly pool: () => Promise<ConnectionPool>;
  readonly hostFetch: typeof fetch | undefined;
  /** The user's own limit for the wait until a reply starts, if any. */
  readonly firstByteMs: () => number | undefined;
  /** Shared by all calls. */
  readonly timed: TimedQueue;
  prefersHost(origin: string): boolean;
  hostAnswered(origin: string): void;
  hostFailed(origin: string): void;
}

interface CallDeps {
  readonly request: TransportRequest;
  readonly receiver: ResponseReceiver;
  readonly signal: AbortSignal | undefined;
  readonly timeouts: Timeouts;
  readonly routes: CallRoutes;
  readonly over: () => void;
}

/** One exchange: selects the carrier, runs the timers, handles the cancel, and ends exactly once. */
export class TransportCall implements ExchangeControl {
  readonly #deps: CallDeps;
  #carriage: Carriage | undefined;
  #via: 'own' | 'host' = 'own';
  readonly #limit = new Countdown();
  #hasHead = false;
  #hasBody = false;
  #requestId: string | undefined;
  #isOver = false;
  #isPaused = false;
  #isSettling = false;
  /** Events that a timed receiver gets in a later turn, in order. */
  readonly #undelivered: (() => void)[] = [];
  #isEndUndelivered = false;
  /** When the socket was read, by `performance.now()`; until the end of the turn. */
  #readAtMs: number | undefined;

  constructor(deps: CallDeps) {
    this.#deps = deps;
    deps.signal?.addEventListener('abort', this.#onAbort);
  }

  get url(): URL {
    return this.#deps.request.url;
  }

  async run(): Promise<void> {
    const { request, routes, signal } = this.#deps;
    try {
      signal?.throwIfAborted();
      const carried = carriedRequest(request);
      if (request.patience === 'catalog') this.#arm('answer', this.#deps.timeouts.catalogMs);
      const { hostFetch } = routes;
      if (hostFetch !== undefined && routes.prefersHost(request.url.origin)) {
        this.#sendOverHost(hostFetch, carried);
        return;
      }
      const pool = await routes.pool();
      if (this.#isOver) return;
      this.#carriage = pool.send(carried, routes.settings(), {
        ...this.#events(),
        failed: (failure, cause) => {
          if (hostFetch !== undefined && isWorthTheHost(failure)) this.#sendOverHost(hostFetch, carried, failure);
          else this.#failWith(failure, cause);
        },
      });
      // The cancel might have happened while the carriage was being created.
      if (this.#isOver) this.#carriage.destroy();
    } catch (error) {
      this.fail(error);
    }
  }

  pause(): void {
    if (this.#isOver || this.#isPaused) return;
    this.#isPaused = true;
    // The silence would be our own doing.
    if (this.#deps.request.patience === 'stream' && !this.#isSettling) this.#limit.stop();
    this.#carriage?.pause();
  }

  resume(): void {
    if (this.#isOver || !this.#isPaused) return;
    this.#isPaused = false;
    if (this.#deps.request.patience === 'stream' && !this.#isSettling) this.#awaitMore();
    this.#carriage?.resume();
  }

  settle(): void {
    if (this.#isOver) return;
    this.#isSettling = true;
    this.#limit.start(this.#deps.timeouts.settleMs, () => this.#endEarly());
  }

  finish(): void {
    if (this.#close()) this.#carriage?.finish();
  }

  abandon(): void {
    if (this.#close()) this.#carriage?.destroy();
  }

  fail(error: unknown): void {
    if (!this.#close()) return;
    this.#carriage?.destroy();
    const { receiver, signal } = this.#deps;
    const isCancel = signal?.aborted === true && error === signal.reason;
    receiver.failed(isCancel || error instanceof ApiError ? error : unexpectedError(error));
  }

  readonly #onAbort = (): void => this.fail(this.#deps.signal?.reason);

  /** False if it had ended before. */
  #close(): boolean {
    if (this.#isOver) return false;
    this.#isOver = true;
    this.#limit.stop();
    this.#deps.signal?.removeEventListener('abort', this.#onAbort);
    this.#deps.over();
    return true;
  }

  #sendOverHost(hostFetch: typeof fetch, carried: CarriedRequest, ownFailure?: ApiFailure): void {
    const { origin } = carried.url;
    const { routes } = this.#deps;
    this.#via = 'host';
    const events = this.#events();
    this.#carriage = sendOverHost(hostFetch, carried, {
      ...events,
      head: (head) => {
        routes.hostAnswered(origin);
        events.head(head);
      },
      failed: (failure, cause) => {
        routes.hostFailed(origin);
        // Our own failure says more, unless the host might have delivered the request.
        const told = ownFailure === undefined || mayHaveBeenSent(failure) ? failure : ownFailure;
        this.#failWith(told, cause);
      },
    });
    if (this.#isOver) this.#carriage.destroy();
  }

  #events(): CarrierEvents {
    const { receiver, request, timeouts, routes } = this.#deps;
    return {
      sent: () => {
        this.#deps.receiver.sent?.();
        if (request.patience === 'catalog') return;
        const wholeMs = answerMs(timeouts, request.patience);
        if (wholeMs === undefined) {
          this.#arm('firstByte', firstByteMs(request.url, timeouts.firstByteMs, routes.firstByteMs()));
        } else this.#arm('answer', wholeMs);
      },
      head: (head) => {
        this.#hasHead = true;
        this.#requestId = requestIdOf(head.header);
        if (this.#isOver) return;
        const via = this.#via;
        const tell = () => receiver.head({ ...head, via });
        if (receiver.isTimed !== true) return this.#guard(tell);
        this.#readNow();
        this.#deliverLater(tell);
      },
      data: (chunk) => {
        if (this.#isOver) return;
        if (receiver.isTimed === true) {
          const atMs = this.#readNow();
          this.#deliverLater(() => receiver.data(chunk, atMs));
        }
        if (request.patience === 'stream') this.#heard();
        if (receiver.isTimed !== true) this.#guard(() => receiver.data(chunk));
      },
      end: () => {
        if (this.#undelivered.length > 0) this.#isEndUndelivered = true;
        else this.#end();
      },
      failed: (failure, cause) => this.#failWith(failure, cause),
    };
  }

  #end(): void {
    if (this.#isOver) return;
    this.#guard(() => this.#deps.receiver.end());
    this.#close();
  }

  /** Ends a response that contains everything that matters, although its end never arrived. */
  #endEarly(): void {
    this.#deliver();
    if (this.#isOver) return;
    this.#guard(() => this.#deps.receiver.end());
    if (this.#close()) this.#carriage?.destroy();
  }

  /** Once the response has started, any break is a lost connection, whatever caused it. */
  #failWith(failure: ApiFailure, cause: unknown): void {
    this.#deliver();
    if (this.#isSettling) return this.#endEarly();
    const isLost = this.#hasHead && (failure.kind === 'network' || failure.kind === 'tls');
    if (!isLost) return this.fail(new ApiError(failure, cause));
    const { host, code } = failure;
    this.fail(new ApiError({ kind: 'connectionLost', host, code, ...this.#ofRequest() }, cause));
  }

  #ofRequest(): { readonly requestId?: string } {
    return this.#requestId === undefined ? {} : { requestId: this.#requestId };
  }

  #guard(tell: () => void): void {
    try {
      tell();
    } catch (error) {
      this.fail(error);
    }
  }

  /** One read can have several chunks, and the head before them, all in one turn. */
  #readNow(): number {
    if (this.#readAtMs === undefined) queueMicrotask(() => (this.#readAtMs = undefined));
    return (this.#readAtMs ??= performance.now());
  }

  #deliverLater(tell: () => void): void {
    if (this.#undelivered.push(tell) === 1) this.#deps.routes.timed.add(() => this.#deliver());
  }

  #deliver(): void {
    for (const tell of this.#undelivered.splice(0)) if (!this.#isOver) this.#guard(tell);
    if (this.#isEndUndelivered) this.#end();
  }

  #heard(): void {
    if (this.#isPaused || this.#isSettling) return;
    if (this.#hasBody) {
      this.#limit.refresh();
      return;
    }
    this.#hasBody = true;
    this.#awaitMore();
  }

  #awaitMore(): void {
    const { request, timeouts, routes } = this.#deps;
    this.#arm('silence', silenceMs(request.url, timeouts.silenceMs, routes.firstByteMs()));
  }

  #arm(timer: TimeoutFailure['timer'], afterMs: number): void {
    const { host } = this.#deps.request.url;
    this.#limit.start(afterMs, () => {
      // All of a measured reply might have been read.
      this.#deliver();
      if (this.#isSettling) return;
      this.fail(new ApiError({ kind: 'timeout', timer, afterMs, host, ...this.#ofRequest() }));
    });
  }
}

function carriedRequest(request: TransportRequest): CarriedRequest {
  return {
    url: request.url,
    method: request.method,
    headers: { ...authorizationFor(request.endpoint, request.url), ...openHeaders(request) },
    ...(request.body === undefined ? {} : { body: request.body.content }),
  };
}

/**
 * The host's fetch might find a route where ours failed. Never used after a refused certificate, which is a verdict and
 * not an obstacle.
 */
export function isWorthTheHost(failure: ApiFailure): boolean {
  if (failure.kind === 'network') return !failure.mayHaveBeenSent;
  return failure.kind === 'proxyAuthRequired' || (failure.kind === 'timeout' && failure.timer === 'connect');
}

function mayHaveBeenSent(failure: ApiFailure): boolean {
  return failure.kind !== 'network' || failure.mayHaveBeenSent;
}
