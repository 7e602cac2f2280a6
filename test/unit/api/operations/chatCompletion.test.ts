import assert from 'node:assert/strict';
import { type ChatRequest, chatCompletion } from '../../../../src/api/operations/chatCompletion.ts';
import { chunk, delta, done, json, lastChunk, startRawServer, streamHead, type RawServer } from '../rawServer.ts';
import { hello, outcomeOf, testClient, testKey, type TestClient } from '../testClient.ts';

const reply = Buffer.concat([streamHead(), chunk(delta('Hi') + done), lastChunk]);
const hi = { text: 'Hi', reasoning: '', complete: true };
const pictures: ChatRequest = {
  model: 'maker/seer',
  stream: true,
  messages: [
    { role: 'system', content: 'Be brief.' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'What is this?' },
        { type: 'image_url', image_url: { url: 'https://media.test/1.png' } },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } },
      ],
    },
  ],
};

describe('A chat', () => {
  let server: RawServer;
  let tested: TestClient;
  afterEach(async () => {
    tested.dispose();
    await server.close();
  });

  async function serve(
    options: Parameters<typeof testClient>[1] = {},
    bytes: Buffer = reply,
  ): Promise<TestClient['client']> {
    server = await startRawServer((socket) => socket.write(bytes));
    tested = testClient(server.origin, options);
    return tested.client;
  }
  const target = (): string | undefined => server.requests[0]?.target;

  it('on the native path streams the same, with the same fields and key', async () => {
    assert.deepEqual(await outcomeOf((await serve()).stream(chatCompletion(hello), { api: 'native' })), hi);
    assert.equal(target(), '/api/v1/svcai/chat/completions');
    assert.equal(server.requests[0]?.headers['authorization'], `Bearer ${testKey}`);
    assert.deepEqual(JSON.parse(server.requests[0].body), hello);
  });

  it('is sent to the API that the user selected for chats, unless it names one itself', async () => {
    const client = await serve({ chatApi: 'native' });
    await outcomeOf(client.stream(chatCompletion(hello)));
    await outcomeOf(client.stream(chatCompletion(hello), { api: 'compatible' }));
    assert.deepEqual(
      server.requests.map((request) => request.target),
      ['/api/v1/svcai/chat/completions', '/v1/chat/completions'],
    );
  });

  it('on the native path uses the configured segment', async () => {
    await outcomeOf((await serve({ nativeSegment: 'other' })).stream(chatCompletion(hello), { api: 'native' }));
    assert.equal(target(), '/api/v1/other/chat/completions');
  });

  it('on the native path is sent to the native host if that is a different one', async () => {
    const base = await startRawServer(() => {});
    server = await startRawServer((socket) => socket.write(reply));
    tested = testClient(base.origin, { nativeOrigin: server.origin });
    assert.deepEqual(await outcomeOf(tested.client.stream(chatCompletion(hello), { api: 'native' })), hi);
    assert.equal(base.accepted(), 0);
    await base.close();
  });

  it('with images is sent to the native multimodal path, with its parts unchanged', async () => {
    assert.deepEqual(await outcomeOf((await serve()).stream(chatCompletion(pictures))), hi);
    assert.equal(target(), '/api/v1/svcai/multimodal/chat');
    assert.deepEqual(JSON.parse(server.requests[0]?.body ?? ''), pictures);
  });

  it('with images is sent to the chat path of a compatible service', async () => {
    assert.deepEqual(await outcomeOf((await serve()).stream(chatCompletion(pictures), { api: 'compatible' })), hi);
    assert.equal(target(), '/v1/chat/completions');
    assert.deepEqual(JSON.parse(server.requests[0]?.body ?? ''), pictures);
  });

  it('with images can be answered in one piece', async () => {
    const whole = json(200, { choices: [{ message: { content: 'A kite.' }, finish_reason: 'stop' }] });
    const client = await serve({}, whole);
    const outcome = await outcomeOf(client.stream(chatCompletion({ ...pictures, stream: false })));
    assert.deepEqual(outcome, { text: 'A kite.', reasoning: '', finish: 'stop', complete: true });
  });

  it('on any path is retried like a chat', async () => {
    server = await startRawServer((socket, _request, index) => socket.write(index < 2 ? json(502, {}) : reply));
    tested = testClient(server.origin);
    assert.deepEqual(await outcomeOf(tested.client.stream(chatCompletion(pictures))), hi);
    assert.equal(server.requests.length, 3);
  });

  it('logs how many tokens it took', async () => {
    const usage = { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 };
    const client = await serve({}, json(200, { choices: [{ message: { content: 'Hi' } }], usage }));
    await outcomeOf(client.stream(chatCompletion({ ...hello, stream: false })));
    assert.deepEqual(tested.exchanges[0]?.usage, { promptTokens: 3, completionTokens: 4, totalTokens: 7 });
  });
});
