import assert from 'node:assert/strict';
import { ApiError } from '../../../../src/api/apiError.ts';
import { authorizationFor } from '../../../../src/api/transport/authorization.ts';
import type { SetupFailure } from '../../../../src/shared/apiFailure.ts';

const endpoint = {
  baseUrl: new URL('https://api.service.test/v1'),
  nativeUrl: new URL('https://native.service.test:8443/api'),
  apiKey: 'sk-1',
};

function refusal(target: string, apiKey = 'sk-1'): SetupFailure | undefined {
  try {
    authorizationFor({ ...endpoint, apiKey }, new URL(target));
    return undefined;
  } catch (error) {
    assert.ok(error instanceof ApiError && error.failure.kind === 'setup');
    return error.failure;
  }
}

function shown(target: string): string {
  const { protocol, origin } = new URL(target);
  return protocol.startsWith('http') ? origin : protocol;
}

describe('The authorization header', () => {
  it("is created for the endpoint's own origins, with any path", () => {
    for (const target of ['https://api.service.test/v1/chat/completions', 'https://native.service.test:8443/x']) {
      assert.equal(authorizationFor(endpoint, new URL(target)).authorization, 'Bearer sk-1');
    }
  });

  for (const target of [
    'http://api.service.test/v1',
    'https://api.service.test:444/v1',
    'https://api.service.test.evil.test/v1',
    'https://evil.test/https://api.service.test/v1',
    'https://api.service.test@evil.test/v1',
    'https://native.service.test/api',
    'blob:https://api.service.test/1',
    'data:text/plain,x',
  ]) {
    it(`is refused for ${target}`, () => {
      assert.deepEqual(refusal(target), { kind: 'setup', missing: 'apiKeyForThisHost', target: shown(target) });
    });
  }

  it("is created for the legacy host if there's one", () => {
    const both = { ...endpoint, fallbackBaseUrl: new URL('https://old.service.test/v1') };
    assert.equal(
      authorizationFor(both, new URL('https://old.service.test/api/v1/models')).authorization,
      'Bearer sk-1',
    );
    assert.throws(() => authorizationFor(endpoint, new URL('https://old.service.test/v1')), ApiError);
    assert.throws(() => authorizationFor(both, new URL('http://old.service.test/v1')), ApiError);
  });

  it('is refused for a legacy host without TLS if the current one has it', () => {
    const plain = { ...endpoint, fallbackBaseUrl: new URL('http://old.service.test/v1') };
    assert.throws(() => authorizationFor(plain, new URL('http://old.service.test/v1')), ApiError);
  });

  it("is refused without a key, and with one that can't be in a header", () => {
    const own = 'https://api.service.test/v1';
    assert.deepEqual(refusal(own, ''), { kind: 'setup', missing: 'apiKey' });
    for (const key of ['a b', 'a\r\nx: y', 'ü', '\u007f', 'a\n']) {
      assert.deepEqual(refusal(own, key), { kind: 'setup', missing: 'validApiKey' });
    }
  });

  it("is refused for an own origin that the key wasn't allowed for, and names both", () => {
    const bound = { ...endpoint, keyOrigins: [endpoint.baseUrl.origin], keyHosts: 'api.service.test' };
    assert.equal(authorizationFor(bound, new URL('https://api.service.test/v1')).authorization, 'Bearer sk-1');
    const refused = { kind: 'setup', missing: 'apiKeyForThisHost', found: 'api.service.test' };
    assert.throws(
      () => authorizationFor(bound, new URL('https://native.service.test:8443/api')),
      (error) =>
        error instanceof ApiError &&
        (assert.deepEqual(error.failure, { ...refused, target: 'https://native.service.test:8443' }), true),
    );
  });

  it("isn't created for a service without a key, and other targets are still refused", () => {
    const open = { ...endpoint, apiKey: undefined, keyOrigins: [] };
    assert.deepEqual(authorizationFor(open, new URL('https://api.service.test/v1')), {});
    assert.throws(() => authorizationFor(open, new URL('https://evil.test/v1')), ApiError);
  });
});
