import assert from 'node:assert/strict';
import { getEventListeners, once } from 'node:events';
import * as tls from 'node:tls';
import { type CancelPhase, openCancelPhases } from './cancelPhases.ts';
import { openDeafPort } from './deafPort.ts';
import { startProxyServer } from './proxyServer.ts';
import { chunk, delta, fixture, head, json, startRawServer, streamHead, type RawServer } from './rawServer.ts';
import { allOf, hello, plainSettings, testClient, type TestClient } from './testClient.ts';
import { systemClock } from '../../../src/api/clock.ts';
import { InferenceClient } from '../../../src/api/inferenceClient.ts';
import { createTransport } from '../../../src/api/transport/createTransport.ts';
import type { CallOptions } from '../../../src/api/callOptions.ts';
import { chatCompletion } from '../../../src/api/operations/chatCompletion.ts';
import { audioTranscription } from '../../../src/api/operations/audioTranscription.ts';
import { imageGeneration } from '../../../src/api/operations/imageGeneration.ts';
import { videoGeneration } from '../../../src/api/operations/videoGeneration.ts';
import { listModels } from '../../../src/api/operations/listModels.ts';

const picture = 'data:image/png;base64,iVBORw0KGgo=';

/** Every kind of call that needs the key. */
const keyedCalls: Readonly<Record<string, (client: InferenceClient, options: CallOptions) => Promise<unknown>>> = {
  'a chat': (client, options) => allOf(client.stream(chatCompletion(hello), options)),
  'a chat with an image': (client, options) => {
    const content = [{ type: 'image_url' as const, image_url: { url: picture } }];
    return allOf(client.stream(chatCompletion({ ...hello, messages: [{ role: 'user', content }] }), options));
  },
  'an image': (client, options) => client.ask(imageGeneration({ model: 'm', positive_prompt: 'A kite' }), options),
  'a video': (client, options) => client.ask(videoGeneration({ model: 'm', prompt: 'A kite' }), options),
  'an audio file': (client, options) => {
    const file = { name: 'a.wav', mediaType: 'audio/wav', bytes: new Uint8Array(44) };
    return client.ask(audioTranscription({ model: 'm', file }), options);
  },
  'the model list': (client, options) => client.ask(listModels, options),
  'what a service supports': (client, options) => client.discover(options),
};

describe('A cancel', () => {
  let server: RawServer;
  let tested: TestClient;
  let abort: AbortController;
  const reason = new Error('stopped by the person');
  beforeEach(() => {
    abort = new AbortController();
  });
  afterEach(async () => {
    tested.dispose();
    await server.close();
  });

  /** Runs a chat until the cancel ends it. The thrown value must be the signal's own reason. */
  async function untilStopped(): Promise<string> {
    let text = '';
    const running = (async () => {
      for await (const each of tested.client.stream(chatCompletion(hello), { signal: abort.signal })) {
        if (each.type === 'text') text += each.text;
      }
    })();
    await assert.rejects(running, (error) => error === reason);
    return text;
  }

  it('before the start sends nothing', async () => {
    server = await startRawServer(() => {});
    tested = testClient(server.origin);
    abort.abort(reason);
    await untilStopped();
    assert.equal(server.accepted(), 0);
    assert.equal(tested.exchanges.length, 0);
  });

  it('while the key is being read takes effect at once, and nothing is sent', async () => {
    server = await startRawServer(() => {});
    tested = testClient(server.origin);
    for (const [what, call] of Object.entries(keyedCalls)) {
      const stop = new AbortController();
      const asked = Promise.withResolvers<void>();
      const transport = createTransport({ settings: () => plainSettings });
      const client = new InferenceClient({
        endpoint: () => {
          asked.resolve();
          return new Promise<never>(() => {});
        },
        transport,
      });
      const running = call(client, { signal: stop.signal });
      await asked.promise;
      stop.abort(reason);
      await assert.rejects(running, (error) => error === reason, what);
      assert.equal(getEventListeners(stop.signal, 'abort').length, 0, what);
      client.dispose();
    }
    assert.equal(server.accepted(), 0);
  });

  it('while the name is looked up opens no connection', async () => {
    server = await startRawServer(() => {});
    tested = testClient(`http://nobody.invalid:${server.port}`);
    const stopped = untilStopped();
    setImmediate(() => abort.abort(reason));
    await stopped;
    assert.equal(server.accepted(), 0);
  });

  it('while the connection is being opened stops the attempt', async function () {
    server = await startRawServer(() => {});
    const deaf = await openDeafPort();
    if (deaf === undefined) this.skip();
    try {
      const attempts = (): number => process.getActiveResourcesInfo().filter((kind) => kind === 'TCPSocketWrap').length;
      const others = attempts();
      tested = testClient(`http://127.0.0.1:${deaf.port}`);
      const stopped = untilStopped();
      await until(() => attempts() > others);
      abort.abort(reason);
      await stopped;
      await until(() => attempts() === others);
      assert.equal(tested.exchanges[0]?.outcome, 'canceled');
    } finally {
      await deaf.close();
    }
  });

  it('during the TLS handshake closes the socket', async () => {
    server = await startRawServer(() => {});
    tested = testClient(`https://127.0.0.1:${server.port}`);
    const stopped = untilStopped();
    await server.connected();
    abort.abort(reason);
    await stopped;
    await server.allClosed();
    assert.equal(server.accepted(), 1);
  });

  it('while a proxy opens the tunnel closes the socket', async () => {
    server = await startRawServer(() => {});
    tested = testClient('https://service.test', { settings: () => ({ ...plainSettings, proxy: server.origin }) });
    const stopped = untilStopped();
    await server.connected();
    abort.abort(reason);
    await stopped;
    await server.allClosed();
  });

  it('during the TLS handshake inside a tunnel closes both sockets', async () => {
    server = await startRawServer(() => {});
    const proxy = await startProxyServer({ targetPort: server.port });
    tested = testClient('https://service.test', { settings: () => ({ ...plainSettings, proxy: proxy.origin }) });
    const stopped = untilStopped();
    await server.connected();
    abort.abort(reason);
    await stopped;
    await proxy.server.allClosed();
    await server.allClosed();
    assert.equal(proxy.server.requests[0]?.method, 'CONNECT');
    await proxy.server.close();
  });

  it('while the body of the request is being sent closes the socket', async () => {
    server = await startRawServer(() => {});
    tested = testClient(server.origin);
    const arriving = server.nextConnection();
    const file = { name: 'a.wav', mediaType: 'audio/wav', bytes: new Uint8Array(64 * 1024 * 1024) };
    const running = tested.client.ask(audioTranscription({ model: 'm', file }), { signal: abort.signal });
    const socket = await arriving;
    await once(socket, 'data');
    socket.pause();
    abort.abort(reason);
    await assert.rejects(running, (error) => error === reason);
    socket.resume();
    await server.allClosed();
    assert.equal(server.requests.length, 0);
  });

  it('before the headers closes the socket', async () => {
    server = await startRawServer(() => abort.abort(reason));
    tested = testClient(server.origin);
    await untilStopped();
    await server.allClosed();
    assert.equal(tested.exchanges[0]?.outcome, 'canceled');
  });

  it('during a stream closes the socket', async () => {
    server = await startRawServer((socket) => {
      socket.write(Buffer.concat([streamHead(), chunk(delta('Hi'))]));
    });
    tested = testClient(server.origin);
    const running = (async () => {
      for await (const each of tested.client.stream(chatCompletion(hello), { signal: abort.signal })) {
        if (each.type === 'text') abort.abort(reason);
      }
    })();
    await assert.rejects(running, (error) => error === reason);
    await server.allClosed();
  });

  for (const status of [200, 500]) {
    it(`in the middle of a response in one piece, ${status}, closes the socket`, async () => {
      const body = Buffer.concat([head(status, { 'content-length': '1000' }), Buffer.from('{"choices":[')]);
      server = await startRawServer((socket) => socket.write(body, () => setImmediate(() => abort.abort(reason))));
      tested = testClient(server.origin);
      const whole = { ...hello, stream: false };
      const running = allOf(tested.client.stream(chatCompletion(whole), { signal: abort.signal }));
      await assert.rejects(running, (error) => error === reason);
      await server.allClosed();
    });
  }

  it('during the wait before a retry ends the wait', async () => {
    server = await startRawServer((socket) => socket.write(json(429, {}, { 'retry-after': '25' })));
    tested = testClient(server.origin, { clock: systemClock });
    const running = (async () => {
      for await (const each of tested.client.stream(chatCompletion(hello), { signal: abort.signal })) {
        if (each.type === 'retrying') setImmediate(() => abort.abort(reason));
      }
    })();
    await assert.rejects(running, (error) => error === reason);
    assert.equal(server.requests.length, 1);
  });

  it('throws any kind of reason', async () => {
    server = await startRawServer(() => abort.abort('just a word'));
    tested = testClient(server.origin);
    await assert.rejects(
      allOf(tested.client.stream(chatCompletion(hello), { signal: abort.signal })),
      (error) => error === 'just a word',
    );
  });

  it('of the model list closes the socket', async () => {
    server = await startRawServer(() => abort.abort(reason));
    tested = testClient(server.origin);
    await assert.rejects(tested.client.ask(listModels, { signal: abort.signal }), (error) => error === reason);
    await server.allClosed();
  });

  it('by leaving the loop closes the socket', async () => {
    server = await startRawServer((socket) => {
      socket.write(Buffer.concat([streamHead(), chunk(delta('Hi'))]));
    });
    tested = testClient(server.origin);
    for await (const each of tested.client.stream(chatCompletion(hello))) if (each.type === 'text') break;
    await server.allClosed();
    assert.equal(tested.exchanges[0]?.outcome, 'canceled');
  });

  it('leaves no listener on the signal', async () => {
    server = await startRawServer((socket) => socket.write(json(200, { choices: [] })));
    tested = testClient(server.origin);
    for (let round = 0; round < 5; round++)
      await allOf(tested.client.stream(chatCompletion(hello), { signal: abort.signal }));
    assert.equal(getEventListeners(abort.signal, 'abort').length, 0);
  });

  it('a hundred times over, at a hundred moments, leaves no socket', async () => {
    server = await startRawServer((socket) => {
      socket.write(streamHead());
      let sent = 0;
      const tick = (): void => {
        if (socket.destroyed || sent++ > 200) return;
        socket.write(chunk(delta('word ')));
        setImmediate(tick);
      };
      tick();
    });
    tested = testClient(server.origin);
    for (let round = 0; round < 100; round++) {
      abort = new AbortController();
      const { signal } = abort;
      const cancel = abort;
      let turns = round % 20;
      const later = (): void => {
        if (turns-- > 0) setImmediate(later);
        else cancel.abort(reason);
      };
      later();
      await assert.rejects(allOf(tested.client.stream(chatCompletion(hello), { signal })), (error) => error === reason);
    }
    await server.allClosed();
    assert.equal(server.open(), 0);
  });
});

describe('A cancel in every phase, a hundred times in all,', () => {
  const ownAuthorities = tls.getCACertificates('default');
  let phases: readonly CancelPhase[] = [];
  before(async () => {
    tls.setDefaultCACertificates([...ownAuthorities, fixture('authority')]);
    phases = await openCancelPhases();
  });
  after(async () => {
    tls.setDefaultCACertificates(ownAuthorities);
    for (const phase of phases) await phase.close();
  });

  it('is noticed at the other end, and leaves no socket', async () => {
    for (let round = 0; round < 100; round++) await phases[round % phases.length]?.cancelOnce();
    await until(() => phases.every((phase) => phase.openConnections() === 0));
  });
});

async function until(condition: () => boolean): Promise<void> {
  const started = performance.now();
  while (!condition()) {
    if (performance.now() - started > 50_000) throw new Error('it did not come to this');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
