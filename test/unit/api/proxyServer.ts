import * as net from 'node:net';
import { answer, startRawServer, type RawRequest, type RawServer } from './rawServer.ts';

export interface ProxyServer {
  readonly server: RawServer;
  /** `http://127.0.0.1:<port>`. */
  readonly origin: string;
}

/**
 * A real forward proxy that requires `login` (the value of `proxy-authorization`), if given, and that resolves every
 * name to this machine: to `targetPort`, or else to the requested port.
 */
export async function startProxyServer(options: {
  readonly targetPort?: number;
  readonly login?: string;
  readonly certificate?: string;
  /** Responds to CONNECT with this status and nothing else. */
  readonly refuseWith?: number;
  /** The only host that it forwards to. */
  readonly onlyTo?: string;
}): Promise<ProxyServer> {
  const server = await startRawServer((socket, request) => {
    if (options.refuseWith !== undefined) return socket.write(answer(options.refuseWith, ''));
    if (options.onlyTo !== undefined && targetOf(request).hostname !== options.onlyTo) {
      return socket.write(answer(403, ''));
    }
    if (options.login !== undefined && request.headers['proxy-authorization'] !== options.login) {
      return socket.write(answer(407, '', { 'proxy-authenticate': 'Basic realm="test"' }));
    }
    const upstream = net.connect(options.targetPort ?? Number(targetOf(request).port || 80), '127.0.0.1');
    upstream.on('error', () => socket.destroy());
    socket.once('close', () => upstream.destroy());
    if (request.method === 'CONNECT') {
      socket.removeAllListeners('data');
      upstream.once('connect', () => {
        socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
        socket.pipe(upstream).pipe(socket);
      });
    } else {
      upstream.pipe(socket);
      upstream.write(forwarded(request));
    }
    return undefined;
  }, options.certificate);
  return { server, origin: server.origin };
}

function targetOf({ method, target }: RawRequest): URL {
  return new URL(method === 'CONNECT' ? `http://${target}` : target);
}

function forwarded(request: RawRequest): string {
  const { pathname } = new URL(request.target);
  const headers = Object.entries(request.headers).filter(([name]) => !name.startsWith('proxy-'));
  return `${request.method} ${pathname} HTTP/1.1\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${request.body}`;
}
