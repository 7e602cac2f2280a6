import type { ApiFailure } from '../../shared/apiFailure.ts';
import { ApiError } from '../apiError.ts';
import { authorizationFor } from './authorization.ts';
import type { Carriage, CarriedRequest, CarrierEvents, HeaderList } from './carrier.ts';
import { leadsToRefused } from './guardedLookup.ts';
import { sendOverHost } from './hostCarrier.ts';
import { SwitchedCarriage } from './switchedCarriage.ts';
import { ConnectionPool } from './connectionPool.ts';
import { defaultTimeouts, type Patience, type Timeouts } from './timeouts.ts';
import { isWorthTheHost, TransportCall, type CallRoutes } from './transportCall.ts';
import { nodeSettings, type TransportSettings } from './transportSettings.ts';
import type { Endpoint } from '../types.ts';

/** One HTTP exchange with the service. */
export interface TransportRequest {
  readonly endpoint: Endpoint;
  /** Has to be of one of the endpoint's origins. */
  readonly url: URL;
  readonly method: 'GET' | 'POST';
  readonly accept: string;
  readonly body?: RequestBody;
  /** The body has images for the model to look at. */
  readonly hasImages?: boolean;
  readonly patience: Patience;
}

/** A request that carries no key. */
export interface OpenRequest {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** Asked of each address that the name of the host leads to. */
  readonly mayConnect: (address: string) => boolean;
}

export interface RequestBody {
  readonly contentType: string;
  readonly content: string | Uint8Array;
}

export interface ResponseHead {
  readonly status: number;
  /** Names in lower case. */
  readonly header: (name: string) => string | undefined;
  readonly allHeaders: () => HeaderList;
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
  /** What may still come is waited for briefly; then, and where the connection breaks, `end` is told. */
  settle(): void;
  /** The answer is complete as far as the receiver cares. Nothing is told any more. */
  finish(): void;
  /** Closes the connection at once. Nothing is told any more. */
  abandon(): void;
}

export interface Transport {
  send(request: TransportRequest, receiver: ResponseReceiver, signal?: AbortSignal): ExchangeControl;
  /** Gets a file from an address that someone else named. Without the key, and no redirect is followed. */
  get(request: OpenRequest, events: CarrierEvents): Promise<Carriage>;
  /**
   * Opens a connection to the address and keeps it for a minute, so that the next request finds it
   * open. Nothing is sent, nothing is told, and nothing is done where one is open and free.
   */
  warm(endpoint: Endpoint, url: URL): void;
  /** Closes every connection. What is under way fails. */
  dispose(): void;
}

/**
 * Carries requests over connections of its own, and over `hostFetch` for targets that these cannot
 * reach. undici is loaded at the first request. No redirect is followed, ever.
 *
 * @param deps.firstByteMs the user's own limit to the wait for a reply to begin, read anew for each request.
 * @param deps.settings read anew for each request; those of a plain Node process where absent.
 */
export function createTransport(
  deps: {
    readonly settings?: () => TransportSettings;
    readonly hostFetch?: typeof fetch;
    readonly timeouts?: Partial<Timeouts>;
    readonly firstByteMs?: () => number | undefined;
  } = {},
): Transport {
  const settings = deps.settings ?? (() => nodeSettings(process.env));
  const timeouts: Timeouts = { ...defaultTimeouts, ...deps.timeouts };
  const calls = new Set<TransportCall>();
  /** Origins that only the host's fetch could reach, under the settings of `rememberedUnder`. */
  const overHost = new Set<string>();
  let rememberedUnder = '';
  let pool: Promise<ConnectionPool> | undefined;
  let isDisposed = false;

  const remembered = (): Set<string> => {
    const now = JSON.stringify(settings());
    if (now !== rememberedUnder) overHost.clear();
    rememberedUnder = now;
    return overHost;
  };

  const openedPool = (): Promise<ConnectionPool> => (pool ??= openPool(timeouts.connectMs));

  const routes: CallRoutes = {
    settings,
    pool: openedPool,
    hostFetch: deps.hostFetch,
    firstByteMs: deps.firstByteMs ?? (() => undefined),
    prefersHost: (origin) => deps.hostFetch !== undefined && remembered().has(origin),
    hostAnswered: (origin) => remembered().add(origin),
    hostFailed: (origin) => remembered().delete(origin),
  };

  const warmUp = async (endpoint: Endpoint, url: URL): Promise<void> => {
    // Nothing is opened where no key may go.
    authorizationFor(endpoint, url);
    const open = await openedPool();
    if (!isDisposed) open.warm(url, settings());
  };

  return {
    send(request, receiver, signal) {
      const call = new TransportCall({ request, receiver, signal, timeouts, routes, over: () => calls.delete(call) });
      calls.add(call);
      if (isDisposed) call.fail(disposedError(request.url));
      else void call.run();
      return call;
    },
    async get({ url, headers, mayConnect }, events) {
      if (isDisposed) throw disposedError(url);
      const open = await openedPool();
      const request: CarriedRequest = { url, method: 'GET', headers };
      const { hostFetch } = deps;
      if (hostFetch === undefined) return open.sendGuarded(request, settings(), events, mayConnect);
      const switched = new SwitchedCarriage();
      const trySecondWay = async (failure: ApiFailure, cause: unknown): Promise<void> => {
        // What no name server here knows, a proxy may: it then decides what it connects to.
        if (!isWorthTheHost(failure) || (await leadsToRefused(url, mayConnect))) return events.failed(failure, cause);
        const failed = (): void => events.failed(failure, cause);
        switched.use(sendOverHost(hostFetch, request, { ...events, failed }));
      };
      const failed = (failure: ApiFailure, cause: unknown): void => void trySecondWay(failure, cause);
      switched.use(open.sendGuarded(request, settings(), { ...events, failed }, mayConnect));
      return switched;
    },
    warm(endpoint, url) {
      if (isDisposed || routes.prefersHost(url.origin)) return;
      void warmUp(endpoint, url).catch(() => {
        // A request will meet the same obstacle, and tell of it.
      });
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
