import assert from 'node:assert/strict';
import { networkCodeOf, networkFailureOf } from '../../../../src/api/transport/networkFailure.ts';
import { retryAfterMsOf } from '../../../../src/api/wire/retryAfter.ts';
import { ApiError } from '../../../../src/api/apiError.ts';
import { hello, outcomeOf, testClient } from '../testClient.ts';
import { chatCompletion } from '../../../../src/api/operations/chatCompletion.ts';

function withCode(code: string): Error {
  return Object.assign(new Error('words that nobody reads: ECONNREFUSED'), { code });
}

describe('A broken connection', () => {
  const codes: readonly (readonly [string, string, string])[] = [
    ['ENOTFOUND', 'network', 'dns'],
    ['EAI_AGAIN', 'network', 'dns'],
    ['ECONNREFUSED', 'network', 'refused'],
    ['EHOSTUNREACH', 'network', 'unreachable'],
    ['ENETUNREACH', 'network', 'unreachable'],
    ['ETIMEDOUT', 'network', 'unreachable'],
    ['ECONNRESET', 'network', 'reset'],
    ['EPIPE', 'network', 'reset'],
    ['UND_ERR_SOCKET', 'network', 'reset'],
    ['ESOMETHING', 'network', 'other'],
    ['CERT_HAS_EXPIRED', 'tls', 'expired'],
    ['CERT_NOT_YET_VALID', 'tls', 'notYetValid'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'tls', 'selfSigned'],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'tls', 'untrusted'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'tls', 'untrusted'],
    ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'tls', 'untrusted'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'tls', 'wrongHost'],
    ['EPROTO', 'tls', 'protocol'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'tls', 'protocol'],
    ['CERT_REVOKED', 'tls', 'other'],
  ];
  for (const [code, kind, reason] of codes) {
    it(`with ${code} is ${kind}, ${reason}`, () => {
      const failure = networkFailureOf(withCode(code), 'h', true);
      const sent = kind === 'network' ? { mayHaveBeenSent: true } : {};
      assert.deepEqual(failure, { kind, reason, host: 'h', code, ...sent });
    });
  }

  it('is judged by the code of its cause, or of its first part', () => {
    assert.equal(networkCodeOf(new TypeError('fetch failed', { cause: withCode('EPIPE') })), 'EPIPE');
    assert.equal(networkCodeOf(new AggregateError([withCode('ECONNREFUSED'), withCode('EPIPE')])), 'ECONNREFUSED');
    assert.equal(networkCodeOf(new RangeError('x')), 'RangeError');
    assert.equal(networkCodeOf('x'), 'UNKNOWN');
  });

  it("isn't trapped by circular causes", () => {
    const error = new Error('x');
    error.cause = error;
    assert.equal(networkCodeOf(error), 'Error');
  });

  it("to a name that doesn't exist is dns, and nothing was sent", async () => {
    const { client, dispose } = testClient('http://does-not-exist.invalid');
    const { failure } = await outcomeOf(client.stream(chatCompletion(hello)));
    assert.ok(failure?.kind === 'network');
    assert.equal(failure.reason, 'dns');
    assert.equal(failure.mayHaveBeenSent, false);
    dispose();
  });

  it('keeps the original error as the cause', () => {
    const cause = withCode('EPIPE');
    assert.equal(new ApiError({ kind: 'unexpected', message: '' }, cause).cause, cause);
  });
});

describe('Retry-After', () => {
  const now = Date.UTC(2030, 0, 1, 0, 0, 0);
  const cases: readonly (readonly [Readonly<Record<string, string>>, number | undefined])[] = [
    [{}, undefined],
    [{ 'retry-after': '3' }, 3000],
    [{ 'retry-after': ' 3 ' }, 3000],
    [{ 'retry-after': '0.25' }, 250],
    [{ 'retry-after': '0' }, 0],
    [{ 'retry-after-ms': '1500' }, 1500],
    [{ 'retry-after-ms': '1500', 'retry-after': '9' }, 1500],
    [{ 'retry-after-ms': 'soon', 'retry-after': '9' }, 9000],
    [{ 'retry-after': 'Tue, 01 Jan 2030 00:00:10 GMT' }, 10_000],
    [{ 'retry-after': 'Mon, 31 Dec 2029 23:59:00 GMT' }, 0],
    [{ 'retry-after': '99999999' }, 86_400_000],
    [{ 'retry-after': 'Wed, 01 Jan 2031 00:00:00 GMT' }, 86_400_000],
    [{ 'retry-after': '-5' }, undefined],
    [{ 'retry-after': 'soon' }, undefined],
    [{ 'retry-after': '' }, undefined],
    [{ 'retry-after': '1e3' }, undefined],
  ];
  for (const [headers, expected] of cases) {
    it(`${JSON.stringify(headers)} is ${expected} ms`, () => {
      assert.equal(
        retryAfterMsOf((name) => headers[name], now),
        expected,
      );
    });
  }
});
