import { ApiError } from './apiError.ts';
import { ConnectionPool } from './connectionPool.ts';
import { defaultTimeouts, type Timeouts } from './timeouts.ts';
import { TransportCall, type CallRoutes } from './transportCall.ts';
import type { TransportSettings } from './transportSettings.ts';
import type { Endpoint } from './types.ts';

/** One HTTP exchange with the service. */
export interface TransportRequest {
  readonly endpoint: Endpoint;
  /** Has to be of one of the endpoint's origins. */
  readonly url: URL;
  readonly method: 'GET' | 'POST';
  readonly accept: string;
  /** JSON. */
  readonly body?: string;
  /** Which timers watch over the answer. */
  readonly patience: 'stream' | 'wholeReply' | 'catalogue';
}

export interface ResponseHead {
  readonly status: number;
  /** Names in lower case. */
  readonly header: (name: string) => string | undefined;
  /** `host`: over the host's own fetch, because our own connection could not be made. */
  readonly via: 'own' | 'host';
}

/**
 * Hears of an answer as it comes, in the very turn in which its bytes were read: `head`, any
 * number of `data`, then `end` or `failed`. Nothing may throw but `data` and `end`, and only an
 * {@link ApiError}, which ends the exchange and comes back as `failed`.
 */
export interface ResponseReceiver {
  head(head: ResponseHead): void;
  data(chunk: Uint8Array): void;
  end(): void;
  /** An {@link ApiError}, or the signal's reason when it was a cancel. Comes once, and last. */
  failed(error: unknown): void;
}

export interface ExchangeControl {
  pause(): void;
  resume(): void;
  /** The answer is complete as far as the receiver cares. Nothing is told any more. */
  finish(): void;
  /** Closes the connection at once. Nothing is told any more. */
  abandon(): void;
}

export interface Transport {
  send(request: TransportRequest, receiver: ResponseReceiver, signal?: AbortSignal): ExchangeControl;
  /** Closes every connection. What is under way fails. */
  dispose(): void;
}

/**
 * Carries requests over connections of its own, and over `hostFetch` for targets that these cannot
 * reach. undici is loaded at the first request. No redirect is followed, ever.
 */
export function createTransport(deps: {
  readonly settings: () => TransportSettings;
  readonly hostFetch?: typeof fetch;
  readonly timeouts?: Partial<Timeouts>;
}): Transport {
  const timeouts: Timeouts = { ...defaultTimeouts, ...deps.timeouts };
  const calls = new Set<TransportCall>();
  /** Origins that only the host's fetch could reach, under the settings of `rememberedUnder`. */
  const overHost = new Set<string>();
  let rememberedUnder = '';
  let pool: Promise<ConnectionPool> | undefined;
  let isDisposed = false;

  const remembered = (): Set<string> => {
    const now = JSON.stringify(deps.settings());
    if (now !== rememberedUnder) overHost.clear();
    rememberedUnder = now;
    return overHost;
  };

  const routes: CallRoutes = {
    settings: deps.settings,
    pool: () => (pool ??= openPool(timeouts.connectMs)),
    hostFetch: deps.hostFetch,
    prefersHost: (origin) => deps.hostFetch !== undefined && remembered().has(origin),
    hostAnswered: (origin) => remembered().add(origin),
    hostFailed: (origin) => remembered().delete(origin),
  };

  return {
    send(request, receiver, signal) {
      const call = new TransportCall({ request, receiver, signal, timeouts, routes, over: () => calls.delete(call) });
      calls.add(call);
      if (isDisposed) call.fail(disposedError(request.url));
      else void call.run();
      return call;
    },
    dispose() {
      isDisposed = true;
      for (const call of calls) call.fail(disposedError(call.url));
      void pool?.then(
        (open) => open.close(),
        () => {},
      );
    },
  };
}

async function openPool(connectMs: number): Promise<ConnectionPool> {
  const { default: ClientClass } = await import('undici/lib/dispatcher/client.js');
  return new ConnectionPool({ connectMs, ClientClass });
}

function disposedError(url: URL): ApiError {
  return new ApiError({ kind: 'network', reason: 'other', host: url.host, code: 'DISPOSED', mayHaveBeenSent: true });
}
