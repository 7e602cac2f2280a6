import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import * as tls from 'node:tls';
import { chunk, delta, done, fixture, lastChunk, startRawServer, streamHead, type RawServer } from './rawServer.ts';
import { hello, outcomeOf, plainSettings, testClient, type TestClient } from './testClient.ts';
import { chatCompletion } from '../../../src/api/operations/chatCompletion.ts';

const reply = Buffer.concat([streamHead(), chunk(delta('Hi') + done), lastChunk]);

describe('TLS', () => {
  let server: RawServer;
  let tested: TestClient;
  const ownAuthorities = tls.getCACertificates('default');
  before(() => tls.setDefaultCACertificates([...ownAuthorities, fixture('authority')]));
  after(() => tls.setDefaultCACertificates(ownAuthorities));
  afterEach(async () => {
    tested.dispose();
    await server.close();
  });

  for (const systemCertificates of [false, true]) {
    it(`with a trusted authority works, system certificates ${systemCertificates ? 'on' : 'off'}`, async () => {
      server = await startRawServer((socket) => socket.write(reply), 'good');
      tested = testClient(server.origin, { settings: () => ({ ...plainSettings, systemCertificates }) });
      assert.equal((await outcomeOf(tested.client.stream(chatCompletion(hello)))).text, 'Hi');
    });
  }

  it('works with an IP address in the certificate', async () => {
    server = await startRawServer((socket) => socket.write(reply), 'good');
    tested = testClient(`https://127.0.0.1:${server.port}`);
    assert.equal((await outcomeOf(tested.client.stream(chatCompletion(hello)))).text, 'Hi');
  });

  const bad: readonly (readonly [string, string, string])[] = [
    ['expired', 'expired', 'CERT_HAS_EXPIRED'],
    ['notYetValid', 'notYetValid', 'CERT_NOT_YET_VALID'],
    ['wrongHost', 'wrongHost', 'ERR_TLS_CERT_ALTNAME_INVALID'],
    ['selfSigned', 'selfSigned', 'DEPTH_ZERO_SELF_SIGNED_CERT'],
  ];
  for (const [certificate, reason, code] of bad) {
    it(`refuses a certificate that is ${reason}, sends nothing, and doesn't try again`, async () => {
      server = await startRawServer((socket) => socket.write(reply), certificate);
      let overHost = 0;
      tested = testClient(server.origin, {
        hostFetch: () => {
          overHost += 1;
          return Promise.resolve(new Response(delta('Hi') + done));
        },
      });
      const { failure } = await outcomeOf(tested.client.stream(chatCompletion(hello)));
      assert.deepEqual(failure, { kind: 'tls', reason, host: `localhost:${server.port}`, code });
      assert.equal(server.requests.length, 0);
      assert.equal(server.accepted(), 1);
      assert.equal(overHost, 0);
      await server.allClosed();
    });
  }

  it('refuses an unknown authority', async () => {
    tls.setDefaultCACertificates(ownAuthorities);
    try {
      server = await startRawServer((socket) => socket.write(reply), 'good');
      tested = testClient(server.origin);
      const { failure } = await outcomeOf(tested.client.stream(chatCompletion(hello)));
      assert.equal(failure?.kind === 'tls' && failure.reason, 'untrusted');
      assert.equal(server.requests.length, 0);
    } finally {
      tls.setDefaultCACertificates([...ownAuthorities, fixture('authority')]);
    }
  });

  it("isn't weakened by NODE_TLS_REJECT_UNAUTHORIZED=0", async () => {
    const before = process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
    try {
      server = await startRawServer((socket) => socket.write(reply), 'selfSigned');
      tested = testClient(server.origin);
      assert.equal((await outcomeOf(tested.client.stream(chatCompletion(hello)))).failure?.kind, 'tls');
    } finally {
      if (before === undefined) delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
      else process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = before;
    }
  });

  it('to a port that speaks plain HTTP is a protocol failure', async () => {
    const plain = createServer((socket) => {
      socket.on('error', () => {});
      socket.end('HTTP/1.1 400 Bad Request\r\n\r\n');
    });
    plain.listen(0, '127.0.0.1');
    await once(plain, 'listening');
    const address = plain.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    server = await startRawServer(() => {});
    tested = testClient(`https://127.0.0.1:${port}`);
    const { failure } = await outcomeOf(tested.client.stream(chatCompletion(hello)));
    plain.close();
    assert.equal(failure?.kind === 'tls' && failure.reason, 'protocol');
  });

  it('that is cut off during a stream is a lost connection, and the text is kept', async () => {
    server = await startRawServer((socket) => {
      socket.write(Buffer.concat([streamHead(), chunk(delta('Hi'))]), () => socket.destroy());
    }, 'good');
    tested = testClient(server.origin);
    const outcome = await outcomeOf(tested.client.stream(chatCompletion(hello)));
    assert.equal(outcome.text, 'Hi');
    assert.equal(outcome.failure?.kind, 'connectionLost');
  });
});
