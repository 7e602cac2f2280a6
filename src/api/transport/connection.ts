import type { Client, Dispatcher } from 'undici';
import type { CarriedRequest, Carriage, CarrierEvents, HeaderList } from './carrier.ts';
import { type ContentDecoding, decodeContent } from './contentDecoding.ts';
import { networkCodeOf, networkFailureOf } from './networkFailure.ts';
import { ConnectError, type ConnectPlan, type SocketReady } from './socketConnector.ts';
import { openTrustedSocket } from './openTrustedSocket.ts';
import { WarmSocket } from './warmSocket.ts';
import type { ApiFailure } from '../../shared/apiFailure.ts';

/** How long to wait for the end of a body whose content is already complete, in order to keep the socket. */
const drainMs = 100;
const drainBytes = 64 * 1024;
/** For services that don't say how long they keep an idle connection: shorter than most do. */
const idleMs = 30_000;
/** A user who has focused the composer might write for a while. */
const warmMs = 60_000;

export interface ConnectionEvents {
  /** The exchange has ended, and the socket can be used for another one. */
  idle(connection: Connection): void;
  /** The connection is closed, whether it was idle or not. */
  closed(connection: Connection): void;
}

/**
 * One undici client with at most one socket and one exchange at a time. That answers two questions that a pool can't:
 * which socket to close on a cancel, and whether a byte of this particular request was sent.
 */
export class Connection {
  readonly #plan: ConnectPlan;
  readonly #events: ConnectionEvents;
  readonly #client: Client;
  #cancelConnect: (() => void) | undefined;
  #warmSocket: WarmSocket | undefined;
  #drainTimer: NodeJS.Timeout | undefined;
  #isInUse = false;
  #isUsed = false;
  #isClosed = false;

  constructor(plan: ConnectPlan, events: ConnectionEvents) {
    this.#plan = plan;
    this.#events = events;
    this.#client = new plan.ClientClass(forwardingProxy(plan) ?? plan.target.origin, {
      // undici would stop after 300 s. Only the call's own timers should.
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: idleMs,
      pipelining: 1,
      allowH2: false,
      connect: (_options, callback) => {
        const open = this.#warmSocket?.takeOver ?? ((ready: SocketReady) => openTrustedSocket(plan, ready));
        this.#warmSocket = undefined;
        this.#cancelConnect = open((error, socket) => {
          this.#cancelConnect = undefined;
          if (socket === null) callback(error ?? new Error('no socket'), null);
          else callback(null, socket);
        });
      },
    });
    // If it's in use, undici tells the exchange: as a failure, or not at all if its request hadn't been written yet and
    // a new socket is opened for it.
    this.#client.on('disconnect', () => {
      if (!this.#isInUse) this.close();
    });
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** It has carried an exchange, so its server might be about to close it. */
  get isUsed(): boolean {
    return this.#isUsed;
  }

  /** Opens the socket before the first request. The connection closes itself if that fails or no request follows. */
  warm(): void {
    this.#warmSocket = new WarmSocket(this.#plan, warmMs, () => this.close());
  }

  send(request: CarriedRequest, events: CarrierEvents): Carriage {
    this.#isInUse = true;
    this.#isUsed = true;
    const exchange = new ConnectionExchange(this.#plan, events, {
      over: () => this.#release(),
      drop: () => this.close(),
      drain: (stillDraining) => {
        this.#drainTimer = setTimeout(() => {
          if (stillDraining()) this.close();
        }, drainMs);
        this.#drainTimer.unref();
      },
    });
    const proxy = forwardingProxy(this.#plan);
    this.#client.dispatch(
      {
        method: request.method,
        path: proxy === undefined ? request.url.pathname + request.url.search : request.url.href,
        headers: { ...request.headers, ...this.#proxyHeaders(request.url) },
        ...(request.body === undefined ? {} : { body: request.body }),
      },
      exchange,
    );
    return exchange;
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearTimeout(this.#drainTimer);
    void this.#client.destroy();
    this.#warmSocket?.close();
    this.#cancelConnect?.();
    this.#events.closed(this);
  }

  #release(): void {
    clearTimeout(this.#drainTimer);
    this.#isInUse = false;
    if (!this.#isClosed) this.#events.idle(this);
  }

  #proxyHeaders(target: URL): Record<string, string> {
    const { route } = this.#plan;
    if (forwardingProxy(this.#plan) === undefined || route.via !== 'proxy') return {};
    return {
      host: target.host,
      ...(route.authorization === undefined ? {} : { 'proxy-authorization': route.authorization }),
    };
  }
}

/** The proxy for plain HTTP. TLS uses a tunnel instead. */
function forwardingProxy(plan: ConnectPlan): URL | undefined {
  return plan.route.via === 'proxy' && plan.target.protocol === 'http:' ? plan.route.proxy : undefined;
}

function joined(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(', ') : value;
}

interface ExchangeEnd {
  over(): void;
  drop(): void;
  drain(stillDraining: () => boolean): void;
}

class ConnectionExchange implements Dispatcher.DispatchHandler, Carriage {
  readonly #plan: ConnectPlan;
  readonly #end: ExchangeEnd;
  #events: CarrierEvents;
  #controller: Dispatcher.DispatchController | undefined;
  #decoding: ContentDecoding | undefined;
  #state: 'open' | 'draining' | 'over' = 'open';
  #sent = false;
  #drainedBytes = 0;

  constructor(plan: ConnectPlan, events: CarrierEvents, end: ExchangeEnd) {
    this.#plan = plan;
    this.#events = events;
    this.#end = end;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    this.#sent = true;
    if (this.#state === 'open') this.#events.sent();
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): void {
    // 1xx responses come before the real one.
    if (status < 200 || this.#state !== 'open') return;
    this.#decoding = decodeContent(headers['content-encoding'], this.#events, {
      pause: () => this.#controller?.pause(),
      resume: () => {
        if (this.#state === 'open') this.#controller?.resume();
      },
    });
    this.#events = this.#decoding?.events ?? this.#events;
    const header = (name: string): string | undefined => joined(headers[name]);
    const allHeaders = (): HeaderList => Object.entries(headers).map(([name, value]) => [name, joined(value) ?? '']);
    this.#events.head({ status, header, allHeaders });
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#state === 'open') return this.#events.data(chunk);
    this.#drainedBytes += chunk.length;
    if (this.#state === 'draining' && this.#drainedBytes > drainBytes) this.destroy();
  }

  onResponseEnd(): void {
    const wasOpen = this.#state === 'open';
    if (this.#state === 'over') return;
    this.#state = 'over';
    this.#end.over();
    if (wasOpen) this.#events.end();
  }

  onResponseError(_controller: Dispatcher.DispatchController | undefined, error: Error): void {
    if (this.#state === 'over') return;
    const wasOpen = this.#state === 'open';
    this.#state = 'over';
    this.#end.drop();
    if (wasOpen) this.#events.failed(this.#failureOf(error), error);
  }

  pause(): void {
    this.#decoding?.pause();
    if (this.#state === 'open') this.#controller?.pause();
  }

  resume(): void {
    // The decoder's remaining bytes come first. It asks for more when it has room.
    this.#decoding?.resume();
    if (this.#state === 'open' && this.#decoding?.isFull !== true) this.#controller?.resume();
  }

  finish(): void {
    this.#decoding?.destroy();
    if (this.#state !== 'open') return;
    this.#state = 'draining';
    this.#controller?.resume();
    this.#end.drain(() => this.#state === 'draining');
  }

  destroy(): void {
    // The response might have arrived completely while part of it is still compressed.
    this.#decoding?.destroy();
    if (this.#state === 'over') return;
    this.#state = 'over';
    this.#end.drop();
  }

  #failureOf(error: Error): ApiFailure {
    const host = this.#plan.target.host;
    if (!(error instanceof ConnectError)) return networkFailureOf(error, host, this.#sent);
    const { problem } = error;
    switch (problem.stage) {
      case 'timeout':
        return { kind: 'timeout', timer: 'connect', afterMs: problem.afterMs, host };
      case 'target':
        return networkFailureOf(problem.cause, host, false);
      case 'proxy':
        return {
          kind: 'network',
          reason: 'proxy',
          host: problem.host,
          code: networkCodeOf(problem.cause),
          mayHaveBeenSent: false,
        };
      case 'proxyLogin':
        return { kind: 'proxyAuthRequired', status: 407 };
    }
  }
}
