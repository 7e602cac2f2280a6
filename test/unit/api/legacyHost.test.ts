import assert from 'node:assert/strict';
import * as tls from 'node:tls';
import { baseOf } from '../../../src/api/service/hostForms.ts';
import type { Endpoint } from '../../../src/api/types.ts';
import { startProxyServer } from './proxyServer.ts';
import {
  chunk,
  delta,
  done,
  fixture,
  json,
  lastChunk,
  startRawServer,
  streamHead,
  type RawServer,
  type Responder,
} from './rawServer.ts';
import {
  allOf,
  failureOf,
  hello,
  instantClock,
  outcomeOf,
  plainSettings,
  testClient,
  testKey,
  type TestClient,
} from './testClient.ts';
import { chatCompletion } from '../../../src/api/operations/chatCompletion.ts';
import { listModels } from '../../../src/api/operations/listModels.ts';
import { videoGeneration } from '../../../src/api/operations/videoGeneration.ts';

const reply = Buffer.concat([streamHead(), chunk(delta('Hi') + done), lastChunk]);
const answering: Responder = (socket) => socket.write(reply);

/** An origin where nothing listens. */
async function goneOrigin(): Promise<string> {
  const server = await startRawServer(() => {});
  await server.close();
  return server.origin;
}

describe('The legacy host', () => {
  let legacy: RawServer;
  let tested: TestClient;
  afterEach(async () => {
    tested.dispose();
    await legacy.close();
  });
  const chat = async (): Promise<string> => (await outcomeOf(tested.client.stream(chatCompletion(hello)))).text;

  it("gets the request, with the key, if the current one can't be reached, and the user is notified once", async () => {
    const current = await goneOrigin();
    legacy = await startRawServer(answering);
    tested = testClient(current, { legacyOrigin: legacy.origin });
    const events = await allOf(tested.client.stream(chatCompletion(hello)));
    // No retry, and no wait.
    assert.deepEqual(
      events.map((event) => event.type),
      ['attempt', 'opened', 'text', 'response', 'end'],
    );
    assert.equal(await chat(), 'Hi');
    assert.equal(legacy.requests[0]?.target, '/v1/chat/completions');
    assert.equal(legacy.requests[0].headers['authorization'], `Bearer ${testKey}`);
    assert.deepEqual(JSON.parse(legacy.requests[0].body), hello);
    assert.deepEqual(tested.switches, [{ from: new URL(current).host, to: new URL(legacy.origin).host }]);
  });

  it("is left out if the key wasn't approved for it, and gets neither a request nor a connection", async () => {
    const current = await goneOrigin();
    legacy = await startRawServer(answering);
    tested = testClient(current, { legacyOrigin: legacy.origin, keyOrigins: [current] });
    const { failure } = await outcomeOf(tested.client.stream(chatCompletion(hello)));
    assert.ok(failure?.kind === 'network' && failure.reason === 'refused', failure?.kind);
    assert.equal(legacy.accepted(), 0);
    const asked = await outcomeOf(tested.client.stream(chatCompletion(hello), { hostForm: 'legacy' }));
    assert.deepEqual(asked.failure, { kind: 'setup', missing: 'apiKeyForThisHost', target: legacy.origin });
    assert.equal(legacy.accepted(), 0);
  });

  it("that the key wasn't approved for doesn't affect requests to the current one", async () => {
    const current = await startRawServer(answering);
    legacy = await startRawServer(answering);
    tested = testClient(current.origin, { legacyOrigin: legacy.origin, keyOrigins: [current.origin] });
    assert.equal(await chat(), 'Hi');
    assert.equal(legacy.accepted(), 0);
    await current.close();
  });

  it('is asked first from then on, until the current one works again', async () => {
    const current = await goneOrigin();
    legacy = await startRawServer(answering);
    const clock = instantClock();
    let laterMs = 0;
    tested = testClient(current, {
      legacyOrigin: legacy.origin,
      clock: { ...clock, now: () => clock.now() + laterMs },
    });
    const hosts = (): readonly string[] => tested.exchanges.map(({ host, outcome }) => `${host} ${outcome}`);
    const failed = `${new URL(current).host} failed`;
    const ok = `${new URL(legacy.origin).host} ok`;
    await chat();
    await chat();
    assert.deepEqual(hosts(), [failed, ok, ok]);
    laterMs = 5 * 60_000;
    await chat();
    await chat();
    assert.deepEqual(hosts().slice(3), [failed, ok, ok]);
    laterMs += 5 * 60_000;
    const again = await startRawServer(answering, undefined, Number(new URL(current).port));
    await chat();
    await chat();
    assert.equal(again.requests.length, 2);
    assert.equal(legacy.requests.length, 4);
    assert.equal(tested.switches.length, 1);
    await again.close();
  });

  it('gives way to the current one if it fails too', async () => {
    const current = await goneOrigin();
    const last = Buffer.concat([streamHead({ connection: 'close' }), chunk(delta('Hi') + done), lastChunk]);
    legacy = await startRawServer((socket) => socket.end(last));
    tested = testClient(current, { legacyOrigin: legacy.origin });
    await chat();
    await legacy.allClosed();
    await legacy.close();
    const again = await startRawServer(answering, undefined, Number(new URL(current).port));
    assert.equal(await chat(), 'Hi');
    assert.equal(await chat(), 'Hi');
    assert.equal(again.requests.length, 2);
    legacy = again;
  });

  it("isn't asked if the current one responds, with any status", async () => {
    const current = await startRawServer((socket, _request, index) =>
      socket.write(index === 0 ? json(401, {}) : json(500, {})),
    );
    legacy = await startRawServer(answering);
    tested = testClient(current.origin, { legacyOrigin: legacy.origin });
    await chat();
    await chat();
    assert.equal(legacy.accepted(), 0);
    await current.close();
  });

  it("isn't asked after a byte was sent", async () => {
    const current = await startRawServer((socket) => socket.resetAndDestroy());
    legacy = await startRawServer(answering);
    tested = testClient(current.origin, { legacyOrigin: legacy.origin });
    const { failure } = await outcomeOf(tested.client.stream(chatCompletion(hello)));
    assert.equal(failure?.kind === 'network' && failure.mayHaveBeenSent, true);
    assert.equal(legacy.accepted(), 0);
    await current.close();
  });

  it("isn't asked after a bad certificate, and gets no key over one", async () => {
    const authorities = tls.getCACertificates('default');
    tls.setDefaultCACertificates([...authorities, fixture('authority')]);
    const expired = await startRawServer(answering, 'expired');
    legacy = await startRawServer(answering, 'good');
    tested = testClient(expired.origin, { legacyOrigin: legacy.origin });
    const first = await outcomeOf(tested.client.stream(chatCompletion(hello)));
    assert.equal(first.failure?.kind, 'tls');
    assert.equal(legacy.accepted(), 0);
    tested.dispose();
    const current = await goneOrigin();
    tested = testClient(current, { legacyOrigin: expired.origin });
    const second = await outcomeOf(tested.client.stream(chatCompletion(hello)));
    // The URL that was asked first is the one reported.
    assert.equal(second.failure?.kind === 'network' && second.failure.host, new URL(current).host);
    assert.equal(expired.requests.length, 0);
    assert.deepEqual(tested.switches, []);
    tls.setDefaultCACertificates(authorities);
    await expired.close();
  });

  it("isn't used because of a proxy that requires a login", async () => {
    legacy = await startRawServer(answering);
    const proxy = await startProxyServer({ targetPort: legacy.port, login: 'Basic x' });
    tested = testClient(await goneOrigin(), {
      legacyOrigin: 'http://legacy.test',
      settings: () => ({ ...plainSettings, proxy: proxy.origin }),
    });
    const { failure } = await outcomeOf(tested.client.stream(chatCompletion(hello)));
    assert.equal(failure?.kind, 'network');
    assert.deepEqual(tested.switches, []);
    await proxy.server.close();
  });

  it('is never asked without TLS if the current one has it', async () => {
    legacy = await startRawServer(answering);
    tested = testClient((await goneOrigin()).replace('http:', 'https:'), { legacyOrigin: legacy.origin });
    assert.equal((await outcomeOf(tested.client.stream(chatCompletion(hello)))).failure?.kind, 'network');
    assert.equal(legacy.accepted(), 0);
  });

  it("doesn't hide the failure of the current one if it can't be reached either, after three attempts", async () => {
    const current = await goneOrigin();
    legacy = await startRawServer(answering);
    await legacy.close();
    tested = testClient(current, { legacyOrigin: legacy.origin });
    const { failure } = await outcomeOf(tested.client.stream(chatCompletion(hello)));
    assert.equal(failure?.kind === 'network' && failure.host, new URL(current).host);
    assert.equal(tested.exchanges.length, 6);
    assert.deepEqual(tested.switches, []);
    legacy = await startRawServer(answering);
  });

  it('has the native paths, a model list, and a video as well', async () => {
    const current = await goneOrigin();
    legacy = await startRawServer((socket, request) =>
      socket.write(json(200, { data: [{ id: 'a/b', url: `https://media.test${request.target}` }] })),
    );
    tested = testClient(current, { legacyOrigin: legacy.origin });
    assert.equal((await tested.client.ask(listModels))[0]?.id, 'a/b');
    assert.equal((await tested.client.ask(videoGeneration({ model: 'm' }))).videos.length, 1);
    assert.deepEqual(
      legacy.requests.map((request) => request.target),
      ['/api/v1/models', '/v1/videos/generations'],
    );
  });

  it('can be asked separately, and so can the current one', async () => {
    const current = await startRawServer(answering);
    legacy = await startRawServer(answering);
    tested = testClient(current.origin, { legacyOrigin: legacy.origin });
    await outcomeOf(tested.client.stream(chatCompletion(hello), { hostForm: 'legacy' }));
    assert.deepEqual([current.requests.length, legacy.requests.length], [0, 1]);
    await current.close();
    const { failure } = await outcomeOf(tested.client.stream(chatCompletion(hello), { hostForm: 'current' }));
    assert.equal(failure?.kind, 'network');
    assert.equal(legacy.requests.length, 1);
    // Testing it doesn't switch to it.
    assert.deepEqual(tested.switches, []);
  });

  it("can't be asked if it isn't set", async () => {
    legacy = await startRawServer(answering);
    tested = testClient(legacy.origin);
    const failure = await failureOf(allOf(tested.client.stream(chatCompletion(hello), { hostForm: 'legacy' })));
    assert.deepEqual(failure, { kind: 'setup', missing: 'baseUrl' });
  });

  it("isn't asked after a cancel", async () => {
    legacy = await startRawServer(answering);
    tested = testClient('http://nobody.invalid', { legacyOrigin: legacy.origin });
    const abort = new AbortController();
    const running = allOf(tested.client.stream(chatCompletion(hello), { signal: abort.signal }));
    setImmediate(() => abort.abort(new Error('enough')));
    await assert.rejects(running, /^Error: enough$/);
    assert.equal(legacy.accepted(), 0);
  });
});

describe('The URLs of the legacy host', () => {
  const endpoint: Endpoint = {
    baseUrl: new URL('https://s.test/v1'),
    nativeUrl: new URL('https://s.test/api'),
    fallbackBaseUrl: new URL('https://old.test/v1'),
    apiKey: 'k',
  };
  const native = (change: Partial<Endpoint>): string | undefined =>
    baseOf({ ...endpoint, ...change }, 'native', 'legacy')?.href;

  it("are the configured one, and a native one that is derived like the current host's", () => {
    assert.equal(baseOf(endpoint, 'compatible', 'legacy')?.href, 'https://old.test/v1');
    assert.equal(native({}), 'https://old.test/api');
    assert.equal(native({ fallbackBaseUrl: new URL('https://old.test/some/v1') }), 'https://old.test/some/api');
  });

  it('keep the path of a configured native one', () => {
    assert.equal(native({ nativeUrl: new URL('https://native.s.test/other') }), 'https://old.test/other');
  });
});
