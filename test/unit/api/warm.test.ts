import assert from 'node:assert/strict';
import * as tls from 'node:tls';
import { ApiError } from '../../../src/api/apiError.ts';
import { InferenceClient } from '../../../src/api/inferenceClient.ts';
import { createTransport } from '../../../src/api/transport/createTransport.ts';
import { startProxyServer } from './proxyServer.ts';
import { chunk, delta, done, fixture, lastChunk, startRawServer, streamHead, type RawServer } from './rawServer.ts';
import { hello, outcomeOf, plainSettings, testClient, type TestClient } from './testClient.ts';
import { chatCompletion } from '../../../src/api/operations/chatCompletion.ts';

const reply = Buffer.concat([streamHead(), chunk(delta('Hi') + done), lastChunk]);

describe('Warming', () => {
  let server: RawServer;
  let tested: TestClient;
  afterEach(async () => {
    tested.dispose();
    await server.close();
  });
  const chat = async (): Promise<string> => (await outcomeOf(tested.client.stream(chatCompletion(hello)))).text;

  it('opens a connection and sends nothing, and the next chat uses it', async () => {
    server = await startRawServer((socket) => socket.write(reply));
    tested = testClient(server.origin);
    await tested.client.warm();
    await server.connected();
    assert.equal(server.receivedBytes(), 0);
    assert.equal(tested.exchanges.length, 0);
    assert.equal(await chat(), 'Hi');
    assert.equal(server.accepted(), 1);
  });

  it('completes the TLS handshake before the chat', async () => {
    const authorities = tls.getCACertificates('default');
    tls.setDefaultCACertificates([...authorities, fixture('authority')]);
    server = await startRawServer((socket) => socket.write(reply), 'good');
    tested = testClient(server.origin);
    const handshakes: number[] = [];
    server.onHandshake(() => handshakes.push(server.requests.length));
    await tested.client.warm();
    await server.handshaken();
    assert.equal(await chat(), 'Hi');
    assert.deepEqual(handshakes, [0]);
    tls.setDefaultCACertificates(authorities);
  });

  it("isn't repeated while an idle connection is open", async () => {
    server = await startRawServer((socket) => socket.write(reply));
    tested = testClient(server.origin);
    for (let round = 0; round < 3; round++) await tested.client.warm();
    await server.connected();
    assert.equal(await chat(), 'Hi');
    await tested.client.warm();
    assert.equal(await chat(), 'Hi');
    assert.equal(server.accepted(), 1);
  });

  it('opens another one while all are busy', async () => {
    server = await startRawServer((socket) => socket.write(Buffer.concat([streamHead(), chunk(delta('Hi'))])));
    tested = testClient(server.origin);
    for await (const event of tested.client.stream(chatCompletion(hello))) {
      if (event.type !== 'text') continue;
      const another = server.nextConnection();
      await tested.client.warm();
      await another;
      break;
    }
    assert.equal(server.accepted(), 2);
    assert.equal(server.requests.length, 1);
  });

  it('in progress is awaited, not repeated', async () => {
    server = await startRawServer((socket) => socket.write(reply));
    tested = testClient(server.origin);
    await tested.client.warm();
    assert.equal(await chat(), 'Hi');
    assert.equal(server.accepted(), 1);
  });

  it('that failed leaves no trace, and the chat reports what is wrong', async () => {
    server = await startRawServer(() => {});
    await server.close();
    tested = testClient(server.origin);
    await tested.client.warm();
    assert.equal((await outcomeOf(tested.client.stream(chatCompletion(hello)))).failure?.kind, 'network');
    server = await startRawServer(() => {});
  });

  for (const farewell of ['', 'HTTP/1.1 408 Request Timeout\r\n\r\n']) {
    it(`of a connection that the service closes again ${farewell === '' ? '' : 'with a 408 '}is forgotten`, async () => {
      server = await startRawServer((socket) => socket.write(reply));
      tested = testClient(server.origin);
      const accepted = server.nextConnection();
      await tested.client.warm();
      (await accepted).end(farewell);
      await server.allClosed();
      assert.equal(await chat(), 'Hi');
      assert.equal(tested.exchanges.length, 1);
      assert.equal(server.accepted(), 2);
    });
  }

  it('goes through the proxy that the chat will use', async () => {
    const authorities = tls.getCACertificates('default');
    tls.setDefaultCACertificates([...authorities, fixture('authority')]);
    server = await startRawServer((socket) => socket.write(reply), 'good');
    const proxy = await startProxyServer({ targetPort: server.port });
    tested = testClient('https://service.test', { settings: () => ({ ...plainSettings, proxy: proxy.origin }) });
    await tested.client.warm();
    await server.handshaken();
    assert.equal(await chat(), 'Hi');
    assert.equal(proxy.server.requests.length, 1);
    tls.setDefaultCACertificates(authorities);
    tested.dispose();
    await proxy.server.close();
  });

  it("opens nothing if a key is missing or can't be sent", async () => {
    server = await startRawServer((socket) => socket.write(reply));
    const others = ['', 'two words'].map((apiKey) => testClient(server.origin, { apiKey }));
    for (const { client } of others) await client.warm();
    const missing = new ApiError({ kind: 'setup', missing: 'apiKey' });
    const transport = createTransport({ settings: () => plainSettings });
    const keyless = new InferenceClient({ endpoint: () => Promise.reject(missing), transport });
    await keyless.warm();
    // Anything they had opened would have arrived before this.
    tested = testClient(server.origin);
    assert.equal(await chat(), 'Hi');
    assert.equal(server.accepted(), 1);
    for (const { dispose } of others) dispose();
    keyless.dispose();
  });

  it('ends when the client is disposed', async () => {
    server = await startRawServer(() => {});
    tested = testClient(server.origin);
    await tested.client.warm();
    await server.connected();
    tested.dispose();
    await server.allClosed();
    await tested.client.warm();
    assert.equal(server.accepted(), 1);
  });
});
