import type { ApiFailure } from '../../shared/apiFailure.ts';
import { ApiError } from '../apiError.ts';
import { authorizationFor } from './authorization.ts';
import type { CarriedRequest } from './carrier.ts';
import { leadsToRefused } from './guardedLookup.ts';
import { sendOverHost } from './hostCarrier.ts';
import { SwitchedCarriage } from './switchedCarriage.ts';
import { ConnectionPool } from './connectionPool.ts';
import { defaultTimeouts, type Timeouts } from './timeouts.ts';
import { isWorthTheHost, TransportCall, type CallRoutes } from './transportCall.ts';
import type { Transport } from './transport.ts';
import { nodeSettings, type TransportSettings } from './transportSettings.ts';
import type { Endpoint } from '../types.ts';

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
