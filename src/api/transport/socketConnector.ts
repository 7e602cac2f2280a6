import * as net from 'node:net';
import * as tls from 'node:tls';
import type { Client } from 'undici';
import { Countdown } from '../countdown.ts';
import { guardedLookup } from './guardedLookup.ts';
import { bareHost, portOf, type ProxyRoute } from './proxyRoute.ts';

/** Why no connection was made. No part of the request had been sent. */
export type ConnectProblem =
  | { readonly stage: 'timeout'; readonly afterMs: number }
  /** The target itself. */
  | { readonly stage: 'target'; readonly cause: unknown }
  /** The proxy, or its response to CONNECT. */
  | { readonly stage: 'proxy'; readonly host: string; readonly cause: unknown }
  | { readonly stage: 'proxyLogin' };

/**
 * Carries a {@link ConnectProblem} through undici. It has no `code`, because for some codes of a failed connection
 * undici retries forever.
 */
export class ConnectError extends Error {
  readonly problem: ConnectProblem;

  constructor(problem: ConnectProblem) {
    super('no connection', 'cause' in problem ? { cause: problem.cause } : undefined);
    this.name = 'ConnectError';
    this.problem = problem;
  }
}

export interface ConnectPlan {
  readonly target: URL;
  readonly route: ProxyRoute;
  readonly timeoutMs: number;
  /** Only called for TLS. */
  readonly secureContext: () => tls.SecureContext;
  /** The same with the system's authorities, if they can be read; undefined if there are none. */
  readonly systemTrust?: () => Promise<tls.SecureContext | undefined>;
  readonly ClientClass: typeof Client;
  /** Called for each IP address that the target's name resolves to. If absent, all are fine. */
  readonly mayConnect?: (address: string) => boolean;
}

/** Exactly one of the two is given. */
export type SocketReady = (error: ConnectError | null, socket: net.Socket | null) => void;

/**
 * Opens the socket for requests to `plan.target`: to the target, to a proxy that forwards plain HTTP, or through a
 * tunnel. One timer covers name lookup, TCP, tunnel, and TLS.
 * @returns a function that gives up at once, at any stage, and closes what was opened.
 */
export function openSocket(plan: ConnectPlan, ready: SocketReady): () => void {
  const opened: { destroy(): unknown }[] = [];
  const limit = new Countdown();
  let settled = false;

  const settle = (error: ConnectError | null, socket: net.Socket | null): void => {
    if (settled) return;
    settled = true;
    limit.stop();
    if (error !== null) for (const each of opened) each.destroy();
    ready(error, socket);
  };
  const fail = (problem: ConnectProblem): void => settle(new ConnectError(problem), null);
  limit.start(plan.timeoutMs, () => fail({ stage: 'timeout', afterMs: plan.timeoutMs }));

  const { target, route } = plan;
  const failTarget = (cause: unknown): void => fail({ stage: 'target', cause });
  const dial = (
    url: URL,
    onError: (cause: unknown) => void,
    onOpen: (socket: net.Socket) => void,
    over?: net.Socket,
  ) => {
    const socket = over === undefined && url.protocol === 'http:' ? dialPlain(plan, url) : dialTls(plan, url, over);
    opened.push(socket);
    socket.on('error', onError);
    socket.once('close', () => onError(new ClosedEarly()));
    socket.once(socket instanceof tls.TLSSocket ? 'secureConnect' : 'connect', () => onOpen(socket));
  };

  try {
    if (route.via === 'unusableProxy') {
      queueMicrotask(() => fail({ stage: 'proxy', host: route.host, cause: new ProxyAnswer(route.code) }));
    } else if (route.via === 'direct') {
      dial(target, failTarget, (socket) => settle(null, socket));
    } else {
      const failProxy = (cause: unknown): void => fail({ stage: 'proxy', host: route.proxy.host, cause });
      if (target.protocol === 'http:') {
        dial(route.proxy, failProxy, (socket) => settle(null, socket));
      } else {
        const tunnel = openTunnel(plan, route, {
          dial: (onOpen) => dial(route.proxy, failProxy, onOpen),
          fail: failProxy,
          opened: (status, socket) => {
            opened.push(socket);
            socket.on('error', failProxy);
            if (settled) socket.destroy();
            else if (status === 407) fail({ stage: 'proxyLogin' });
            else if (status < 200 || status > 299) failProxy(new ProxyAnswer(`PROXY_ANSWERED_${status}`));
            else dial(target, failTarget, (secured) => settle(null, secured), socket);
          },
        });
        opened.push(tunnel);
      }
    }
  } catch (error) {
    // net or tls reject some addresses at once, for example because of an impossible port.
    queueMicrotask(() => failTarget(error));
  }
  return () => settle(abandoned(), null);
}

/** Gave up before a connection was made. */
export function abandoned(): ConnectError {
  return new ConnectError({ stage: 'target', cause: new ClosedEarly() });
}

class ClosedEarly extends Error {
  readonly code = 'ECONNRESET';
}

class ProxyAnswer extends Error {
  readonly code: string;

  constructor(code: string) {
    super('the proxy cannot be used');
    this.code = code;
  }
}

const keepAliveMs = 60_000;

function dialPlain(plan: ConnectPlan, url: URL): net.Socket {
  return openedWell(net.connect({ host: bareHost(url), port: portOf(url), ...guardOf(plan, url) }));
}

/** The proxy's own address is the user's choice, so only the target's is checked. */
function guardOf(plan: ConnectPlan, url: URL): { readonly lookup?: net.LookupFunction } {
  return plan.mayConnect === undefined || url !== plan.target ? {} : { lookup: guardedLookup(plan.mayConnect) };
}

function dialTls(plan: ConnectPlan, url: URL, over?: net.Socket): net.Socket {
  const host = bareHost(url);
  const socket = tls.connect({
    ...(over === undefined ? { port: portOf(url), ...guardOf(plan, url) } : { socket: over }),
    host,
    // Server name indication only works with names.
    ...(net.isIP(host) === 0 ? { servername: host } : {}),
    secureContext: plan.secureContext(),
    ALPNProtocols: ['http/1.1'],
    // Set explicitly, so that NODE_TLS_REJECT_UNAUTHORIZED=0 in the environment has no effect.
    rejectUnauthorized: true,
  });
  // A tunnel's own socket was set when it was opened.
  return over === undefined ? openedWell(socket) : socket;
}

/**
 * Sets the option only once the socket is open: earlier, on Windows, that can make the connection fail. The options of
 * `connect` don't help either, because up to Node 22 they do nothing for TLS.
 */
function openedWell<Opened extends net.Socket>(socket: Opened): Opened {
  return socket.once('connect', () => socket.setNoDelay(true).setKeepAlive(true, keepAliveMs));
}

interface TunnelEvents {
  dial(onOpen: (socket: net.Socket) => void): void;
  fail(cause: unknown): void;
  opened(status: number, socket: net.Socket): void;
}

function openTunnel(plan: ConnectPlan, route: ProxyRoute & { via: 'proxy' }, events: TunnelEvents): Client {
  const authority = `${plan.target.hostname}:${portOf(plan.target)}`;
  const client = new plan.ClientClass(route.proxy, {
    headersTimeout: 0,
    bodyTimeout: 0,
    allowH2: false,
    connect: (_options, callback) => events.dial((socket) => callback(null, socket)),
  });
  client.dispatch(
    {
      method: 'CONNECT',
      path: authority,
      headers: {
        host: authority,
        ...(route.authorization === undefined ? {} : { 'proxy-authorization': route.authorization }),
      },
    },
    {
      // undici requires these methods, although a CONNECT ends in an upgrade or an error.
      onRequestStart: () => {},
      onResponseStart: () => {},
      onResponseData: () => {},
      onResponseEnd: () => {},
      onRequestUpgrade: (_controller, status, _headers, stream) => {
        if (stream instanceof net.Socket) events.opened(status, stream);
      },
      onResponseError: (_controller, error) => events.fail(error),
    },
  );
  return client;
}
