import assert from 'node:assert/strict';
import { RetryBucket, retryDelayMs, type RetriedCall } from '../../../../src/api/calls/retry.ts';
import type { ApiFailure, NetworkFailure } from '../../../../src/shared/apiFailure.ts';
import {
  answer,
  chunk,
  delta,
  done,
  json,
  lastChunk,
  startRawServer,
  streamHead,
  type RawServer,
} from '../rawServer.ts';
import { allOf, failureOf, hello, instantClock, outcomeOf, testClient, type TestClient } from '../testClient.ts';
import { chatCompletion } from '../../../../src/api/operations/chatCompletion.ts';
import { listModels } from '../../../../src/api/operations/listModels.ts';

const http = (
  kind: 'serverError' | 'backendUnavailable' | 'backendTimeout' | 'unexpectedStatus',
  status: number,
): ApiFailure => ({
  kind,
  status,
  message: '',
});
const network = (reason: NetworkFailure['reason'], mayHaveBeenSent: boolean): ApiFailure => ({
  kind: 'network',
  reason,
  host: 'h',
  code: 'C',
  mayHaveBeenSent,
});
const limited = (retryAfterMs?: number): ApiFailure => ({
  kind: 'rateLimited',
  status: 429,
  message: '',
  ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
});
const timeout = (timer: 'connect' | 'firstByte' | 'silence' | 'answer'): ApiFailure => ({
  kind: 'timeout',
  timer,
  afterMs: 1,
  host: 'h',
});

/** The number of attempts if every one of them ends with this failure. */
function attempts(call: RetriedCall, failure: ApiFailure): number {
  const failures: ApiFailure[] = [];
  failures.push(failure);
  for (let waitedMs = 0; ; failures.push(failure)) {
    const delayMs = retryDelayMs(call, { failures, waitedMs }, 0);
    if (delayMs === undefined) return failures.length;
    waitedMs += delayMs;
  }
}

const ask = (ms: number, waitedMs: number): number | undefined =>
  retryDelayMs('chat', { failures: [limited(ms)], waitedMs }, 0.9);

describe('The retry table', () => {
  const table: readonly (readonly [string, ApiFailure, number, number, number])[] = [
    ['a network failure before a byte was sent', network('refused', false), 3, 3, 3],
    ['a network failure after something was sent', network('reset', true), 1, 3, 1],
    ['429', limited(), 3, 3, 1],
    ['429 with Retry-After', limited(0), 3, 3, 3],
    ['502', http('backendUnavailable', 502), 3, 3, 1],
    ['503', http('unexpectedStatus', 503), 3, 3, 1],
    ['502 as HTML of a proxy', { kind: 'backendUnavailable', status: 502, message: 'Bad', body: 'page' }, 3, 3, 1],
    ['500 as HTML of a proxy', { kind: 'serverError', status: 500, message: 'Oops', body: 'page' }, 2, 3, 1],
    ['500 that says what is wrong', { kind: 'serverError', status: 500, message: 'No mmproj.', body: 'json' }, 1, 3, 1],
    ['429 that is out of credits', { kind: 'outOfCredits', status: 429, message: '' }, 1, 1, 1],
    ['429 that never fits', { kind: 'requestTooLarge', status: 429, message: '' }, 1, 1, 1],
    ['503 while a model loads', { kind: 'notReady', status: 503, message: 'Loading model' }, 14, 3, 1],
    ['500', http('serverError', 500), 2, 3, 1],
    ['504', http('backendTimeout', 504), 2, 3, 1],
    ['408', http('unexpectedStatus', 408), 1, 3, 1],
    ['507', http('unexpectedStatus', 507), 1, 3, 1],
    ['the connect timer', timeout('connect'), 3, 3, 3],
    ['the first byte timer', timeout('firstByte'), 1, 3, 1],
    ['the silence timer', timeout('silence'), 1, 3, 1],
    ['a lost connection', { kind: 'connectionLost', host: 'h', code: 'C' }, 1, 3, 1],
    ['400', { kind: 'badRequest', status: 400, message: '' }, 1, 1, 1],
    ['401', { kind: 'unauthorized', status: 401, message: '' }, 1, 1, 1],
    ['402', { kind: 'outOfCredits', status: 402, message: '' }, 1, 1, 1],
    ['403', { kind: 'forbidden', status: 403, message: '' }, 1, 1, 1],
    ['404', { kind: 'modelNotFound', status: 404, message: '' }, 1, 1, 1],
    ['413', { kind: 'contextTooLong', status: 413, message: '' }, 1, 1, 1],
    ['407', { kind: 'proxyAuthRequired', status: 407 }, 1, 1, 1],
    ['a redirect', { kind: 'redirected', status: 302, toHost: 'x' }, 1, 1, 1],
    ['TLS', { kind: 'tls', reason: 'expired', host: 'h', code: 'CERT_HAS_EXPIRED' }, 1, 1, 1],
    ['an error inside the stream', { kind: 'streamError', message: '' }, 1, 1, 1],
    ['a malformed answer', { kind: 'malformed', where: 'body', sample: '' }, 1, 1, 1],
    ['a size error', { kind: 'tooLarge', what: 'reply', limitBytes: 1 }, 1, 1, 1],
    ['a missing key', { kind: 'setup', missing: 'apiKey' }, 1, 1, 1],
    ['a bug', { kind: 'unexpected', message: '' }, 1, 1, 1],
  ];
  for (const [name, failure, chat, catalog, media] of table) {
    it(`${name}: ${chat} for a chat, ${catalog} for the model list, ${media} for video and image`, () => {
      assert.equal(attempts('chat', failure), chat);
      assert.equal(attempts('catalog', failure), catalog);
      assert.equal(attempts('media', failure), media);
    });
  }

  it('repeats what might have been billed only once, even between other failures', () => {
    const failures = [http('serverError', 500), limited(0), http('backendTimeout', 504)];
    assert.equal(retryDelayMs('chat', { failures: failures.slice(0, 2), waitedMs: 0 }, 0), 500);
    const limits = { attempts: 9, waitMs: 30_000, firstBackoffMs: 1, longestBackoffMs: 1, loadingMs: 60_000 };
    assert.equal(retryDelayMs('chat', { failures, waitedMs: 0 }, 0, limits), undefined);
  });

  it('draws from 0 to 0.5 s, 1 s, 2 s, and so on up to 8 s', () => {
    const limits = { attempts: 99, waitMs: 99_999, firstBackoffMs: 500, longestBackoffMs: 8_000, loadingMs: 60_000 };
    const failures: ApiFailure[] = [];
    const longest = [500, 1000, 2000, 4000, 8000, 8000].map(() => {
      failures.push(limited());
      assert.equal(retryDelayMs('chat', { failures, waitedMs: 0 }, 0, limits), 0);
      return retryDelayMs('chat', { failures, waitedMs: 0 }, 1, limits);
    });
    assert.deepEqual(longest, [500, 1000, 2000, 4000, 8000, 8000]);
  });

  it('waits exactly as long as the service asks, up to 30 s in total', () => {
    assert.equal(ask(1234, 0), 1234);
    assert.equal(ask(30_000, 0), 30_000);
    assert.equal(ask(30_001, 0), undefined);
    assert.equal(ask(20_000, 10_001), undefined);
  });
});

describe('The retry bucket', () => {
  it('is empty after its capacity, and refills over time', () => {
    let nowMs = 0;
    const bucket = new RetryBucket(2, 1000, () => nowMs);
    assert.deepEqual([bucket.take(), bucket.take(), bucket.take()], [true, true, false]);
    nowMs = 999;
    assert.equal(bucket.take(), false);
    nowMs = 1000;
    assert.equal(bucket.take(), true);
    nowMs = 100_000;
    assert.deepEqual([bucket.take(), bucket.take(), bucket.take()], [true, true, false]);
  });
});

const refusal = (status: number, headers: Readonly<Record<string, string>> = {}): Buffer =>
  json(status, { error: { message: 'Later.', type: 't', code: 'c', request_id: 'r' } }, headers);

describe('A chat that is retried', () => {
  let server: RawServer;
  let tested: TestClient;
  afterEach(async () => {
    tested.dispose();
    await server.close();
  });

  const fine = Buffer.concat([streamHead(), chunk(delta('Hi') + done), lastChunk]);

  it('reports it, waits, and returns the reply of the attempt that worked', async () => {
    server = await startRawServer((socket, _request, index) => socket.write(index < 2 ? refusal(429) : fine));
    const clock = instantClock();
    tested = testClient(server.origin, { clock });
    const events = await allOf(tested.client.stream(chatCompletion(hello)));
    const failure: ApiFailure = {
      kind: 'rateLimited',
      status: 429,
      message: 'Later.',
      type: 't',
      code: 'c',
      requestId: 'r',
      body: 'json',
    };
    assert.deepEqual(events, [
      { type: 'attempt', attempt: 1 },
      { type: 'retrying', attempt: 2, delayMs: 250, failure },
      { type: 'attempt', attempt: 2 },
      { type: 'retrying', attempt: 3, delayMs: 500, failure },
      { type: 'attempt', attempt: 3 },
      { type: 'opened' },
      { type: 'text', text: 'Hi' },
      { type: 'response', fields: {} },
      { type: 'end', complete: true, deltas: 1 },
    ]);
    assert.deepEqual(clock.slept, [250, 500]);
  });

  it('respects retry-after-ms, and retry-after in seconds or as a date', async () => {
    const clock = instantClock();
    const dates = [{ 'retry-after-ms': '1500', 'retry-after': '9' }, { 'retry-after': '2' }];
    server = await startRawServer((socket, _request, index) => {
      const headers = dates[index];
      socket.write(headers === undefined ? fine : refusal(index === 0 ? 429 : 503, headers));
    });
    tested = testClient(server.origin, { clock });
    assert.equal((await outcomeOf(tested.client.stream(chatCompletion(hello)))).text, 'Hi');
    assert.deepEqual(clock.slept, [1500, 2000]);
  });

  it("respects Google's time to wait, which is in the body", async () => {
    const clock = instantClock();
    const retryInfo = { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '7.25s' };
    const error = { code: 429, message: 'Quota', status: 'RESOURCE_EXHAUSTED', details: [{ reason: 'x' }, retryInfo] };
    server = await startRawServer((socket, _request, index) => {
      // Their list with one element, and what gateways make of it.
      socket.write(index === 2 ? fine : json(429, index === 0 ? [{ error }] : { error }));
    });
    tested = testClient(server.origin, { clock });
    assert.equal((await outcomeOf(tested.client.stream(chatCompletion(hello)))).text, 'Hi');
    assert.deepEqual(clock.slept, [7250, 7250]);
  });

  it('waits at least half of the usual back-off after a past date or a wait of zero, to avoid a burst', async () => {
    const clock = instantClock();
    server = await startRawServer((socket, _request, index) => {
      socket.write(index === 0 ? refusal(429, { 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' }) : fine);
    });
    tested = testClient(server.origin, { clock });
    assert.equal((await outcomeOf(tested.client.stream(chatCompletion(hello)))).text, 'Hi');
    assert.deepEqual(clock.slept, [375]);
    assert.equal(ask(0, 0), 475);
    assert.equal(retryDelayMs('chat', { failures: [limited(0)], waitedMs: 0 }, 0), 250);
  });

  it("doesn't wait longer than that, but fails with its time", async () => {
    const clock = instantClock();
    server = await startRawServer((socket) => socket.write(refusal(429, { 'retry-after': '120' })));
    tested = testClient(server.origin, { clock });
    const { failure } = await outcomeOf(tested.client.stream(chatCompletion(hello)));
    assert.equal(failure?.kind === 'rateLimited' && failure.retryAfterMs, 120_000);
    assert.deepEqual(clock.slept, []);
    assert.equal(server.requests.length, 1);
  });

  it('fails with the last failure when every attempt did', async () => {
    server = await startRawServer((socket) => socket.write(refusal(502)));
    tested = testClient(server.origin);
    assert.equal((await outcomeOf(tested.client.stream(chatCompletion(hello)))).failure?.kind, 'backendUnavailable');
    assert.equal(server.requests.length, 3);
  });

  it("isn't retried after any output", async () => {
    server = await startRawServer((socket) => {
      socket.write(Buffer.concat([streamHead(), chunk(delta('Hi'))]), () =>
        setImmediate(() => socket.resetAndDestroy()),
      );
    });
    tested = testClient(server.origin);
    const outcome = await outcomeOf(tested.client.stream(chatCompletion(hello)));
    assert.equal(outcome.text, 'Hi');
    assert.equal(outcome.failure?.kind, 'connectionLost');
    assert.equal(server.requests.length, 1);
  });

  it("isn't retried if a request was sent before the reset", async () => {
    server = await startRawServer((socket) => socket.resetAndDestroy());
    tested = testClient(server.origin);
    const { failure } = await outcomeOf(tested.client.stream(chatCompletion(hello)));
    assert.equal(failure?.kind, 'network');
    assert.equal(failure.reason, 'reset');
    assert.equal(failure.mayHaveBeenSent, true);
    assert.equal(server.requests.length, 1);
  });

  it('reaches a service that starts between the attempts', async () => {
    const gone = await startRawServer(() => {});
    await gone.close();
    const clock = instantClock();
    tested = testClient(gone.origin, {
      clock: {
        ...clock,
        sleep: async (ms, signal) => {
          await clock.sleep(ms, signal);
          server = await startRawServer((socket) => socket.write(fine), undefined, gone.port);
        },
      },
    });
    const events = await allOf(tested.client.stream(chatCompletion(hello)));
    const retrying = events.find((each) => each.type === 'retrying');
    assert.deepEqual(retrying?.failure, {
      kind: 'network',
      reason: 'refused',
      host: new URL(gone.origin).host,
      code: 'ECONNREFUSED',
      mayHaveBeenSent: false,
    });
    assert.ok(events.some((each) => each.type === 'text' && each.text === 'Hi'));
  });

  it('stops if the window has retried too often', async () => {
    server = await startRawServer((socket) => socket.write(refusal(429, { 'retry-after': '0' })));
    tested = testClient(server.origin);
    for (let round = 0; round < 8; round++) await outcomeOf(tested.client.stream(chatCompletion(hello)));
    // Eight first attempts and the bucket's ten retries.
    assert.equal(server.requests.length, 18);
  });

  const loading = json(503, { error: { code: 503, message: 'Loading model', type: 'unavailable_error' } });

  it("tries again while a model is loading, reports each wait, and returns the reply once it's loaded", async () => {
    server = await startRawServer((socket, _request, index) => socket.write(index < 6 ? loading : fine));
    const clock = instantClock();
    tested = testClient(server.origin, { clock });
    const events = await allOf(tested.client.stream(chatCompletion(hello)));
    const waits = events.flatMap((each) => (each.type === 'retrying' ? [[each.failure.kind, each.delayMs]] : []));
    assert.deepEqual(
      waits,
      [2000, 3000, 4000, 5000, 5000, 5000].map((ms) => ['notReady', ms]),
    );
    assert.ok(events.some((each) => each.type === 'text' && each.text === 'Hi'));
    assert.equal(server.requests.length, 7);
  });

  it("gives up after a minute if a model isn't loaded by then, no matter how rare retries are", async () => {
    server = await startRawServer((socket) => socket.write(loading));
    for (let round = 0; round < 2; round++) {
      const clock = instantClock();
      tested?.dispose();
      tested = testClient(server.origin, { clock });
      const { failure } = await outcomeOf(tested.client.stream(chatCompletion(hello)));
      assert.deepEqual(
        [failure?.kind, failure !== undefined && 'message' in failure && failure.message],
        ['notReady', 'Loading model'],
      );
      const waitedMs = clock.slept.reduce((sum, ms) => sum + ms, 0);
      assert.ok(waitedMs > 50_000 && waitedMs <= 60_000, String(waitedMs));
    }
    assert.equal(server.requests.length, 28);
  });

  it('stops waiting for a model on a cancel, and sends nothing more', async () => {
    server = await startRawServer((socket) => socket.write(loading));
    tested = testClient(server.origin);
    const abort = new AbortController();
    const stopped = async () => {
      for await (const each of tested.client.stream(chatCompletion(hello), { signal: abort.signal })) {
        if (each.type === 'retrying') abort.abort(new Error('stop'));
      }
    };
    await assert.rejects(stopped(), { message: 'stop' });
    assert.equal(server.requests.length, 1);
  });

  const broken = (message: string): Buffer => json(500, { error: { message, type: 'server_error' } });

  it("isn't retried after a 500 that explains what is wrong", async () => {
    server = await startRawServer((socket) => socket.write(broken('No mmproj was given.')));
    tested = testClient(server.origin);
    const { failure } = await outcomeOf(tested.client.stream(chatCompletion(hello)));
    assert.equal(failure?.kind === 'serverError' && failure.message, 'No mmproj was given.');
    assert.equal(server.requests.length, 1);
  });

  it('reports the first attempt with a message if the attempts failed in different ways', async () => {
    server = await startRawServer((socket, _request, index) => {
      if (index === 0) socket.write(answer(502, '<html><title>Bad</title>', { 'content-type': 'text/html' }));
      else if (index === 1) socket.write(answer(500, ''));
      else socket.resetAndDestroy();
    });
    tested = testClient(server.origin);
    const { failure } = await outcomeOf(tested.client.stream(chatCompletion(hello)));
    assert.deepEqual(
      [failure?.kind, failure?.kind === 'backendUnavailable' && failure.message],
      ['backendUnavailable', 'Bad'],
    );
    assert.equal(server.requests.length, 3);
  });

  it("doesn't report a free refusal if the last attempt might have been charged", async () => {
    server = await startRawServer((socket, _request, index) => {
      if (index === 0) socket.write(refusal(429));
      else socket.resetAndDestroy();
    });
    tested = testClient(server.origin);
    const { failure } = await outcomeOf(tested.client.stream(chatCompletion(hello)));
    assert.equal(failure?.kind, 'network');
    assert.equal(server.requests.length, 2);
  });

  it("isn't retried when it's out of credits, though the status is 429", async () => {
    const error = {
      message: 'You exceeded your current quota.',
      type: 'insufficient_quota',
      code: 'insufficient_quota',
    };
    server = await startRawServer((socket) => socket.write(json(429, { error })));
    tested = testClient(server.origin);
    assert.equal((await outcomeOf(tested.client.stream(chatCompletion(hello)))).failure?.kind, 'outOfCredits');
    assert.equal(server.requests.length, 1);
  });

  it('applies to the model list too: 408, then 200', async () => {
    server = await startRawServer((socket, _request, index) => {
      socket.write(index === 0 ? answer(408, '') : json(200, { data: [{ id: 'a/b' }] }));
    });
    tested = testClient(server.origin);
    assert.deepEqual(
      (await tested.client.ask(listModels)).map((model) => model.id),
      ['a/b'],
    );
  });

  it("doesn't apply to a model list with 401", async () => {
    server = await startRawServer((socket) => socket.write(answer(401, '')));
    tested = testClient(server.origin);
    assert.equal((await failureOf(tested.client.ask(listModels))).kind, 'unauthorized');
    // Each of the two lists once.
    assert.equal(server.requests.length, 2);
  });
});
