import assert from 'node:assert/strict';
import { mayHaveBeenMade } from '../../../../src/api/calls/mayHaveBeenMade.ts';
import type { ApiFailure } from '../../../../src/shared/apiFailure.ts';
import { failureSamples } from '../../core/failureSamples.ts';

const samples: readonly ApiFailure[] = Object.values(failureSamples).flat();
const kindsThat = (answer: boolean): readonly string[] => [
  ...new Set(samples.filter((failure) => mayHaveBeenMade(failure) === answer).map((failure) => failure.kind)),
];

describe('A failed request might have been carried out and charged', () => {
  it('unless nothing was sent, or the service refused', () => {
    assert.deepEqual(kindsThat(false), [
      'badRequest',
      'unauthorized',
      'outOfCredits',
      'forbidden',
      'modelNotFound',
      'contextTooLong',
      'noImageInput',
      'requestTooLarge',
      'notReady',
      'unexpectedStatus',
      'rateLimited',
      'proxyAuthRequired',
      'redirected',
      'network',
      'tls',
      'timeout',
      'notTheService',
      'noApi',
      'setup',
      'attachmentLost',
    ]);
  });

  it('if the service failed, or the response was lost or unusable', () => {
    assert.deepEqual(kindsThat(true), [
      'unavailable',
      'serverError',
      'backendUnavailable',
      'backendTimeout',
      'unexpectedStatus',
      'network',
      'timeout',
      'connectionLost',
      'streamError',
      'malformed',
      'emptyAnswer',
      'tooLarge',
      'download',
      'unsupported',
      'unexpected',
    ]);
  });

  it('if a redirect points to the result, but not if a server says that it lacks the path', () => {
    assert.equal(mayHaveBeenMade({ kind: 'redirected', status: 303, toHost: 'h' }), true);
    assert.equal(mayHaveBeenMade({ kind: 'redirected', status: 307, toHost: 'h' }), false);
    assert.equal(mayHaveBeenMade({ kind: 'streamError', message: 'Unexpected endpoint or method. (POST /x)' }), false);
  });

  it('but not if a response with a good status contains a refusal', () => {
    const inBody = (error: { readonly message: string; readonly code?: string }): boolean =>
      mayHaveBeenMade({ kind: 'streamError', ...error });
    assert.equal(inBody({ message: 'This request requires more credits.', code: '402' }), false);
    assert.equal(inBody({ message: 'Slow down', code: '429' }), false);
    assert.equal(inBody({ message: 'm/one is not a valid model ID', code: '400' }), false);
    assert.equal(inBody({ message: 'The engine died.', code: '500' }), true);
  });

  const status = (code: number): ApiFailure => ({ kind: 'unexpectedStatus', status: code, message: '' });
  const network = (mayHaveBeenSent: boolean): ApiFailure => ({
    kind: 'network',
    reason: 'reset',
    host: 'h',
    code: 'C',
    mayHaveBeenSent,
  });
  const timeout = (timer: 'connect' | 'firstByte' | 'silence' | 'answer'): ApiFailure => ({
    kind: 'timeout',
    timer,
    afterMs: 1,
    host: 'h',
  });
  const cases: readonly (readonly [string, ApiFailure, boolean])[] = [
    ['503', status(503), true],
    ['408', status(408), true],
    ['405', status(405), false],
    ['a network failure after a byte was sent', network(true), true],
    ['a network failure before a byte was sent', network(false), false],
    ['the connect timer', timeout('connect'), false],
    ['the first byte timer', timeout('firstByte'), true],
    ['the silence timer', timeout('silence'), true],
    ['the answer timer', timeout('answer'), true],
    ['a page of HTML with 502', { kind: 'notTheService', status: 502, contentType: '', sample: '' }, true],
    ['a page of HTML with 200', { kind: 'notTheService', status: 200, contentType: '', sample: '' }, false],
  ];
  for (const [name, failure, answer] of cases) {
    it(`after ${name}: ${answer ? 'yes' : 'no'}`, () => assert.equal(mayHaveBeenMade(failure), answer));
  }
});
