import { disposedCode } from './disposedCode.ts';
import type { ApiFailure } from '../../shared/apiFailure.ts';
import { ApiError } from '../apiError.ts';
import { authorizationFor } from './authorization.ts';
import type { CarriedRequest } from './carrier.ts';
import { leadsToRefused } from './guardedLookup.ts';
import { sendOverHost } from './hostCarrier.ts';
import { SwitchedCarriage } from './switchedCarriage.ts';
import { ConnectionPool } from './connectionPool.ts';
import { defaultTimeouts, type Timeouts } from './timeouts.ts';
import { TimedQueue } from './timedQueue.ts';
import { isWorthTheHost, TransportCall, type CallRoutes } from './transportCall.ts';
import type { Transport } from './transport.ts';
import { nodeSettings, type TransportSettings } from './transportSettings.ts';
import type { Endpoint } from '../types.ts';

/**
 * Sends requests over its own connections, and through `hostFetch` to targets that these can't reach. undici is loaded
 * with the first request. Redirects are never followed.
 * @param deps.firstByteMs the user's own limit for the wait until a reply starts, read for each request.
 * @param deps.settings read for each request; if absent, those of a plain Node process.
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
  /** Origins that only the host's fetch could reach, under the settings in `rememberedUnder`. */
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
    timed: new TimedQueue(),
  };

  const warmUp = async (endpoint: Endpoint, url: URL): Promise<void> => {
    // Nothing is opened if no key is allowed.
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
        // A proxy might resolve a name that no name server here knows. Then the proxy decides what it connects to.
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
        // A request will meet the same obstacle, and report it.
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
  return new ApiError({ kind: 'network', reason: 'other', host: url.host, code: disposedCode, mayHaveBeenSent: true });
}
