import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as tls from 'node:tls';
import * as vscode from 'vscode';
import { startProxyServer, type ProxyServer } from '../unit/api/proxyServer.ts';
import {
  answer,
  chunk,
  delta,
  done,
  lastChunk,
  startRawServer,
  streamHead,
  type RawServer,
} from '../unit/api/rawServer.ts';
import { clearUserSettings, setUserSettings } from './userSettings.ts';

const key = 'key-of-the-transport-tests';
const login = `Basic ${Buffer.from('me:p@ss').toString('base64')}`;
const reply = Buffer.concat([streamHead(), chunk(delta('ready') + done), lastChunk]);

/** VS Code's own settings that these tests change. */
const httpSettings = ['proxy', 'noProxy', 'proxySupport', 'proxyAuthorization', 'proxyStrictSSL', 'systemCertificates'];

function certificate(name: string): { readonly pem: string } {
  const folder = vscode.extensions.getExtension('parlance.parlance')?.extensionPath ?? '';
  return { pem: readFileSync(join(folder, 'test/unit/api/certificates', `${name}.pem`), 'utf8') };
}

/** The runner starts the host with the certificate authority among the system's; not every host accepts it. */
function systemTrustsAuthority(): boolean {
  const lines = (pem: string) => pem.replaceAll(/\s/g, '');
  const authority = lines(
    /-----BEGIN CERTIFICATE[^]*?END CERTIFICATE-----/.exec(certificate('authority').pem)?.[0] ?? '',
  );
  return tls.getCACertificates('system').some((each) => lines(each) === authority);
}

// Each test runs Test Connection to make the extension send a request, and checks what arrives at real servers.
describe('The route of a request in VS Code', () => {
  let service: RawServer;
  let proxy: ProxyServer;
  const more: { close(): Promise<void> }[] = [];

  const started = async (withCertificate?: string): Promise<RawServer> => {
    service = await startRawServer(
      (socket) => socket.write(reply),
      withCertificate === undefined ? undefined : certificate(withCertificate),
    );
    more.push(service);
    return service;
  };
  const startedProxy = async (options: Partial<Parameters<typeof startProxyServer>[0]> = {}): Promise<ProxyServer> => {
    proxy = await startProxyServer({ targetPort: service.port, ...options });
    more.push(proxy.server);
    return proxy;
  };
  /** One request of the extension to this URL, with these VS Code settings. */
  const ask = async (origin: string, settings: Readonly<Record<string, unknown>> = {}): Promise<void> => {
    await setUserSettings({
      'parlance.services': [{ baseUrl: `${origin}/v1` }],
      'parlance.chat.model': 'maker/model',
      ...Object.fromEntries(Object.entries(settings).map(([name, value]) => [`http.${name}`, value])),
    });
    process.env['SERVICE_API_KEY_ORIGINS'] = origin;
    await vscode.commands.executeCommand('parlance.testConnection');
  };
  /** The requests that Test Connection adds to find out what the service supports aren't counted. */
  const chatsAt = ({ requests }: RawServer) => requests.filter(({ body }) => body.includes('"messages"'));
  const assertServed = (): void => {
    const [chat, ...others] = chatsAt(service);
    assert.deepEqual(others, []);
    assert.equal(chat?.target, '/v1/chat/completions');
    for (const { headers } of service.requests) {
      assert.equal(headers['authorization'], `Bearer ${key}`);
      assert.equal(headers['proxy-authorization'], undefined);
    }
  };

  const forgetEnvironment = (): void => {
    for (const name of ['HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY']) {
      delete process.env[name];
      delete process.env[name.toLowerCase()];
    }
  };

  const allowedBefore = process.env['SERVICE_API_KEY_ORIGINS'];

  before(() => {
    forgetEnvironment();
    process.env['SERVICE_API_KEY'] = key;
  });
  afterEach(async () => {
    forgetEnvironment();
    await setUserSettings(Object.fromEntries(httpSettings.map((name) => [`http.${name}`, undefined])));
    await clearUserSettings();
    for (const each of more.splice(0)) await each.close();
  });
  after(() => {
    delete process.env['SERVICE_API_KEY'];
    if (allowedBefore !== undefined) process.env['SERVICE_API_KEY_ORIGINS'] = allowedBefore;
  });

  // Runs first: the fetch of our lowest VS Code keeps the first proxy it ever had.
  it("uses VS Code's own fetch if only that has a proxy, and does so right away the next time", async function () {
    if (process.env['PARLANCE_HOST_PROXY'] === undefined) this.skip();
    await started();
    await ask(`http://service.test:${service.port}`);
    assertServed();
    await vscode.commands.executeCommand('parlance.testConnection');
    assert.equal(chatsAt(service).length, 2);
  });

  describe('through a tunnel', () => {
    before(function () {
      if (!systemTrustsAuthority()) this.skip();
    });

    it('uses http.proxy with a login, for a service whose private certificate authority the system trusts', async () => {
      await started('good');
      await startedProxy({ login });
      await ask('https://service.test', { proxy: proxy.origin.replace('//', '//me:p%40ss@') });
      assertServed();
      const [connect] = proxy.server.requests;
      assert.equal(`${connect?.method} ${connect?.target}`, 'CONNECT service.test:443');
      assert.equal(connect?.headers['authorization'], undefined);
    });

    it('uses the login in http.proxyAuthorization', async () => {
      await started('good');
      await startedProxy({ login });
      await ask('https://service.test', { proxy: proxy.origin, proxyAuthorization: login });
      assertServed();
    });

    it("uses the environment's proxy if no setting names one", async () => {
      await started('good');
      await startedProxy();
      process.env['HTTPS_PROXY'] = proxy.origin;
      await ask('https://service.test');
      assertServed();
      assert.ok(proxy.server.requests.length > 0);
    });

    it('uses the new proxy once the setting changed, and closes the old connection', async () => {
      await started('good');
      await startedProxy();
      const first = proxy;
      await ask('https://service.test', { proxy: first.origin });
      await startedProxy();
      await ask('https://service.test', { proxy: proxy.origin });
      assert.ok(first.server.requests.length > 0);
      assert.ok(proxy.server.requests.length > 0);
      assert.equal(chatsAt(service).length, 2);
      await first.server.allClosed();
    });

    it("ignores the system's certificates if http.systemCertificates is off", async () => {
      await started('good');
      await startedProxy();
      await ask('https://service.test', { proxy: proxy.origin, systemCertificates: false });
      assert.equal(proxy.server.requests.length, 1);
      assert.equal(service.accepted(), 1);
      assert.equal(service.requests.length, 0);
    });

    it('rejects an expired certificate, even if http.proxyStrictSSL is off', async () => {
      await started('expired');
      await ask(service.origin, { proxyStrictSSL: false });
      // One connection: no second attempt, and none through the host's fetch.
      assert.equal(service.accepted(), 1);
      assert.equal(service.requests.length, 0);
    });
  });

  it('trusts NODE_EXTRA_CA_CERTS, whatever http.systemCertificates says', async function () {
    if (process.env['NODE_EXTRA_CA_CERTS'] === undefined) this.skip();
    await started('selfSigned');
    await ask(service.origin, { systemCertificates: false });
    assertServed();
  });

  it("ends at a proxy that requires a login, and doesn't bypass it", async () => {
    await started();
    await startedProxy({ login });
    await ask(everyInterface(service), { proxy: proxy.origin });
    assert.ok(proxy.server.requests.length > 0);
    assert.equal(service.accepted(), 0);
  });

  it("ends at a proxy that refuses, and doesn't bypass it", async () => {
    await started('selfSigned');
    await startedProxy({ refuseWith: 403 });
    await ask(`https://0.0.0.0:${service.port}`, { proxy: proxy.origin });
    assert.ok(proxy.server.requests.length > 0);
    assert.equal(service.accepted(), 0);
  });

  it('uses http.proxy for plain HTTP too, unless http.noProxy lists the host or http.proxySupport is off', async () => {
    await started();
    await startedProxy();
    const origin = everyInterface(service);
    await ask(origin, { proxy: proxy.origin });
    assert.equal(chatsAt(proxy.server)[0]?.target, `${origin}/v1/chat/completions`);
    assertServed();
    await ask(origin, { noProxy: ['0.0.0.0'] });
    await ask(origin, { noProxy: undefined, proxySupport: 'off' });
    assert.equal(chatsAt(service).length, 3);
    assert.equal(chatsAt(proxy.server).length, 1);
  });

  it('is direct to this machine, whatever http.proxy is', async () => {
    await started();
    await startedProxy();
    await ask(service.origin, { proxy: proxy.origin });
    assertServed();
    assert.equal(proxy.server.accepted(), 0);
  });

  it("doesn't switch to VS Code's own fetch once a byte was sent", async () => {
    service = await startRawServer((socket) => socket.resetAndDestroy());
    more.push(service);
    await ask(service.origin);
    assert.equal(service.accepted(), 1);
  });

  it('ends at a redirect: neither the key nor the request is sent on', async () => {
    const elsewhere = await started();
    service = await startRawServer((socket) =>
      socket.write(answer(307, '', { location: `${elsewhere.origin}/v1/chat` })),
    );
    more.push(service);
    await ask(service.origin);
    assert.equal(service.requests.length, 1);
    assert.equal(elsewhere.accepted(), 0);
  });
});

/** An address of this machine that is treated like any other: a proxy is used for it. */
function everyInterface(server: RawServer): string {
  return `http://0.0.0.0:${server.port}`;
}
