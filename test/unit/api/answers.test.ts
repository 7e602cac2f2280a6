import assert from 'node:assert/strict';
import type { ApiFailure } from '../../../src/shared/apiFailure.ts';
import { answer, json, startRawServer, type RawServer } from './rawServer.ts';
import { statuses } from './statuses.ts';
import { hello, outcomeOf, testClient, testKey, type TestClient } from './testClient.ts';
import { chatCompletion } from '../../../src/api/operations/chatCompletion.ts';
import { listModels } from '../../../src/api/operations/listModels.ts';

describe("A response that isn't a reply", () => {
  let server: RawServer;
  let tested: TestClient;

  async function failureFor(bytes: Buffer): Promise<ApiFailure | undefined> {
    server = await startRawServer((socket) => socket.write(bytes));
    tested = testClient(server.origin);
    const outcome = await outcomeOf(tested.client.stream(chatCompletion(hello)));
    tested.dispose();
    await server.close();
    return outcome.failure;
  }

  for (const [status, kind, type, code, param] of statuses) {
    it(`${status} is ${kind}, with every field of the envelope`, async () => {
      const envelope = { error: { message: `About ${status}.`, type, code, param, request_id: `req_${status}` } };
      assert.deepEqual(await failureFor(json(status, envelope)), {
        kind,
        status,
        message: `About ${status}.`,
        type,
        code,
        ...(param === null ? {} : { param }),
        requestId: `req_${status}`,
        body: 'json',
      });
    });
  }

  it('another status is unexpected, and kept', async () => {
    for (const status of [405, 408, 409, 418, 451, 501, 507, 599]) {
      const failure = await failureFor(json(status, { error: { message: 'No.' } }));
      assert.equal(failure?.kind, 'unexpectedStatus');
      assert.equal('status' in failure && failure.status, status);
    }
  });

  const broken: readonly (readonly [string, string, string, 'text'?])[] = [
    ['a bare JSON string', '"Just words."', 'Just words.'],
    ['an error that is a string', '{"error":"Just words."}', 'Just words.'],
    ['detail', '{"detail":"Just words."}', 'Just words.'],
    ['a list of details', '{"detail":[{"loc":["body"],"msg":"Just words."}]}', 'Just words.'],
    ['JSON that was cut', '{"error":{"type":"t","message":"Just wor', 'Just wor'],
    ['a message at the top', '{"message":"Just words."}', 'Just words.'],
    ['a description beside a reason', '{"reason":"bad","description":"Just words."}', 'Just words.'],
    ['a fault', '{"fault":{"faultstring":"Just words.","detail":{"errorcode":"x"}}}', 'Just words.'],
    ['an errors list', '{"errors":[{"message":"Just words."}]}', 'Just words.'],
    ['an envelope in an envelope', '{"error":{"error":{"message":"Just words."}}}', 'Just words.'],
    ['plain text', 'Just words.', 'Just words.', 'text'],
    ['broken JSON', '{"error":{"mess', '{"error":{"mess'],
    ['null', 'null', ''],
    ['a number', '17', ''],
    ['fields of the wrong types', '{"error":{"message":7,"type":[],"request_id":{}}}', ''],
  ];
  for (const [name, body, message, form = 'json'] of broken) {
    it(`${name} keeps the status and returns the best text`, async () => {
      assert.deepEqual(await failureFor(answer(404, body, { 'x-request-id': 'req_h' })), {
        kind: 'modelNotFound',
        status: 404,
        message,
        requestId: 'req_h',
        body: form,
      });
    });
  }

  it('a code that is a number is kept as text', async () => {
    const failure = await failureFor(json(400, { error: { message: 'No.', code: 1234 } }));
    assert.equal(failure?.kind === 'badRequest' && failure.code, '1234');
  });

  it('HTML with a status that always means the same returns its title', async () => {
    const html = '<html><head><title>Unauthorized</title></head><body>…</body></html>';
    assert.deepEqual(await failureFor(answer(401, html, { 'content-type': 'text/html' })), {
      kind: 'unauthorized',
      status: 401,
      message: 'Unauthorized',
      body: 'page',
    });
  });

  it("HTML with 404 isn't the service, and is quoted with at most 200 characters", async () => {
    const failure = await failureFor(
      answer(404, `<html>\u001b[31m${'x'.repeat(3000)}`, { 'content-type': 'text/html' }),
    );
    assert.equal(failure?.kind, 'notTheService');
    assert.equal(failure.status, 404);
    assert.ok(failure.sample.startsWith('<html>\\u{1b}[31mxxx'));
    assert.ok(failure.sample.length <= 200);
  });

  it('an empty body keeps the status', async () => {
    assert.deepEqual(await failureFor(answer(404, '')), { kind: 'modelNotFound', status: 404, message: '' });
  });

  it('407 is the proxy that requires a login', async () => {
    assert.deepEqual(await failureFor(answer(407, '<html>')), { kind: 'proxyAuthRequired', status: 407 });
  });

  it('a request ID that is too long or has control characters is ignored', async () => {
    const failure = await failureFor(json(400, { error: { message: 'No.', request_id: 'a\nb' } }));
    assert.equal(failure?.kind === 'badRequest' && failure.requestId, undefined);
    const long = await failureFor(json(400, { error: { message: 'No.', request_id: 'x'.repeat(201) } }));
    assert.equal(long?.kind === 'badRequest' && long.requestId, undefined);
  });

  it('an error body over 64 KiB keeps its status and the text so far, and the socket is closed', async () => {
    server = await startRawServer((socket) => {
      socket.write('HTTP/1.1 400 No\r\ncontent-length: 10000000\r\n\r\n');
      socket.write('x'.repeat(70_000));
    });
    tested = testClient(server.origin);
    const { failure } = await outcomeOf(tested.client.stream(chatCompletion(hello)));
    assert.deepEqual(failure, { kind: 'badRequest', status: 400, message: `${'x'.repeat(199)}…`, body: 'text' });
    await server.allClosed();
    tested.dispose();
    await server.close();
  });

  it('a refusal whose body breaks off is still a refusal', async () => {
    server = await startRawServer((socket) => {
      socket.end('HTTP/1.1 402 No\r\ncontent-length: 1000\r\n\r\n{"error"');
    });
    tested = testClient(server.origin);
    const { failure } = await outcomeOf(tested.client.stream(chatCompletion(hello)));
    assert.equal(failure?.kind, 'outOfCredits');
    tested.dispose();
    await server.close();
  });

  it("something that doesn't speak HTTP is a network failure with its code", async () => {
    const failure = await failureFor(Buffer.from('SSH-2.0-OpenSSH_9.2\r\n'));
    assert.equal(failure?.kind, 'network');
    assert.equal(failure.reason, 'notHttp');
    assert.match(failure.code, /^(HPE_|HTTPParserError$)/);
    assert.equal(failure.mayHaveBeenSent, true);
  });
});

describe('A redirect', () => {
  it('to the same host and path over https is recognized, and names its target without a query', async () => {
    const server = await startRawServer((socket, { target }) =>
      socket.write(answer(308, '', { location: `https://127.0.0.1:8443${target}?token=secret` })),
    );
    const { client, dispose } = testClient(server.origin);
    const { failure } = await outcomeOf(client.stream(chatCompletion(hello)));
    assert.deepEqual(failure, {
      kind: 'redirected',
      status: 308,
      toHost: '127.0.0.1:8443',
      to: 'https://127.0.0.1:8443/v1/chat/completions',
      isToHttps: true,
    });
    dispose();
    await server.close();
  });

  for (const status of [301, 302, 303, 307, 308]) {
    it(`${status} is an error that names the host, and nothing is sent there`, async () => {
      const elsewhere = await startRawServer((socket) => socket.write(json(200, {})));
      const targets: readonly (readonly [string, string])[] = [
        [`${elsewhere.origin}/v1/chat/completions`, new URL(elsewhere.origin).host],
        [`//localhost:${elsewhere.port}/v1`, `localhost:${elsewhere.port}`],
        [`http://user:pass@127.0.0.1:${elsewhere.port}/`, `127.0.0.1:${elsewhere.port}`],
        ['/v1/other', ''],
        ['', ''],
        ['http://[broken', ''],
      ];
      for (const [location, toHost] of targets) {
        const server = await startRawServer((socket) =>
          socket.write(answer(status, '', location === '' ? {} : { location })),
        );
        const { client, dispose } = testClient(server.origin);
        const { failure } = await outcomeOf(client.stream(chatCompletion(hello)));
        const own = location.startsWith('/v1') ? new URL(server.origin).host : toHost;
        assert.ok(failure?.kind === 'redirected');
        assert.deepEqual([failure.status, failure.toHost, failure.isToHttps], [status, own, undefined], location);
        assert.equal(failure.to === undefined, own === '');
        assert.doesNotMatch(failure.to ?? '', /[?#@]/);
        assert.equal(server.requests.length, 1);
        dispose();
        await server.close();
      }
      assert.equal(elsewhere.accepted(), 0);
      await elsewhere.close();
    });
  }

  it('is never followed for the model list either', async () => {
    const elsewhere = await startRawServer((socket) => socket.write(json(200, { data: [] })));
    const server = await startRawServer((socket) => socket.write(answer(302, '', { location: elsewhere.origin })));
    const { client, dispose } = testClient(server.origin);
    await assert.rejects(client.ask(listModels), { name: 'ApiError', message: 'redirected' });
    assert.equal(elsewhere.accepted(), 0);
    assert.ok(server.requests.every((request) => request.headers['authorization'] === `Bearer ${testKey}`));
    dispose();
    await server.close();
    await elsewhere.close();
  });
});
