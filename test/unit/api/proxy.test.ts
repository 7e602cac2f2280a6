import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import * as tls from 'node:tls';
import type { TransportSettings } from '../../../src/api/transport/transportSettings.ts';
import { startProxyServer, type ProxyServer } from './proxyServer.ts';
import { chunk, delta, done, fixture, lastChunk, startRawServer, streamHead, type RawServer } from './rawServer.ts';
import { hello, outcomeOf, plainSettings, testClient, testKey, type Outcome } from './testClient.ts';
import { chatCompletion } from '../../../src/api/operations/chatCompletion.ts';

const login = `Basic ${Buffer.from('me:p@ss').toString('base64')}`;
const reply = Buffer.concat([streamHead(), chunk(delta('Hi') + done), lastChunk]);

async function chat(target: string, settings: Partial<TransportSettings>): Promise<Outcome> {
  const { client, dispose } = testClient(target, { settings: () => ({ ...plainSettings, ...settings }) });
  try {
    return await outcomeOf(client.stream(chatCompletion(hello)));
  } finally {
    dispose();
  }
}

describe('A proxy', () => {
  let service: RawServer;
  let proxy: ProxyServer;
  const ownAuthorities = tls.getCACertificates('default');
  before(() => tls.setDefaultCACertificates([...ownAuthorities, fixture('authority')]));
  after(() => tls.setDefaultCACertificates(ownAuthorities));
  afterEach(async () => {
    await proxy.server.close();
    await service.close();
  });

  it('opens a tunnel for https, with a login, and never sees the key', async () => {
    service = await startRawServer((socket) => socket.write(reply), 'good');
    proxy = await startProxyServer({ targetPort: service.port, login });
    const withLogin = proxy.origin.replace('//', '//me:p%40ss@');
    assert.equal((await chat('https://service.test', { proxy: withLogin })).text, 'Hi');
    const [connect] = proxy.server.requests;
    assert.equal(connect?.method, 'CONNECT');
    assert.equal(connect.target, 'service.test:443');
    assert.equal(connect.headers['authorization'], undefined);
    assert.equal(service.requests[0]?.headers['authorization'], `Bearer ${testKey}`);
    assert.equal(service.requests[0].headers['proxy-authorization'], undefined);
    assert.equal(service.requests[0].target, '/v1/chat/completions');
  });

  it('receives the login in http.proxyAuthorization', async () => {
    service = await startRawServer((socket) => socket.write(reply), 'good');
    proxy = await startProxyServer({ targetPort: service.port, login });
    assert.equal((await chat('https://service.test', { proxy: proxy.origin, proxyAuthorization: login })).text, 'Hi');
  });

  it('that speaks TLS itself works', async () => {
    service = await startRawServer((socket) => socket.write(reply), 'good');
    proxy = await startProxyServer({ targetPort: service.port, certificate: 'good' });
    assert.equal((await chat('https://service.test', { proxy: proxy.origin })).text, 'Hi');
  });

  it("receives plain http whole, and the login isn't passed on to the service", async () => {
    service = await startRawServer((socket) => socket.write(reply));
    proxy = await startProxyServer({ targetPort: service.port, login });
    const withLogin = proxy.origin.replace('//', '//me:p%40ss@');
    assert.equal((await chat('http://service.test:81', { proxy: withLogin })).text, 'Hi');
    assert.equal(proxy.server.requests[0]?.target, 'http://service.test:81/v1/chat/completions');
    assert.equal(proxy.server.requests[0].headers['host'], 'service.test:81');
    assert.equal(service.requests[0]?.headers['proxy-authorization'], undefined);
  });

  it('of the environment is used if no setting names one', async () => {
    service = await startRawServer((socket) => socket.write(reply), 'good');
    proxy = await startProxyServer({ targetPort: service.port });
    assert.equal((await chat('https://service.test', { env: { HTTPS_PROXY: proxy.origin } })).text, 'Hi');
  });

  it("doesn't prevent verifying the certificate of the service", async () => {
    service = await startRawServer((socket) => socket.write(reply), 'wrongHost');
    proxy = await startProxyServer({ targetPort: service.port });
    const { failure } = await chat('https://service.test', { proxy: proxy.origin });
    assert.deepEqual(failure, {
      kind: 'tls',
      reason: 'wrongHost',
      host: 'service.test',
      code: 'ERR_TLS_CERT_ALTNAME_INVALID',
    });
    assert.equal(service.requests.length, 0);
  });

  it('that requires a login is reported as such, for https and for http', async () => {
    service = await startRawServer((socket) => socket.write(reply), 'good');
    proxy = await startProxyServer({ targetPort: service.port, login });
    for (const target of ['https://service.test', 'http://service.test']) {
      const { failure } = await chat(target, { proxy: proxy.origin });
      assert.deepEqual(failure, { kind: 'proxyAuthRequired', status: 407 }, target);
    }
    assert.equal(service.accepted(), 0);
  });

  it('that refuses the tunnel is a proxy failure with its status, after which no direct connection is made', async () => {
    service = await startRawServer((socket) => socket.write(reply), 'good');
    proxy = await startProxyServer({ targetPort: service.port, refuseWith: 502 });
    const { failure } = await chat('https://service.test', { proxy: proxy.origin });
    assert.deepEqual(failure, {
      kind: 'network',
      reason: 'proxy',
      host: new URL(proxy.origin).host,
      code: 'PROXY_ANSWERED_502',
      mayHaveBeenSent: false,
    });
    assert.equal(service.accepted(), 0);
  });

  it("that doesn't exist is a proxy failure", async () => {
    service = await startRawServer(() => {});
    proxy = await startProxyServer({ targetPort: service.port });
    const gone = await startRawServer(() => {});
    await gone.close();
    for (const target of ['https://service.test', 'http://service.test']) {
      const { failure } = await chat(target, { proxy: gone.origin });
      assert.deepEqual(failure, {
        kind: 'network',
        reason: 'proxy',
        host: new URL(gone.origin).host,
        code: 'ECONNREFUSED',
        mayHaveBeenSent: false,
      });
    }
  });

  it('of an unsupported kind is named, and not bypassed', async () => {
    service = await startRawServer(() => {});
    proxy = await startProxyServer({ targetPort: service.port });
    const { failure } = await chat('http://service.test', { proxy: 'socks5://127.0.0.1:1080' });
    assert.equal(failure?.kind === 'network' && failure.code, 'UNSUPPORTED_PROXY_SCHEME');
  });

  it('that is set while the window is open applies to the next request', async () => {
    service = await startRawServer((socket) => socket.write(reply), 'good');
    proxy = await startProxyServer({ targetPort: service.port });
    const second = await startProxyServer({ targetPort: service.port });
    let current = proxy.origin;
    const { client, dispose } = testClient('https://service.test', {
      settings: () => ({ ...plainSettings, proxy: current }),
    });
    assert.equal((await outcomeOf(client.stream(chatCompletion(hello)))).text, 'Hi');
    current = second.origin;
    assert.equal((await outcomeOf(client.stream(chatCompletion(hello)))).text, 'Hi');
    assert.equal(proxy.server.requests.length, 1);
    assert.equal(second.server.requests.length, 1);
    // The old connection isn't kept either.
    await proxy.server.allClosed();
    dispose();
    await second.server.close();
  });

  it('that is set during a stream leaves the reply alone and applies to the next request', async () => {
    let held: Socket | undefined;
    service = await startRawServer((socket, _request, index) => {
      if (index > 0) return socket.write(reply);
      held = socket;
      return socket.write(Buffer.concat([streamHead(), chunk(delta('Slow'))]));
    }, 'good');
    proxy = await startProxyServer({ targetPort: service.port });
    const second = await startProxyServer({ targetPort: service.port });
    let current = proxy.origin;
    const { client, dispose } = testClient('https://service.test', {
      settings: () => ({ ...plainSettings, proxy: current }),
    });
    for await (const each of client.stream(chatCompletion(hello))) {
      if (each.type !== 'text') continue;
      current = second.origin;
      assert.equal((await outcomeOf(client.stream(chatCompletion(hello)))).text, 'Hi');
      held?.write(Buffer.concat([chunk(done), lastChunk]));
    }
    await proxy.server.allClosed();
    const both = await Promise.all([
      outcomeOf(client.stream(chatCompletion(hello))),
      outcomeOf(client.stream(chatCompletion(hello))),
    ]);
    assert.deepEqual(
      both.map((each) => each.text),
      ['Hi', 'Hi'],
    );
    assert.equal(proxy.server.requests.length, 1);
    dispose();
    await second.server.close();
  });
});
