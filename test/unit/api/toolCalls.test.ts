import assert from 'node:assert/strict';
import { ApiError } from '../../../src/api/apiError.ts';
import type { ChatTool, ToolCall } from '../../../src/api/toolTypes.ts';
import type { ChatEvent } from '../../../src/api/types.ts';
import { type ChatRequest, chatCompletion } from '../../../src/api/operations/chatCompletion.ts';
import type { ApiFailure } from '../../../src/shared/apiFailure.ts';
import { type InferenceService, startInferenceService } from '../../service/inferenceService.ts';
import { chunk, done, json, lastChunk, startRawServer, streamHead } from './rawServer.ts';
import { hello, testClient } from './testClient.ts';

const weather: ChatTool = {
  type: 'function',
  function: {
    name: 'get_weather',
    description: 'Weather of a place.',
    parameters: { type: 'object', properties: { place: { type: 'string' } }, required: ['place'] },
  },
};
const time: ChatTool = { type: 'function', function: { name: 'get_time' } };

interface Called {
  readonly text: string;
  readonly calls: readonly ToolCall[];
  readonly finish: string | undefined;
  readonly order: readonly ChatEvent['type'][];
  readonly failure: ApiFailure | undefined;
}

async function called(events: AsyncIterable<ChatEvent>): Promise<Called> {
  const all: ChatEvent[] = [];
  let failure: ApiFailure | undefined;
  try {
    for await (const event of events) all.push(event);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    failure = error.failure;
  }
  return {
    text: all.map((event) => (event.type === 'text' ? event.text : '')).join(''),
    calls: all.flatMap((event) => (event.type === 'toolCall' ? [event.call] : [])),
    finish: all.find((event) => event.type === 'finish')?.reason,
    order: all.map((event) => event.type),
    failure,
  };
}

function piece(calls: unknown, rest: object = {}): string {
  return `data: ${JSON.stringify({ choices: [{ index: 0, delta: { tool_calls: calls }, ...rest }] })}\n\n`;
}

const finished = `data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] })}\n\n`;

/** What the client returns for these bytes, cut after this many each time. */
async function answered(bytes: Buffer, size: number): Promise<Called> {
  const server = await startRawServer((socket) => {
    for (let at = 0; at < bytes.length; at += size) socket.write(bytes.subarray(at, at + size));
    socket.end();
  });
  const { client, dispose } = testClient(server.origin);
  try {
    return await called(client.stream(chatCompletion({ ...hello, tools: [weather, time] })));
  } finally {
    dispose();
    await server.close();
  }
}

const streamed = (text: string) => Buffer.concat([streamHead(), chunk(text), lastChunk]);

describe('Tool calls in a stream', () => {
  for (const size of [1, 7, 100_000]) {
    it(`are assembled from their pieces, read in ${size} bytes`, async () => {
      const text = [
        piece([{ index: 0, id: 'a', type: 'function', function: { name: 'get_weather', arguments: '' } }]),
        piece([{ index: 0, function: { arguments: '{"place":"Zür' } }]),
        piece([{ index: 1, id: 'b', type: 'function', function: { name: 'get_time', arguments: '{}' } }]),
        piece([{ index: 0, function: { arguments: 'ich"}' } }]),
        finished,
        done,
      ].join('');
      const { calls, finish, order, failure } = await answered(streamed(text), size);
      assert.equal(failure, undefined);
      assert.deepEqual(calls, [
        { id: 'a', name: 'get_weather', input: { place: 'Zürich' } },
        { id: 'b', name: 'get_time', input: {} },
      ]);
      assert.equal(finish, 'tool_calls');
      assert.equal(order.at(-1), 'end');
    });
  }

  it("are distinguished by their IDs if the service doesn't number them", async () => {
    const text = [
      piece([{ id: 'a', function: { name: 'get_weather', arguments: '{"place":' } }]),
      piece([{ function: { arguments: '"Rom"}' } }]),
      piece([{ id: 'b', function: { name: 'get_time' } }]),
      finished,
      done,
    ].join('');
    assert.deepEqual((await answered(streamed(text), 50)).calls, [
      { id: 'a', name: 'get_weather', input: { place: 'Rom' } },
      { id: 'b', name: 'get_time', input: {} },
    ]);
  });

  it('are distinguished by their IDs if the service gives all of them the same number', async () => {
    const text = [
      piece([{ index: 0, id: 'a', function: { name: 'get_weather', arguments: '{"place":' } }]),
      piece([{ index: 0, function: { arguments: '"Rom"}' } }]),
      piece([{ index: 0, id: 'b', function: { name: 'get_weather', arguments: '{"place":' } }]),
      piece([{ index: 0, id: 'b', function: { arguments: '"Oslo"}' } }]),
      finished,
      done,
    ].join('');
    assert.deepEqual((await answered(streamed(text), 50)).calls, [
      { id: 'a', name: 'get_weather', input: { place: 'Rom' } },
      { id: 'b', name: 'get_weather', input: { place: 'Oslo' } },
    ]);
  });

  it('are distinguished by their names and inputs if all have the same number and none an ID', async () => {
    const text = [
      piece([{ index: 0, id: '', function: { name: 'get_time', arguments: '{"zone":"UTC"}' } }]),
      piece([{ index: 0, id: '', function: { name: 'get_time', arguments: '{"zone":"CET"}' } }]),
      finished,
      done,
    ].join('');
    assert.deepEqual(
      (await answered(streamed(text), 50)).calls.map(({ input }) => input),
      [{ zone: 'UTC' }, { zone: 'CET' }],
    );
  });

  for (const [how, given] of [
    ['neither a number nor an ID', {}],
    ['the same number and ID', { index: 0, id: 'a' }],
    ['no number and the same ID', { id: 'a' }],
  ] as const)
    it(`are distinguished by their names and inputs if all have ${how}, in pieces or whole`, async () => {
      const named = (zone: string) => ({ ...given, function: { name: 'get_time', arguments: `{"zone":"${zone}"}` } });
      const [begun, rest] = ['{"zone":', '"CET"}'].map((text) => ({ ...given, function: { arguments: text } }));
      const streams = [
        piece([named('UTC')]) + piece([named('CET')]),
        piece([named('UTC'), named('CET')]),
        piece([named('UTC')]) +
          piece([{ ...begun, function: { ...begun?.function, name: 'get_time' } }]) +
          piece([rest]),
      ].map((text) => streamed(text + finished + done));
      const message = { content: null, tool_calls: [named('UTC'), named('CET')] };
      for (const body of [...streams, json(200, { choices: [{ message, finish_reason: 'tool_calls' }] })]) {
        const { calls, failure } = await answered(body, 50);
        assert.equal(failure, undefined);
        assert.deepEqual(
          calls.map(({ input }) => input),
          [{ zone: 'UTC' }, { zone: 'CET' }],
        );
        if ('id' in given) assert.equal(calls[0]?.id, 'a');
        assert.equal(new Set(calls.map(({ id }) => id)).size, 2);
      }
    });

  it('are one call if each piece has an ID of its own, as from an older vLLM, or repeats the name', async () => {
    const text = [
      piece([{ index: 0, id: 'a', function: { name: 'get_time', arguments: '' } }]),
      piece([{ index: 0, id: 'b', function: { arguments: '{"zone":' } }]),
      piece([{ index: 0, id: 'c', function: { arguments: '"UTC"}' } }]),
      piece([{ index: 1, id: 'd', function: { name: 'get_weather', arguments: '{"place":' } }]),
      piece([{ index: 1, id: 'd', function: { name: 'get_weather', arguments: '"Rom"}' } }]),
      piece([{ index: 1, function: { name: 'get_weather', arguments: '' } }]),
      finished,
      done,
    ].join('');
    assert.deepEqual((await answered(streamed(text), 50)).calls, [
      { id: 'a', name: 'get_time', input: { zone: 'UTC' } },
      { id: 'd', name: 'get_weather', input: { place: 'Rom' } },
    ]);
  });

  it('get an ID if the service sends none, and accept an object for arguments', async () => {
    const text = piece([{ index: 0, function: { name: 'get_time', arguments: { zone: 'UTC' } } }]) + finished + done;
    const [call] = (await answered(streamed(text), 50)).calls;
    assert.deepEqual(call?.input, { zone: 'UTC' });
    assert.match(call.id, /^call_./);
    // OpenAI and Azure refuse longer ones, if such a call is sent to them later.
    assert.ok(call.id.length <= 40, call.id);
  });

  it('have what their service expects back: the signature of Gemini, and the reasoning of DeepSeek', async () => {
    const signature = { google: { thought_signature: 'c2ln' } };
    const think = (text: string) =>
      `data: ${JSON.stringify({ choices: [{ index: 0, delta: { reasoning_content: text } }] })}\n\n`;
    const text = [
      think('Which '),
      think('place?'),
      piece([{ index: 0, id: 'a', function: { name: 'get_weather', arguments: '{}' }, extra_content: signature }]),
      piece([{ index: 1, id: 'b', function: { name: 'get_time', arguments: '{}' } }]),
      finished,
      done,
    ].join('');
    const reasoningContent = 'Which place?';
    assert.deepEqual(
      (await answered(streamed(text), 50)).calls.map(({ context }) => context),
      [{ extraContent: signature, reasoningContent }, { reasoningContent }],
    );
    const call = { id: 'a', type: 'function', function: { name: 'get_time', arguments: '{}' } };
    const message = { content: null, reasoning_content: '', tool_calls: [{ ...call, extra_content: signature }] };
    const whole = json(200, { choices: [{ message, finish_reason: 'tool_calls' }] });
    assert.deepEqual((await answered(whole, 9)).calls[0]?.context, { extraContent: signature, reasoningContent: '' });
    // Others have other names for it, and don't expect it back.
    const other = json(200, { choices: [{ message: { content: null, reasoning: 'Hm', tool_calls: [call] } }] });
    assert.equal((await answered(other, 9)).calls[0]?.context, undefined);
  });

  it("have OpenRouter's details of the reasoning, joined from their pieces in the order of the first ones", async () => {
    const details = (...list: readonly unknown[]) =>
      `data: ${JSON.stringify({ choices: [{ index: 0, delta: { reasoning_details: list } }] })}\n\n`;
    const format = 'anthropic-claude-v1';
    const text = [
      details({ type: 'reasoning.text', text: 'Which ', format, index: 0 }),
      details({ type: 'reasoning.text', text: 'place?', format, index: 0 }),
      details({ type: 'reasoning.text', signature: 'c2ln', format, index: 0 }),
      details({ type: 'reasoning.encrypted', data: 'one', id: 'a', index: 1 }),
      details({ type: 'reasoning.encrypted', data: 'two', id: 'b', index: 1 }),
      details({ type: 'reasoning.summary', summary: 'No ' }, { type: 'reasoning.summary', summary: 'place' }),
      details({ type: 'reasoning.summary', summary: ' yet' }, 'unknown'),
      piece([{ index: 0, id: 'a', function: { name: 'get_weather', arguments: '{}' } }]),
      finished,
      done,
    ].join('');
    assert.deepEqual((await answered(streamed(text), 50)).calls[0]?.context, {
      reasoningDetails: [
        { type: 'reasoning.text', text: 'Which place?', signature: 'c2ln', format, index: 0 },
        { type: 'reasoning.encrypted', data: 'one', id: 'a', index: 1 },
        { type: 'reasoning.encrypted', data: 'two', id: 'b', index: 1 },
        { type: 'reasoning.summary', summary: 'No ' },
        { type: 'reasoning.summary', summary: 'place yet' },
      ],
    });
  });

  it('arrive whole in a whole response', async () => {
    const message = {
      content: null,
      tool_calls: [{ id: 'a', type: 'function', function: { name: 'get_time', arguments: '{"zone":"UTC"}' } }],
    };
    const whole = json(200, { choices: [{ message, finish_reason: 'tool_calls' }] });
    assert.deepEqual((await answered(whole, 9)).calls, [{ id: 'a', name: 'get_time', input: { zone: 'UTC' } }]);
  });

  it("that aren't JSON are an error, never dropped silently", async () => {
    const text = piece([{ index: 0, id: 'a', function: { name: 'get_time', arguments: '{"zone":' } }]) + finished;
    const { calls, failure } = await answered(streamed(text + done), 50);
    assert.deepEqual(calls, []);
    assert.equal(failure?.kind, 'malformed');
  });

  it('are left out if the reply reached its maximum length, and the finish reason says so', async () => {
    const cut = piece([{ index: 0, id: 'a', function: { name: 'get_time', arguments: '{"zo' } }], {
      finish_reason: 'length',
    });
    const { calls, finish, failure } = await answered(streamed(cut + done), 50);
    assert.deepEqual([calls, finish, failure], [[], 'length', undefined]);
  });

  it("whose stream broke aren't carried out, and the request isn't sent again", async () => {
    const server = await startRawServer((socket) => {
      socket.write(streamHead());
      socket.write(chunk(piece([{ index: 0, id: 'a', function: { name: 'get_time', arguments: '{}' } }])));
      setTimeout(() => socket.destroy(), 50);
    });
    const { client, dispose } = testClient(server.origin);
    const { calls, failure } = await called(client.stream(chatCompletion({ ...hello, tools: [time] })));
    assert.deepEqual(calls, []);
    assert.equal(failure?.kind, 'connectionLost');
    assert.equal(server.requests.length, 1);
    dispose();
    await server.close();
  });
});

describe('Tools with the local service', () => {
  let service: InferenceService;
  let tested: ReturnType<typeof testClient>;
  before(async () => {
    service = await startInferenceService({ tokensPerSecond: Infinity });
    tested = testClient(new URL(service.baseUrl).origin, { apiKey: service.apiKey });
  });
  after(async () => {
    tested.dispose();
    await service.close();
  });

  const asking = (content: string, rest: Partial<ChatRequest> = {}): ChatRequest => ({
    model: 'local/caller',
    messages: [{ role: 'user', content }],
    tools: [weather, time],
    stream: true,
    ...rest,
  });

  for (const stream of [true, false]) {
    it(`are called, and their results come back, ${stream ? 'streamed' : 'whole'}`, async () => {
      const ask = asking('Call get_weather {"place":"Oslo {N}"} and get_time, please', { stream });
      const first = await called(tested.client.stream(chatCompletion(ask)));
      assert.deepEqual(
        first.calls.map(({ name, input }) => [name, input]),
        [
          ['get_weather', { place: 'Oslo {N}' }],
          ['get_time', {}],
        ],
      );
      assert.equal(first.finish, 'tool_calls');
      const asked = first.calls.map(({ id, name, input }) => ({
        id,
        type: 'function' as const,
        function: { name, arguments: JSON.stringify(input) },
      }));
      const second = await called(
        tested.client.stream(
          chatCompletion({
            ...ask,
            messages: [
              ...ask.messages,
              { role: 'assistant', content: first.text, tool_calls: asked },
              ...first.calls.map(({ id, name }) => ({
                role: 'tool' as const,
                tool_call_id: id,
                content: `${name}: fine`,
              })),
            ],
          }),
        ),
      );
      assert.equal(second.text, 'The tool gave: get_weather: fine\nThe tool gave: get_time: fine');
      assert.deepEqual([second.calls, second.finish], [[], 'stop']);
    });
  }

  it('must be called if one is required, with input that matches the schema', async () => {
    const { calls } = await called(tested.client.stream(chatCompletion(asking('Hello', { tool_choice: 'required' }))));
    assert.deepEqual(
      calls.map(({ name, input }) => [name, input]),
      [['get_weather', { place: 'something' }]],
    );
  });

  it("aren't sent if there are none", async () => {
    const { tools: _, ...plain } = asking('Hello');
    await called(tested.client.stream(chatCompletion(plain)));
    const body = service.log().at(-1)?.requestBody;
    assert.ok(typeof body === 'object' && body !== null && !('tools' in body));
  });

  it('in an invalid form are refused with the name of the field', async () => {
    const wrong = asking('Hello', { messages: [{ role: 'tool', content: 'x', tool_call_id: '' }] });
    const { failure } = await called(tested.client.stream(chatCompletion(wrong)));
    assert.equal(failure?.kind, 'badRequest');
    assert.equal(failure.param, 'messages[0].tool_call_id');
  });
});
