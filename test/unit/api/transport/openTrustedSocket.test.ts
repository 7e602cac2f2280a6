import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import * as tls from 'node:tls';
import { Client } from 'undici';
import { openTrustedSocket } from '../../../../src/api/transport/openTrustedSocket.ts';
import type { ConnectError } from '../../../../src/api/transport/socketConnector.ts';
import { heldTimers } from '../../heldTimers.ts';
import { fixture, startRawServer, type RawServer } from '../rawServer.ts';

/** Only for what hangs. Not the minute that Parlance gives the system, which is another timer. */
const timeoutMs = 50_000;

type SystemTrust = () => Promise<tls.SecureContext | undefined>;

describe('While the system lists its authorities', () => {
  let server: RawServer;
  let socket: Socket | undefined;
  afterEach(async () => {
    socket?.destroy();
    await server.close();
  });

  const system = (): tls.SecureContext => tls.createSecureContext({ ca: fixture('authority') });

  function open(systemTrust: SystemTrust): {
    readonly cancel: () => void;
    readonly ended: Promise<ConnectError | null>;
  } {
    const { promise, resolve } = Promise.withResolvers<ConnectError | null>();
    const cancel = openTrustedSocket(
      {
        target: new URL(server.origin),
        route: { via: 'direct' },
        timeoutMs,
        secureContext: () => tls.createSecureContext(),
        systemTrust,
        ClientClass: Client,
      },
      (error, opened) => {
        socket = opened ?? undefined;
        resolve(error);
      },
    );
    return { cancel, ended: promise };
  }

  it("the time that takes doesn't count as connecting", async () => {
    using limit = heldTimers(timeoutMs);
    server = await startRawServer(() => {}, 'good');
    const { ended } = open(async () => {
      limit.pass(2 * timeoutMs);
      // If it had run out, that would take effect before this.
      await new Promise((turn) => void setImmediate(turn));
      return system();
    });
    assert.equal(await ended, null);
    assert.equal(server.accepted(), 2);
    assert.equal(server.receivedBytes(), 0);
  });

  it('giving up takes effect at once, and nothing is opened afterwards', async () => {
    server = await startRawServer(() => {}, 'good');
    const asked = new EventTarget();
    const answered = Promise.withResolvers<tls.SecureContext>();
    const begun = once(asked, 'asked');
    const { cancel, ended } = open(() => {
      asked.dispatchEvent(new Event('asked'));
      return answered.promise;
    });
    await begun;
    cancel();
    assert.equal((await ended)?.problem.stage, 'target');
    answered.resolve(system());
    // Before the second connection of another one that begins only now, one that was still opened would be there.
    assert.equal(await open(() => Promise.resolve(system())).ended, null);
    assert.equal(server.accepted(), 3);
  });

  it("a certificate that is bad for another reason isn't tried again", async () => {
    // Signed by a known authority, for another host.
    server = await startRawServer(() => {}, 'wrongHost');
    let asked = 0;
    const { promise, resolve } = Promise.withResolvers<ConnectError | null>();
    openTrustedSocket(
      {
        target: new URL(server.origin),
        route: { via: 'direct' },
        timeoutMs,
        secureContext: system,
        systemTrust: () => {
          asked += 1;
          return Promise.resolve(system());
        },
        ClientClass: Client,
      },
      resolve,
    );
    assert.equal((await promise)?.problem.stage, 'target');
    assert.equal(asked, 0);
    assert.equal(server.accepted(), 1);
  });
});
