import assert from 'node:assert/strict';
import { chatCompletion, type ChatOperation, type ChatRequest } from '../../../../src/api/operations/chatCompletion.ts';
import { FactsInMemory } from '../../../../src/api/service/serviceFacts.ts';
import { refusedFields, withRefusal } from '../../../../src/api/service/refusedFields.ts';
import { chunk, delta, done, json, lastChunk, type RawServer, startRawServer, streamHead } from '../rawServer.ts';
import { hello, instantClock, outcomeOf, testClient, type TestClient } from '../testClient.ts';

const reply = Buffer.concat([streamHead(), chunk(delta('Hi') + done), lastChunk]);
const refused = (message: string, param: string, code: string) =>
  json(400, { error: { message, type: 'invalid_request_error', param, code } });
const noLimit = refused(
  "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
  'max_tokens',
  'unsupported_parameter',
);
const noTemperature = refused(
  "Unsupported value: 'temperature' does not support 0 with this model. Only the default (1) value is supported.",
  'temperature',
  'unsupported_value',
);
const tooLittle = refused(
  'Could not finish the message because max_tokens or model output limit was reached. Please try again with higher max_tokens.',
  'max_tokens',
  'invalid_request',
);

describe("A model that refuses a request's field", () => {
  let server: RawServer;
  let tested: TestClient;
  afterEach(async () => {
    tested.dispose();
    await server.close();
  });
  /** Like OpenAI's reasoning models. */
  async function serve(options: Parameters<typeof testClient>[1] = {}): Promise<void> {
    server = await startRawServer((socket, { body }) => {
      const { max_tokens: old, max_completion_tokens: limit, temperature } = JSON.parse(body);
      socket.write(
        old !== undefined
          ? noLimit
          : temperature !== undefined && temperature !== 1
            ? noTemperature
            : limit < 20
              ? tooLittle
              : reply,
      );
    });
    tested = testClient(server.origin, options);
  }
  const bodies = () =>
    server.requests.map(({ body }) => {
      const { stream_options: _, ...fields } = JSON.parse(body);
      return Object.keys(fields).filter((name) => !['model', 'messages', 'stream'].includes(name));
    });
  const ask = (fields: object, own: ChatOperation['ownFields'] = []) =>
    outcomeOf(tested.client.stream({ ...chatCompletion({ ...hello, ...fields }), ownFields: own }));

  for (const stream of [true, false]) {
    it(`is sent its limit under the newer name, at once and from then on, ${stream ? 'streamed' : 'whole'}`, async () => {
      await serve();
      for (let round = 0; round < 2; round += 1) {
        assert.equal((await ask({ max_tokens: 800, stream })).text, 'Hi');
      }
      assert.deepEqual(bodies(), [['max_tokens'], ['max_completion_tokens'], ['max_completion_tokens']]);
      // In its place, so that the body reads as usual.
      assert.equal(Object.keys(JSON.parse(server.requests[1]?.body ?? '')).at(-1), 'max_completion_tokens');
    });
  }

  it('of a service whose other models accept it gets it again after a week', async () => {
    const clock = instantClock();
    await serve({ clock });
    await ask({ max_tokens: 800 });
    await clock.sleep(8 * 24 * 60 * 60 * 1000, undefined);
    await ask({ max_tokens: 800 });
    await ask({ model: 'another', max_tokens: 800 });
    assert.deepEqual(
      bodies().map(([name]) => name === 'max_tokens'),
      [true, false, true, false, true, false],
    );
  });

  for (const [whose, words, param] of [
    ["Mistral's", 'Extra inputs are not permitted', 'max_completion_tokens'],
    ["Google's", 'Invalid JSON payload received. Unknown name "max_completion_tokens": Cannot find field.', undefined],
  ] as const)
    it(`is sent its limit under the usual name again if it refuses the newer one, in ${whose} words`, async () => {
      let isNew = true;
      server = await startRawServer((socket, { body }) => {
        const refusal = body.includes('"max_tokens"')
          ? isNew && noLimit
          : !isNew && json(422, { error: { message: words, param } });
        socket.write(refusal || reply);
      });
      tested = testClient(server.origin);
      for (const is of [true, false, false]) {
        isNew = is;
        assert.equal((await ask({ max_tokens: 800 })).text, 'Hi');
      }
      assert.deepEqual(bodies().flat(), [
        'max_tokens',
        'max_completion_tokens',
        'max_completion_tokens',
        'max_tokens',
        'max_tokens',
      ]);
    });

  it('is sent each name once if it refuses both', async () => {
    let isNew = true;
    server = await startRawServer((socket, { body }) =>
      socket.write(
        body.includes('"max_tokens"')
          ? noLimit
          : isNew
            ? reply
            : json(400, { error: { message: 'Unrecognized request argument supplied: max_completion_tokens' } }),
      ),
    );
    tested = testClient(server.origin);
    await ask({ max_tokens: 800 });
    isNew = false;
    assert.equal((await ask({ max_tokens: 800 })).failure?.kind, 'badRequest');
    assert.deepEqual(bodies().flat().slice(2), ['max_completion_tokens', 'max_tokens', 'max_completion_tokens']);
  });

  it("is asked without a temperature of Parlance's own, but one that the user set is refused in words", async () => {
    await serve();
    const fields = { max_tokens: 800, temperature: 0 };
    assert.equal((await ask(fields, ['temperature'])).text, 'Hi');
    assert.equal((await ask(fields)).failure?.kind, 'badRequest');
    assert.deepEqual(bodies(), [
      ['max_tokens', 'temperature'],
      ['max_completion_tokens', 'temperature'],
      ['max_completion_tokens'],
      ['max_completion_tokens', 'temperature'],
    ]);
  });

  it("and thinks longer than Parlance's own limit gets a larger one, but one that the user set stays", async () => {
    await serve();
    assert.equal((await ask({ max_tokens: 16 }, ['max_tokens'])).text, 'Hi');
    assert.deepEqual(bodies(), [['max_tokens'], ['max_completion_tokens'], ['max_completion_tokens']]);
    assert.equal(JSON.parse(server.requests[2]?.body ?? '').max_completion_tokens, 4096);
    assert.equal((await ask({ max_tokens: 16 })).failure?.kind, 'badRequest');
    assert.equal(server.requests.length, 4);
  });

  for (const [name, words, field] of [
    [
      'Gemini',
      'Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly.',
      'extra_content',
    ],
    ['DeepSeek', 'The reasoning_content in the thinking mode must be passed back to the API.', 'reasoning_content'],
    [
      'Kimi',
      'thinking is enabled but reasoning_content is missing in assistant tool call message at index 1',
      'reasoning',
    ],
  ] as const) {
    it(`gets a substitute for what belongs to the tool calls of another: ${name}`, async () => {
      server = await startRawServer((socket, { body }) =>
        socket.write(body.includes(field) ? reply : json(400, { error: { message: words } })),
      );
      tested = testClient(server.origin);
      const call = { id: 'a', type: 'function', function: { name: 'get_time', arguments: '{}' } } as const;
      const messages: ChatRequest['messages'] = [
        ...hello.messages,
        { role: 'assistant', content: '', tool_calls: [call] },
        { role: 'tool', tool_call_id: 'a', content: '12:00' },
      ];
      assert.equal((await ask({ messages })).text, 'Hi');
      assert.equal(server.requests.length, 2);
      // Without calls there's nothing to add.
      assert.equal((await ask({})).failure?.kind, 'badRequest');
      assert.equal(server.requests.length, 3);
    });
  }

  it("gets a chat with tools by Mistral's rules once it names them, and from then on", async () => {
    const refusal = (message: string) => json(400, { object: 'error', message, type: 'invalid_request_error' });
    interface Sent {
      readonly role: string;
      readonly tool_call_id?: string;
      readonly tool_calls?: readonly { readonly id: string }[];
    }
    const messagesOf = (body: string): readonly Sent[] => JSON.parse(body).messages;
    const idsOf = (body: string) =>
      messagesOf(body).flatMap((sent) => sent.tool_call_id ?? sent.tool_calls?.map(({ id }) => id) ?? []);
    server = await startRawServer((socket, { body }) => {
      const wrong = idsOf(body).find((id) => !/^[a-zA-Z0-9]{9}$/.test(id));
      const roles = messagesOf(body).map(({ role }) => role);
      if (wrong !== undefined) {
        return socket.write(refusal(`Tool call id was ${wrong} but must be a-z, A-Z, 0-9, with a length of 9.`));
      }
      const isOut = roles.some((role, at) => role === 'user' && roles[at - 1] === 'tool');
      return socket.write(isOut ? refusal("Unexpected role 'user' after role 'tool'") : reply);
    });
    tested = testClient(server.origin);
    const callWith = (id: string) =>
      ({ id, type: 'function', function: { name: 'get_time', arguments: '{}' } }) as const;
    const messages: ChatRequest['messages'] = [
      ...hello.messages,
      { role: 'assistant', content: '', tool_calls: [callWith('toolu_1'), callWith('toolu_2')] },
      { role: 'tool', tool_call_id: 'toolu_2', content: '12:00' },
      { role: 'tool', tool_call_id: 'toolu_1', content: '13:00' },
      { role: 'assistant', content: '', tool_calls: [callWith('D681PevKs')] },
      { role: 'tool', tool_call_id: 'D681PevKs', content: '14:00' },
      { role: 'user', content: 'And now?' },
    ];
    for (let round = 0; round < 2; round += 1) assert.equal((await ask({ messages })).text, 'Hi');
    assert.equal(server.requests.length, 4);
    const last = server.requests[3]?.body ?? '';
    const [first, second, third, fourth, ...others] = idsOf(last);
    assert.deepEqual([third, fourth, ...others], [second, first, 'D681PevKs', 'D681PevKs']);
    assert.notEqual(first, second);
    assert.deepEqual(
      messagesOf(last).map(({ role }) => role),
      ['user', 'assistant', 'tool', 'tool', 'assistant', 'tool', 'assistant', 'user'],
    );
  });

  describe('that belongs to tool calls', () => {
    const call = { id: 'a', type: 'function', function: { name: 'get_time', arguments: '{}' } } as const;
    const contexts = {
      reasoning_content: 'Is it unknown?',
      reasoning_details: [{ type: 'reasoning.text', text: 'Is it unknown?' }],
    };
    const messages: ChatRequest['messages'] = [
      ...hello.messages,
      {
        role: 'assistant',
        content: '',
        ...contexts,
        tool_calls: [{ ...call, extra_content: { maker: { sig: 'x' } } }],
      },
      { role: 'tool', tool_call_id: 'a', content: '12:00' },
    ];
    const all = ['reasoning_content', 'reasoning_details', 'extra_content'] as const;
    const contextsOf = (body: string) => all.filter((field) => body.includes(`"${field}"`));
    /** @param refusals by the field that they're about. Each is made as long as its field is sent. */
    async function refuse(refusals: () => Readonly<Record<string, object>>): Promise<void> {
      server = await startRawServer((socket, { body }) => {
        const named = Object.entries(refusals()).find(([field]) =>
          field.startsWith('!') ? !body.includes(`"${field.slice(1)}"`) : body.includes(`"${field}"`),
        );
        socket.write(named === undefined ? reply : json(422, named[1]));
      });
      tested = testClient(server.origin);
    }
    const sentContexts = () => server.requests.map(({ body }) => contextsOf(body).join(' '));

    for (const [whose, refusals] of Object.entries({
      "Mistral's": {
        reasoning_content: {
          detail: [
            {
              type: 'extra_forbidden',
              loc: ['body', 'messages', 1, 'assistant', 'reasoning_content'],
              msg: 'Extra inputs are not permitted',
              input: 'Is it unknown?',
            },
          ],
        },
      },
      "LiteLLM's": {
        reasoning_content: {
          error: {
            message:
              'litellm.BadRequestError: MistralException - {"object":"error","message":{"detail":[{"type":"extra_forbidden","loc":["body","messages",1,"assistant","reasoning_content"],"msg":"Extra inputs are not permitted"}]}}',
          },
        },
      },
      "Groq's": {
        reasoning_content: {
          error: {
            message:
              "'messages.1' : for 'role:assistant' the following must be satisfied[('messages.1' : property 'reasoning_content' is unsupported)]",
          },
        },
      },
      "OpenAI's": {
        reasoning_content: {
          error: { message: 'No.', param: 'messages[1].reasoning_content', code: 'unknown_parameter' },
        },
      },
      "DeepSeek's": {
        reasoning_content: {
          error: {
            message:
              'The reasoning_content is an intermediate result for display purposes only. Please remove the reasoning_content from your message to reduce network traffic.',
          },
        },
      },
    }))
      it(`is left out at once and from then on, in ${whose} words`, async () => {
        await refuse(() => refusals);
        for (let round = 0; round < 2; round += 1) assert.equal((await ask({ messages })).text, 'Hi');
        const others = 'reasoning_details extra_content';
        assert.deepEqual(sentContexts(), [all.join(' '), others, others]);
        // Nothing else changed.
        const [, { reasoning_content: _, ...assistant }] = JSON.parse(server.requests[0]?.body ?? '').messages;
        assert.deepEqual(JSON.parse(server.requests[2]?.body ?? '').messages[1], assistant);
      });

    it('is left out one by one, or together if one refusal names several', async () => {
      const details = { error: { message: 'Extra inputs are not permitted, field: messages[1].reasoning_details' } };
      const both = {
        error: { message: 'Unknown name "reasoning_content". Unknown name "extra_content": Cannot find field.' },
      };
      await refuse(() => ({ reasoning_details: details, extra_content: both }));
      assert.equal((await ask({ messages })).text, 'Hi');
      assert.deepEqual(sentContexts(), [all.join(' '), 'reasoning_content extra_content', '']);
    });

    it('goes back once it is required', async () => {
      let isRequired = false;
      const refusal = { error: { message: 'Unknown parameter: reasoning_content' } };
      const missing = {
        error: { message: 'The reasoning_content in the thinking mode must be passed back to the API.' },
      };
      await refuse(() => (isRequired ? { '!reasoning_content': missing } : { reasoning_content: refusal }));
      await ask({ messages });
      isRequired = true;
      for (let round = 0; round < 2; round += 1) assert.equal((await ask({ messages })).text, 'Hi');
      const others = 'reasoning_details extra_content';
      assert.deepEqual(sentContexts(), [all.join(' '), others, others, all.join(' '), all.join(' ')]);
      assert.ok(server.requests.at(-1)?.body.includes('"reasoning_content":"Is it unknown?"'));
    });

    it('is sent no more often than that if it is refused and required', async () => {
      const refusal = { error: { message: 'Unknown parameter: reasoning_content' } };
      const missing = { error: { message: 'reasoning_content is missing in assistant tool call message' } };
      await refuse(() => ({ reasoning_content: refusal, '!reasoning_content': missing }));
      for (const times of [2, 5]) {
        assert.equal((await ask({ messages })).failure?.kind, 'badRequest');
        assert.equal(server.requests.length, times);
      }
    });

    it("isn't meant by a refusal of something else", async () => {
      await refuse(() => ({ messages: { error: { message: 'Unknown parameter: logprobs' } } }));
      assert.equal((await ask({ messages })).failure?.kind, 'badRequest');
      assert.equal(server.requests.length, 1);
    });
  });

  it('in vain is sent nothing a third time', async () => {
    server = await startRawServer((socket) => socket.write(noLimit));
    tested = testClient(server.origin);
    assert.equal((await ask({ max_tokens: 800 })).failure?.kind, 'badRequest');
    assert.equal(server.requests.length, 2);
  });

  it("isn't meant by a limit that is too large", async () => {
    server = await startRawServer((socket) =>
      socket.write(
        refused(
          "'max_tokens' or 'max_completion_tokens' is too large: 200000. This model supports at most 16384.",
          'max_tokens',
          'invalid_value',
        ),
      ),
    );
    tested = testClient(server.origin);
    assert.equal((await ask({ max_tokens: 200_000 })).failure?.kind, 'badRequest');
    assert.equal(server.requests.length, 1);
  });

  it('is remembered with all of its fields, for the latest hundred models', () => {
    const facts = new FactsInMemory();
    facts.learnedRefusal('s', 'm', 'max_tokens', 1);
    facts.learnedRefusal('s', 'm', 'temperature', 2);
    assert.deepEqual(facts.of('s').fieldsByModel, { m: { max_tokens: 1, temperature: 2 } });
    // Each for a week, however late another one was refused.
    const week = 7 * 24 * 60 * 60 * 1000;
    assert.deepEqual(refusedFields(facts.of('s').fieldsByModel ?? {}, 'm', week + 1), ['temperature']);
    facts.forgotRefusal('s', 'm', 'max_tokens');
    assert.deepEqual(facts.of('s').fieldsByModel, { m: { temperature: 2 } });
    facts.forgotRefusal('s', 'm', 'temperature');
    assert.deepEqual(facts.of('s').fieldsByModel, {});
    let known = {};
    for (let at = 0; at < 300; at += 1) known = withRefusal(known, `m${at}`, 'max_tokens', at);
    assert.equal(Object.keys(known).length, 100);
    assert.deepEqual(refusedFields(known, 'constructor', 300), []);
  });
});
