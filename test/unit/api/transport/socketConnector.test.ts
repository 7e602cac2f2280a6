import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import * as net from 'node:net';
import * as tls from 'node:tls';
import { Client } from 'undici';
import { openSocket } from '../../../../src/api/transport/socketConnector.ts';
import { fixture, startRawServer, type RawServer } from '../rawServer.ts';

const sockets = '/proc/net/tcp';

describe('A socket to the service', () => {
  let server: RawServer;
  let socket: net.Socket | undefined;
  afterEach(async () => {
    socket?.destroy();
    await server.close();
  });

  for (const certificate of [undefined, 'good']) {
    const kind = certificate === undefined ? 'plain' : 'over TLS';
    it(`that is ${kind} is kept alive from the moment it opens`, async function () {
      // Only Linux shows the timers of its sockets.
      if (!existsSync(sockets)) this.skip();
      server = await startRawServer(() => {}, certificate);
      // On Windows, either of these on a socket that isn't connected yet can fail the connection.
      const early = recordEarly(['setKeepAlive', 'setNoDelay']);
      try {
        const open = await new Promise<net.Socket>((resolve, reject) => {
          openSocket(
            {
              target: new URL(server.origin),
              route: { via: 'direct' },
              timeoutMs: 60_000,
              secureContext: () => tls.createSecureContext({ ca: fixture('authority') }),
              ClientClass: Client,
            },
            (error, opened) => (opened === null ? reject(error ?? new Error('neither')) : resolve(opened)),
          );
        });
        socket = open;
        assert.deepEqual(early.calls, []);
        const [local, remote] = [open.localPort, open.remotePort].map(
          (port) => `:${(port ?? 0).toString(16).toUpperCase().padStart(4, '0')}`,
        );
        const lines = (await readFile(sockets, 'utf8')).split('\n').map((line) => line.trim().split(/\s+/));
        // The port might also be that of an earlier connection, which the system still remembers.
        const line = lines.find(([, from = '', to = '']) => from.endsWith(local ?? '?') && to.endsWith(remote ?? '?'));
        // `02` in this column is a keep-alive timer.
        const [, , , , , timer] = line ?? assert.fail();
        assert.match(timer ?? '', /^02:/);
      } finally {
        early.stop();
      }
    });
  }
});

/** Records which of these methods are called on sockets that are still connecting. */
function recordEarly(names: readonly string[]): { readonly calls: readonly string[]; stop(): void } {
  const calls: string[] = [];
  const originals = names.map((name) => [name, Reflect.get(net.Socket.prototype, name) as () => unknown] as const);
  for (const [name, original] of originals) {
    Reflect.set(net.Socket.prototype, name, function (this: net.Socket, ...args: unknown[]) {
      if (this.connecting) calls.push(name);
      return Reflect.apply(original, this, args);
    });
  }
  return { calls, stop: () => void Object.assign(net.Socket.prototype, Object.fromEntries(originals)) };
}
