import assert from 'node:assert/strict';
import { proxyRouteFor } from '../../../../src/api/transport/proxyRoute.ts';
import type { TransportSettings } from '../../../../src/api/transport/transportSettings.ts';
import { plainSettings } from '../testClient.ts';

function route(target: string, settings: Partial<TransportSettings>): string {
  const found = proxyRouteFor(new URL(target), { ...plainSettings, ...settings });
  if (found.via === 'direct') return 'direct';
  if (found.via === 'unusableProxy') return found.code;
  return found.authorization === undefined ? found.proxy.href : `${found.proxy.href} ${found.authorization}`;
}

const target = 'https://api.service.test/v1';
const proxy = 'http://proxy.test:3128';

describe('The way to a host', () => {
  it('is direct without a proxy', () => assert.equal(route(target, {}), 'direct'));

  it('is http.proxy, unless http.proxySupport is off', () => {
    for (const proxySupport of ['on', 'override', 'fallback'] as const) {
      assert.equal(route(target, { proxy, proxySupport }), 'http://proxy.test:3128/');
    }
    assert.equal(route(target, { proxy, proxySupport: 'off', env: { HTTPS_PROXY: proxy } }), 'direct');
  });

  it('prefers http.proxy to the environment', () => {
    assert.equal(route(target, { proxy, env: { HTTPS_PROXY: 'http://other.test' } }), 'http://proxy.test:3128/');
  });

  it("is the environment's proxy by scheme, in either case", () => {
    const env = { HTTPS_PROXY: 'http://secure.test', http_proxy: 'http://plain.test' };
    assert.equal(route(target, { env }), 'http://secure.test/');
    assert.equal(route('http://api.service.test', { env }), 'http://plain.test/');
    assert.equal(route(target, { env: { HTTP_PROXY: 'http://plain.test' } }), 'http://plain.test/');
    assert.equal(route('http://api.service.test', { env: { HTTPS_PROXY: 'http://secure.test' } }), 'direct');
  });

  it("is the environment's proxy in any mix of cases, the usual ones first", () => {
    assert.equal(route(target, { env: { Https_Proxy: 'http://mixed.test' } }), 'http://mixed.test/');
    assert.equal(route(target, { env: { https_proxy: '', hTTPS_proxy: 'http://mixed.test' } }), 'http://mixed.test/');
    assert.equal(
      route(target, { env: { Https_Proxy: 'http://mixed.test', HTTPS_PROXY: 'http://upper.test' } }),
      'http://upper.test/',
    );
    assert.equal(route(target, { env: { HTTPS_PROXY: proxy, No_Proxy: 'api.service.test' } }), 'direct');
  });

  it('is direct for this machine', () => {
    const names = ['localhost', 'localhost:8080', 'localhost.', 'app.localhost'];
    for (const host of [...names, '127.0.0.1', '127.9.9.9:1', '[::1]:8080', '[::ffff:127.0.0.1]:8080']) {
      assert.equal(route(`http://${host}/v1`, { proxy }), 'direct', host);
    }
    assert.notEqual(route('http://localhost.evil.test/v1', { proxy }), 'direct');
  });

  const rules: readonly (readonly [string, boolean])[] = [
    ['service.test', true],
    ['api.service.test', true],
    ['.service.test', true],
    ['*.service.test', true],
    ['API.Service.Test', true],
    [' service.test ', true],
    ['service.test:443', true],
    ['service.test:8443', false],
    ['vice.test', false],
    ['other.test', false],
    ['*', true],
    ['', false],
  ];
  for (const [rule, isDirect] of rules) {
    it(`is ${isDirect ? 'direct' : 'the proxy'} with the rule ${JSON.stringify(rule)}`, () => {
      assert.equal(route(target, { proxy, noProxy: ['x.test', rule] }) === 'direct', isDirect);
      assert.equal(route(target, { env: { HTTPS_PROXY: proxy, NO_PROXY: `x.test,${rule}` } }) === 'direct', isDirect);
    });
  }

  it('is direct inside a network of the rules', () => {
    assert.equal(route('http://10.1.2.3/v1', { proxy, noProxy: ['10.0.0.0/8'] }), 'direct');
    assert.equal(route('http://11.1.2.3/v1', { proxy, noProxy: ['10.0.0.0/8'] }), 'http://proxy.test:3128/');
    assert.equal(route('http://[fd00::1]/v1', { proxy, noProxy: ['fd00::/8'] }), 'direct');
    assert.equal(route('http://[fd00::1]/v1', { proxy, noProxy: ['fd00::1'] }), 'direct');
    assert.equal(
      route('http://10.1.2.3/v1', { proxy, noProxy: ['10.0.0.0/99', '10.0.0.0/x', '/8'] }),
      'http://proxy.test:3128/',
    );
  });

  it("doesn't apply NO_PROXY to http.proxy", () => {
    assert.equal(route(target, { proxy, env: { NO_PROXY: '*' } }), 'http://proxy.test:3128/');
  });

  it('has the login in the URL, or http.proxyAuthorization', () => {
    const basic = `Basic ${Buffer.from('me:p@ss').toString('base64')}`;
    assert.equal(route(target, { proxy: 'http://me:p%40ss@proxy.test' }), `http://proxy.test/ ${basic}`);
    assert.equal(
      route(target, { proxy: 'http://me:p%40ss@proxy.test', proxyAuthorization: 'Bearer x' }),
      'http://proxy.test/ Bearer x',
    );
  });

  it('treats a URL without a scheme as http', () => {
    assert.equal(route(target, { proxy: 'proxy.test:3128' }), 'http://proxy.test:3128/');
  });

  it('is closed with an unsupported proxy', () => {
    assert.equal(route(target, { proxy: 'socks5://proxy.test' }), 'UNSUPPORTED_PROXY_SCHEME');
    assert.equal(route(target, { proxy: 'http://' }), 'INVALID_PROXY_ADDRESS');
    assert.equal(route(target, { proxy, proxyAuthorization: 'Basic a\r\nx: y' }), 'INVALID_PROXY_AUTHORIZATION');
  });
});
