import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { InferenceClient } from '../../../src/api/inferenceClient.ts';
import { ApiError } from '../../../src/api/apiError.ts';
import { createTransport } from '../../../src/api/transport/createTransport.ts';
import {
  answer,
  chunk,
  delta,
  done,
  event,
  json,
  lastChunk,
  startRawServer,
  streamHead,
  times,
  type RawServer,
} from './rawServer.ts';
import {
  allOf,
  failureOf,
  hello,
  outcomeOf,
  plainSettings,
  testClient,
  testKey,
  type TestClient,
} from './testClient.ts';
import { chatCompletion } from '../../../src/api/operations/chatCompletion.ts';

const reply = {
  id: 'c1',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
};

function parsed(body = '{}'): { readonly model?: string } {
  const request: { readonly model?: string } = JSON.parse(body);
  return request;
}

const thought = (text: string): string => event({ choices: [{ delta: { reasoning_content: text } }] });

const clientWith = (endpoint: () => Promise<never>): InferenceClient =>
  new InferenceClient({ endpoint, transport: createTransport({ settings: () => plainSettings }) });

describe('A chat request', () => {
  let server: RawServer;
  let tested: TestClient;
  afterEach(async () => {
    tested.dispose();
    await server.close();
  });

  it('is sent to the base URL with the key, as JSON, and without compression', async () => {
    server = await startRawServer((socket) => socket.write(json(200, reply)));
    tested = testClient(server.origin);
    await allOf(tested.client.stream(chatCompletion(hello)));
    const [request] = server.requests;
    assert.equal(request?.method, 'POST');
    assert.equal(request.target, '/v1/chat/completions');
    assert.equal(request.headers['authorization'], `Bearer ${testKey}`);
    assert.equal(request.headers['content-type'], 'application/json');
    assert.equal(request.headers['accept-encoding'], 'identity');
    assert.equal(request.headers['host'], new URL(server.origin).host);
  });

  it('contains the six fields of the spec unchanged', async () => {
    server = await startRawServer((socket) => socket.write(json(200, reply)));
    tested = testClient(server.origin);
    const request = {
      model: 'maker/model-1',
      messages: [
        { role: 'system', content: 'Be brief. "Quotes", \\ and 世界.' },
        { role: 'user', content: 'Hi' },
      ],
      max_tokens: 12,
      temperature: 0,
      top_p: 0.5,
      stream: false,
    } as const;
    await allOf(tested.client.stream(chatCompletion(request)));
    assert.deepEqual(JSON.parse(server.requests[0]?.body ?? ''), request);
  });

  it("sends nothing that wasn't set, but always says whether to stream", async () => {
    server = await startRawServer((socket) => socket.write(json(200, reply)));
    tested = testClient(server.origin);
    await allOf(tested.client.stream(chatCompletion(hello)));
    assert.deepEqual(Object.keys(parsed(server.requests[0]?.body)), ['model', 'messages', 'stream']);
  });

  it('yields the same events for a whole reply as for a streamed one', async () => {
    server = await startRawServer((socket) => socket.write(json(200, reply, { 'x-request-id': 'req_1' })));
    tested = testClient(server.origin);
    assert.deepEqual(await allOf(tested.client.stream(chatCompletion({ ...hello, stream: false }))), [
      { type: 'attempt', attempt: 1 },
      { type: 'opened', requestId: 'req_1' },
      { type: 'text', text: 'Hi' },
      { type: 'finish', reason: 'stop' },
      { type: 'usage', usage: { promptTokens: 1, completionTokens: 1, totalTokens: 2 } },
      { type: 'response', fields: { id: 'c1', usage: reply.usage } },
      { type: 'end', complete: true },
    ]);
  });

  it('delivers the first delta while the response is still open', async () => {
    let open: Socket | undefined;
    server = await startRawServer((socket) => {
      open = socket;
      socket.write(Buffer.concat([streamHead(), chunk(delta('One'))]));
    });
    tested = testClient(server.origin);
    let text = '';
    for await (const each of tested.client.stream(chatCompletion(hello))) {
      if (each.type !== 'text') continue;
      text += each.text;
      if (each.text === 'One') open?.write(Buffer.concat([chunk(delta(' two') + done), lastChunk]));
    }
    assert.equal(text, 'One two');
  });

  it('combines the deltas of one read into one event', async () => {
    const deltas = Array.from({ length: 500 }, (_, index) => delta(`${index} `)).join('');
    server = await startRawServer((socket) => {
      socket.write(Buffer.concat([streamHead(), chunk(deltas + done), lastChunk]));
    });
    tested = testClient(server.origin);
    const events = await allOf(tested.client.stream(chatCompletion(hello)));
    assert.ok(events.filter((each) => each.type === 'text').length <= 10, `${events.length} events`);
    assert.equal(
      events.map((each) => (each.type === 'text' ? each.text : '')).join(''),
      Array.from({ length: 500 }, (_, index) => `${index} `).join(''),
    );
  });

  it('keeps text and reasoning in order', async () => {
    server = await startRawServer((socket) => {
      const body = thought('a') + thought('b') + delta('C') + thought('d') + delta('E') + done;
      socket.write(Buffer.concat([streamHead(), chunk(body), lastChunk]));
    });
    tested = testClient(server.origin);
    const order = (await allOf(tested.client.stream(chatCompletion(hello)))).flatMap((each) =>
      each.type === 'text' || each.type === 'reasoning' ? [`${each.type} ${each.text}`] : [],
    );
    assert.deepEqual(order, ['reasoning ab', 'text C', 'reasoning d', 'text E']);
  });

  it('delivers every character to a slow reader, and makes the service wait', async () => {
    const pieces = times(15_000, chunk(delta('x'.repeat(1000))));
    const sent: number[] = [];
    server = await startRawServer((socket, _request, index) => {
      socket.write(streamHead());
      socket.write(pieces);
      socket.write(Buffer.concat([chunk(done), lastChunk]), () => sent.push(index));
    });
    tested = testClient(server.origin);
    let length = 0;
    for await (const each of tested.client.stream(chatCompletion(hello))) {
      if (each.type !== 'text') continue;
      if (length === 0) {
        // The same reply to a fast reader begins later. If all of this one were accepted, it would be sent before that.
        const other = await outcomeOf(tested.client.stream(chatCompletion(hello)));
        assert.deepEqual([other.text.length, sent.includes(0)], [15_000_000, false]);
      }
      length += each.text.length;
    }
    assert.equal(length, 15_000_000);
  });

  it('uses one connection for consecutive exchanges', async () => {
    server = await startRawServer((socket) => {
      socket.write(Buffer.concat([streamHead(), chunk(delta('Hi') + done), lastChunk]));
    });
    tested = testClient(server.origin);
    for (let round = 0; round < 3; round++)
      assert.equal((await outcomeOf(tested.client.stream(chatCompletion(hello)))).text, 'Hi');
    assert.equal(server.requests.length, 3);
    assert.equal(server.accepted(), 1);
  });

  it('opens another connection if the service closed the idle one', async () => {
    server = await startRawServer((socket) => socket.end(json(200, reply)));
    tested = testClient(server.origin);
    await allOf(tested.client.stream(chatCompletion(hello)));
    await server.allClosed();
    await allOf(tested.client.stream(chatCompletion(hello)));
    assert.equal(server.accepted(), 2);
  });

  it('gets another connection if the first one is just being closed', async () => {
    server = await startRawServer((socket) => socket.write(json(200, reply, { connection: 'close' })));
    tested = testClient(server.origin);
    for (let round = 0; round < 10; round++) {
      assert.equal((await outcomeOf(tested.client.stream(chatCompletion(hello)))).text, 'Hi');
    }
    assert.equal(server.accepted(), 10);
    // None of them used a retry.
    assert.equal(tested.exchanges.length, 10);
  });

  it('skips informational responses before the real one', async () => {
    server = await startRawServer((socket) => {
      socket.write('HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n');
      socket.write(json(200, reply));
    });
    tested = testClient(server.origin);
    const events = await allOf(tested.client.stream(chatCompletion(hello)));
    assert.equal(events.filter((each) => each.type === 'opened').length, 1);
    assert.equal(tested.exchanges[0]?.status, 200);
  });

  it('runs ten at once without mixing them', async () => {
    server = await startRawServer((socket, request) => {
      const { model } = parsed(request.body);
      socket.write(streamHead());
      let sent = 0;
      const tick = (): void => {
        sent += 1;
        socket.write(chunk(delta(`${model} `)));
        if (sent < 20) setImmediate(tick);
        else socket.write(Buffer.concat([chunk(done), lastChunk]));
      };
      tick();
    });
    tested = testClient(server.origin);
    const names = Array.from({ length: 10 }, (_, index) => `m${index}`);
    const outcomes = await Promise.all(
      names.map((model) => outcomeOf(tested.client.stream(chatCompletion({ ...hello, model })))),
    );
    assert.deepEqual(
      outcomes.map((each) => each.text),
      names.map((name) => `${name} `.repeat(20)),
    );
  });

  it('logs each exchange, without the key, the query, or a body', async () => {
    server = await startRawServer((socket, _request, index) => {
      if (index === 0) socket.write(answer(401, `{"error":{"message":"No: ${testKey}"}}`));
      else socket.write(json(200, reply, { 'x-request-id': 'req_2' }));
    });
    tested = testClient(server.origin);
    await outcomeOf(tested.client.stream(chatCompletion(hello)));
    await outcomeOf(tested.client.stream(chatCompletion(hello)));
    const [refused, ok] = tested.exchanges;
    const { host } = new URL(server.origin);
    assert.deepEqual(
      { ...refused, durationMs: 0, headMs: 0 },
      {
        method: 'POST',
        path: '/v1/chat/completions',
        host,
        status: 401,
        via: 'own',
        headMs: 0,
        durationMs: 0,
        outcome: 'failed',
        failure: 'unauthorized',
      },
    );
    assert.equal(ok?.outcome, 'ok');
    assert.equal(ok.requestId, 'req_2');
    assert.ok(!JSON.stringify(tested.exchanges).includes(testKey));
  });

  it("reads a gzip response that wasn't requested", async () => {
    const body = gzipSync(delta('Grüße'));
    server = await startRawServer((socket) => {
      socket.write(Buffer.concat([streamHead({ 'content-encoding': 'gzip' }), chunk(body.subarray(0, 20))]));
      socket.write(Buffer.concat([chunk(body.subarray(20)), lastChunk]));
    });
    tested = testClient(server.origin);
    assert.deepEqual(await outcomeOf(tested.client.stream(chatCompletion(hello))), {
      text: 'Grüße',
      reasoning: '',
      complete: false,
    });
  });

  it('reads a gzip response up to its [DONE]', async () => {
    server = await startRawServer((socket) => {
      socket.write(
        answer(200, gzipSync(delta('Grüße') + done), {
          'content-type': 'text/event-stream',
          'content-encoding': 'gzip',
        }),
      );
    });
    tested = testClient(server.origin);
    assert.deepEqual(await outcomeOf(tested.client.stream(chatCompletion(hello))), {
      text: 'Grüße',
      reasoning: '',
      complete: true,
    });
  });

  it('reports a response in an unknown encoding', async () => {
    server = await startRawServer((socket) => socket.write(answer(200, 'xx', { 'content-encoding': 'zstd-ish' })));
    tested = testClient(server.origin);
    assert.equal((await outcomeOf(tested.client.stream(chatCompletion(hello)))).failure?.kind, 'malformed');
  });

  it("with a key that can't be in a header is refused before anything is sent", async () => {
    server = await startRawServer((socket) => socket.write(json(200, reply)));
    for (const apiKey of ['two words', 'line\nbreak', 'schlüssel', '\u0000', 'sk-\u202e']) {
      tested = testClient(server.origin, { apiKey });
      const { failure } = await outcomeOf(tested.client.stream(chatCompletion(hello)));
      assert.deepEqual(failure, { kind: 'setup', missing: 'validApiKey' });
      tested.dispose();
    }
    assert.equal(server.accepted(), 0);
  });

  it('passes on what the endpoint says is missing, and wraps its bugs', async () => {
    server = await startRawServer(() => {});
    tested = testClient(server.origin);
    const missing = clientWith(() => Promise.reject(new ApiError({ kind: 'setup', missing: 'apiKey' })));
    assert.deepEqual(await failureOf(allOf(missing.stream(chatCompletion(hello)))), {
      kind: 'setup',
      missing: 'apiKey',
    });
    const bug = clientWith(() => Promise.reject(new TypeError('x is not a function')));
    assert.deepEqual(await failureOf(allOf(bug.stream(chatCompletion(hello)))), {
      kind: 'unexpected',
      message: 'TypeError: x is not a function',
    });
  });

  it('after the client was disposed fails without a connection', async () => {
    server = await startRawServer((socket) => socket.write(json(200, reply)));
    tested = testClient(server.origin);
    tested.dispose();
    assert.equal((await outcomeOf(tested.client.stream(chatCompletion(hello)))).failure?.kind, 'network');
    assert.equal(server.accepted(), 0);
  });

  it('that is running when the client is disposed fails, and its socket is closed', async () => {
    server = await startRawServer((socket) => socket.write(Buffer.concat([streamHead(), chunk(delta('Hi'))])));
    tested = testClient(server.origin);
    const outcome = await outcomeOf(
      (async function* () {
        for await (const each of tested.client.stream(chatCompletion(hello))) {
          yield each;
          if (each.type === 'text') tested.dispose();
        }
      })(),
    );
    assert.equal(outcome.text, 'Hi');
    assert.equal(outcome.failure?.kind, 'network');
    await server.allClosed();
  });
});
