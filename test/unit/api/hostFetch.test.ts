import assert from 'node:assert/strict';
import {
  chunk,
  delta,
  done,
  event,
  json,
  lastChunk,
  startRawServer,
  streamHead,
  times,
  type RawServer,
} from './rawServer.ts';
import { startProxyServer } from './proxyServer.ts';
import { allOf, hello, outcomeOf, plainSettings, testClient, testKey, type TestClient } from './testClient.ts';
import { chatCompletion } from '../../../src/api/operations/chatCompletion.ts';
import { audioTranscription } from '../../../src/api/operations/audioTranscription.ts';

const reply = Buffer.concat([streamHead({ 'x-request-id': 'req_h' }), chunk(delta('Hi') + done), lastChunk]);

describe("The host's fetch", () => {
  let service: RawServer;
  let tested: TestClient;
  let overHost: number;
  /** Like a host that knows a proxy: any name leads to the local service. */
  const hostFetch: typeof fetch = (input, init) => {
    overHost += 1;
    const url = new URL(input instanceof Request ? input.url : input);
    return fetch(new URL(url.pathname, service.origin), init);
  };
  /** A kind of proxy that our own connections don't support. */
  const unreachable = { ...plainSettings, proxy: 'socks5://proxy.test' };

  beforeEach(() => {
    overHost = 0;
  });
  afterEach(async () => {
    tested.dispose();
    await service.close();
  });

  it('is used if our own connection fails, and is remembered', async () => {
    service = await startRawServer((socket) => socket.write(reply));
    const proxy = await startProxyServer({ targetPort: service.port, refuseWith: 403 });
    const settings = { ...plainSettings, proxy: proxy.origin };
    tested = testClient('https://service.test', { settings: () => settings, hostFetch });
    for (let round = 0; round < 3; round++) {
      const outcome = await outcomeOf(tested.client.stream(chatCompletion(hello)));
      assert.deepEqual(outcome, { text: 'Hi', reasoning: '', complete: true });
    }
    assert.equal(overHost, 3);
    assert.equal(proxy.server.requests.length, 1);
    await proxy.server.close();
    assert.equal(service.requests.length, 3);
    assert.equal(service.requests[0]?.headers['authorization'], `Bearer ${testKey}`);
    assert.equal(service.requests[0].headers['accept-encoding'], 'identity');
    assert.deepEqual(
      tested.exchanges.map((exchange) => [exchange.via, exchange.requestId, exchange.outcome]),
      [1, 2, 3].map(() => ['host', 'req_h', 'ok']),
    );
  });

  it('is forgotten when the settings change', async () => {
    service = await startRawServer((socket) => socket.write(reply));
    let settings = unreachable;
    tested = testClient(service.origin.replace('127.0.0.1', 'service.test'), { settings: () => settings, hostFetch });
    await outcomeOf(tested.client.stream(chatCompletion(hello)));
    assert.equal(overHost, 1);
    settings = { ...plainSettings, proxy: service.origin };
    await outcomeOf(tested.client.stream(chatCompletion(hello)));
    assert.equal(overHost, 1);
  });

  it("isn't used while our own connection works", async () => {
    service = await startRawServer((socket) => socket.write(json(500, {})));
    tested = testClient(service.origin, { hostFetch });
    await outcomeOf(tested.client.stream(chatCompletion(hello)));
    assert.equal(overHost, 0);
  });

  it("isn't used after a byte was sent", async () => {
    service = await startRawServer((socket) => socket.resetAndDestroy());
    tested = testClient(service.origin, { hostFetch });
    const { failure } = await outcomeOf(tested.client.stream(chatCompletion(hello)));
    assert.equal(failure?.kind === 'network' && failure.mayHaveBeenSent, true);
    assert.equal(overHost, 0);
  });

  it('that fails as well keeps our own failure, which says more', async () => {
    service = await startRawServer(() => {});
    tested = testClient('https://service.test', {
      settings: () => unreachable,
      hostFetch: () =>
        Promise.reject(new TypeError('fetch failed', { cause: Object.assign(new Error(), { code: 'ENOTFOUND' }) })),
    });
    const { failure } = await outcomeOf(tested.client.stream(chatCompletion(hello)));
    assert.equal(failure?.kind === 'network' && failure.reason, 'proxy');
  });

  it('that might have delivered the request makes it a request that might have been sent', async () => {
    service = await startRawServer(() => {});
    tested = testClient('https://service.test', {
      settings: () => unreachable,
      hostFetch: () =>
        Promise.reject(new TypeError('fetch failed', { cause: Object.assign(new Error(), { code: 'ECONNRESET' }) })),
    });
    const { failure } = await outcomeOf(tested.client.stream(chatCompletion(hello)));
    assert.equal(failure?.kind === 'network' && failure.mayHaveBeenSent, true);
  });

  it('carries an audio file byte for byte', async () => {
    service = await startRawServer((socket) => socket.write(json(200, { text: 'Hello.' })));
    tested = testClient('https://service.test', { settings: () => unreachable, hostFetch });
    const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
    const file = { name: 'a.wav', mediaType: 'audio/wav', bytes };
    assert.equal((await tested.client.ask(audioTranscription({ model: 'm', file }))).text, 'Hello.');
    assert.ok(Buffer.from(service.requests[0]?.bytes ?? []).includes(Buffer.from(bytes)));
  });

  it('follows no redirect', async () => {
    const elsewhere = await startRawServer((socket) => socket.write(reply));
    service = await startRawServer((socket) => {
      socket.write(`HTTP/1.1 307 Go\r\nlocation: ${elsewhere.origin}/\r\ncontent-length: 0\r\n\r\n`);
    });
    tested = testClient('https://service.test', { settings: () => unreachable, hostFetch });
    const { failure } = await outcomeOf(tested.client.stream(chatCompletion(hello)));
    assert.ok(failure?.kind === 'redirected');
    assert.deepEqual([failure.status, failure.toHost], [307, new URL(elsewhere.origin).host]);
    assert.equal(elsewhere.accepted(), 0);
    await elsewhere.close();
  });

  it('closes its socket on a cancel, and at [DONE]', async () => {
    service = await startRawServer((socket) => socket.write(Buffer.concat([streamHead(), chunk(delta('Hi'))])));
    tested = testClient('https://service.test', { settings: () => unreachable, hostFetch });
    const abort = new AbortController();
    await assert.rejects(async () => {
      for await (const each of tested.client.stream(chatCompletion(hello), { signal: abort.signal })) {
        if (each.type === 'text') abort.abort(new Error('enough'));
      }
    }, /^Error: enough$/);
    await service.allClosed();
    await service.close();
    service = await startRawServer((socket) => socket.write(Buffer.concat([streamHead(), chunk(delta('Hi') + done)])));
    assert.equal((await outcomeOf(tested.client.stream(chatCompletion(hello)))).text, 'Hi');
    await service.allClosed();
  });

  it('uses the same timers', async () => {
    service = await startRawServer((socket) => socket.write(Buffer.concat([streamHead(), chunk(delta('Hi'))])));
    tested = testClient('https://service.test', {
      settings: () => unreachable,
      hostFetch,
      timeouts: { silenceMs: 40 },
    });
    const outcome = await outcomeOf(tested.client.stream(chatCompletion(hello)));
    assert.equal(outcome.text, 'Hi');
    assert.equal(outcome.failure?.kind === 'timeout' && outcome.failure.timer, 'silence');
    await service.allClosed();
  });

  it('loses a connection during a stream like ours does', async () => {
    service = await startRawServer((socket) => {
      socket.write(Buffer.concat([streamHead(), chunk(event({ choices: [{ delta: { content: 'Hi' } }] }))]), () =>
        setImmediate(() => socket.resetAndDestroy()),
      );
    });
    tested = testClient('https://service.test', { settings: () => unreachable, hostFetch });
    const outcome = await outcomeOf(tested.client.stream(chatCompletion(hello)));
    assert.equal(outcome.text, 'Hi');
    assert.equal(outcome.failure?.kind, 'connectionLost');
  });

  it('waits for a slow reader', async () => {
    service = await startRawServer((socket) => {
      socket.write(streamHead());
      socket.write(times(2000, chunk(delta('x'.repeat(2000)))));
      socket.write(Buffer.concat([chunk(done), lastChunk]));
    });
    tested = testClient('https://service.test', { settings: () => unreachable, hostFetch });
    const events = await allOf(tested.client.stream(chatCompletion(hello)));
    const length = events.reduce((sum, each) => sum + (each.type === 'text' ? each.text.length : 0), 0);
    assert.equal(length, 4_000_000);
  });
});
