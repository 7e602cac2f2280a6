import assert from 'node:assert/strict';
import { ApiError } from '../../../src/api/apiError.ts';
import type { InferenceClient } from '../../../src/api/inferenceClient.ts';
import { type ImageRequest, imageGeneration } from '../../../src/api/operations/imageGeneration.ts';
import { type TranscriptionRequest, audioTranscription } from '../../../src/api/operations/audioTranscription.ts';
import { type VideoRequest, videoGeneration } from '../../../src/api/operations/videoGeneration.ts';
import type { ChatEvent } from '../../../src/api/types.ts';
import { type ChatRequest, chatCompletion } from '../../../src/api/operations/chatCompletion.ts';
import { json, type RawRequest, type RawServer, startRawServer } from './rawServer.ts';
import { statuses } from './statuses.ts';
import { allOf, failureOf, testClient, testKey } from './testClient.ts';
import { listModels } from '../../../src/api/operations/listModels.ts';

const user = { role: 'user', content: 'Hello' } as const;
const leastChat: ChatRequest = { model: 'maker/model', messages: [user], stream: false };
const leastVideo: VideoRequest = { model: 'maker/video' };

// One test for each row of the tables in the service's specification, over a real socket.
describe('The specification,', () => {
  let server: RawServer | undefined;
  afterEach(async () => {
    await server?.close();
    server = undefined;
  });

  /** The result of the client for this response, and the requests that it sent for it. */
  async function exchange<T>(
    answer: Buffer,
    call: (client: InferenceClient) => Promise<T>,
  ): Promise<{ readonly result: T; readonly requests: readonly RawRequest[] }> {
    const started = await startRawServer((socket) => socket.write(answer));
    server = started;
    const { client, dispose } = testClient(started.origin);
    try {
      return { result: await call(client), requests: started.requests };
    } finally {
      dispose();
    }
  }

  async function chatBody(request: ChatRequest): Promise<object> {
    const { requests } = await exchange(json(200, { id: 'c1' }), (client) =>
      allOf(client.stream(chatCompletion(request))),
    );
    return JSON.parse(requests[0]?.body ?? '');
  }

  async function eventsOf(reply: object): Promise<readonly ChatEvent[]> {
    const { result } = await exchange(json(200, reply), (client) => allOf(client.stream(chatCompletion(leastChat))));
    assert.equal(result.at(-1)?.type, 'end');
    return result.slice(2, -1).filter(({ type }) => type !== 'response');
  }

  describe('ChatRequest', () => {
    const values: Required<
      Pick<ChatRequest, 'model' | 'messages' | 'max_tokens' | 'temperature' | 'top_p' | 'stream'>
    > = {
      model: 'maker/Model-1.5',
      messages: [{ role: 'system', content: 'Be brief.' }, user],
      max_tokens: 12,
      temperature: 0,
      top_p: 0.25,
      stream: false,
    };
    for (const [field, value] of Object.entries(values)) {
      it(`${field} is sent unchanged`, async () => {
        const body = await chatBody({ ...leastChat, [field]: value });
        assert.deepEqual(Object.entries(body).find(([name]) => name === field)?.[1], value);
        // Anything unset is left to the service, except what the specification requires, and streaming.
        const names = new Set(['model', 'messages', 'stream', field]);
        assert.deepEqual(new Set(Object.keys(body)), names);
      });
    }
  });

  describe('Message', () => {
    for (const role of ['system', 'user', 'assistant'] as const) {
      it(`role is sent: ${role}`, async () => {
        const messages = [{ role, content: 'a' }, user];
        assert.deepEqual(await chatBody({ ...leastChat, messages }), { ...leastChat, messages });
      });
    }
    it('content is sent character by character', async () => {
      const messages = [{ role: 'user', content: ' "a"\\\n\t\u0000 Grüße 世界 👩‍💻 \ud800' }] as const;
      assert.deepEqual(await chatBody({ ...leastChat, messages }), { ...leastChat, messages });
    });
  });

  describe('ChatResponse', () => {
    for (const [field, value] of Object.entries({
      id: 'c1',
      object: 'chat.completion',
      created: 1_753_000_000,
      model: 'maker/model',
    })) {
      it(`${field} is optional, and enough for a reply`, async () => {
        assert.deepEqual(await eventsOf({ [field]: value }), []);
      });
    }
    it('choices is read', async () => {
      const choices = [{ message: { role: 'assistant', content: 'Hi' } }];
      assert.deepEqual(await eventsOf({ choices }), [{ type: 'text', text: 'Hi' }]);
    });
    it('usage is read', async () => {
      assert.deepEqual(await eventsOf({ usage: { total_tokens: 3 } }), [{ type: 'usage', usage: { totalTokens: 3 } }]);
    });
    it('x_metrics is read', async () => {
      const metrics = { tokensPerSecond: 40 };
      assert.deepEqual(await eventsOf({ x_metrics: { tps: 40 } }), [{ type: 'metrics', metrics }]);
    });
  });

  describe('Choice', () => {
    it('index distinguishes the choices: the first one is the reply', async () => {
      const choices = [
        { index: 1, message: { content: 'Other' } },
        { index: 0, message: { content: 'Hi' } },
      ];
      assert.deepEqual(await eventsOf({ choices }), [{ type: 'text', text: 'Hi' }]);
    });
    it('message contains the text', async () => {
      const choices = [{ index: 0, message: { role: 'assistant', content: 'Hi' } }];
      assert.deepEqual(await eventsOf({ choices }), [{ type: 'text', text: 'Hi' }]);
    });
    it('finish_reason is returned unchanged', async () => {
      const choices = [{ index: 0, message: { content: '' }, finish_reason: 'stop' }];
      assert.deepEqual(await eventsOf({ choices }), [{ type: 'finish', reason: 'stop' }]);
    });
  });

  describe('Usage', () => {
    for (const [field, name] of [
      ['prompt_tokens', 'promptTokens'],
      ['completion_tokens', 'completionTokens'],
      ['total_tokens', 'totalTokens'],
    ] as const) {
      it(`${field} is read`, async () => {
        assert.deepEqual(await eventsOf({ usage: { [field]: 7 } }), [{ type: 'usage', usage: { [name]: 7 } }]);
      });
    }
  });

  describe('Metrics', () => {
    for (const [field, name] of [
      ['ttft_seconds', 'ttftSeconds'],
      ['tps', 'tokensPerSecond'],
      ['total_time_seconds', 'totalTimeSeconds'],
    ] as const) {
      it(`${field} is read`, async () => {
        const expected = [{ type: 'metrics', metrics: { [name]: 0.25 } }];
        assert.deepEqual(await eventsOf({ x_metrics: { [field]: 0.25 } }), expected);
      });
    }
  });

  describe('VideoGenerationRequest', () => {
    const values: Required<VideoRequest> = {
      model: 'maker/video',
      prompt: 'A kite.',
      duration: 5,
      resolution: '720p',
      fps: 24,
      aspect_ratio: '16:9',
      image: null,
      audio: 'https://media.test/in.wav',
      draft: true,
      save_audio: false,
      prompt_upsampling: false,
    };
    for (const [field, value] of Object.entries(values)) {
      it(`${field} is sent unchanged`, async () => {
        const made = json(200, { data: [{ url: 'https://media.test/1.mp4' }] });
        const { requests } = await exchange(made, (client) =>
          client.ask(videoGeneration({ ...leastVideo, [field]: value })),
        );
        assert.deepEqual(JSON.parse(requests[0]?.body ?? ''), { ...leastVideo, [field]: value });
      });
    }
  });

  describe('VideoGenerationResponse', () => {
    const url = 'https://media.test/1.mp4';
    it('created is the time of the request', async () => {
      const answer = json(200, { created: 1_753_000_000, data: [{ url }] });
      const { result } = await exchange(answer, (client) => client.ask(videoGeneration(leastVideo)));
      assert.equal(result.created, 1_753_000_000);
    });
    it('data contains the URL of each video', async () => {
      const answer = json(200, { data: [{ url }, { url: `${url}?2` }] });
      const { result } = await exchange(answer, (client) => client.ask(videoGeneration(leastVideo)));
      assert.deepEqual(
        result.videos.map((video) => video.url),
        [url, `${url}?2`],
      );
    });
  });

  describe('the endpoint', () => {
    const image: ImageRequest = { model: 'm', positive_prompt: 'p' };
    const parts = [{ type: 'text', text: 'Hi' }] as const;
    const leastPictureChat: ChatRequest = { ...leastChat, messages: [{ role: 'user', content: parts }] };
    const file = { name: 'a.wav', mediaType: 'audio/wav', bytes: new Uint8Array(4) };
    const recording: TranscriptionRequest = { model: 'm', file };
    const link = { data: [{ url: 'https://media.test/1' }] };
    const reply = { id: 'c1' };
    const rows: readonly (readonly [string, object, (client: InferenceClient) => Promise<unknown>])[] = [
      ['POST /v1/chat/completions', reply, (client) => allOf(client.stream(chatCompletion(leastChat)))],
      ['POST /v1/videos/generations', link, (client) => client.ask(videoGeneration(leastVideo))],
      [
        'POST /api/v1/svcai/chat/completions',
        reply,
        (client) => allOf(client.stream(chatCompletion(leastChat), { api: 'native' })),
      ],
      ['POST /api/v1/svcai/image/generation', link, (client) => client.ask(imageGeneration(image))],
      ['POST /api/v1/svcai/audio/transcribe', { text: 'Hi' }, (client) => client.ask(audioTranscription(recording))],
      ['POST /api/v1/svcai/multimodal/chat', reply, (client) => allOf(client.stream(chatCompletion(leastPictureChat)))],
      ['GET /api/v1/models', { data: [{ id: 'm' }] }, (client) => client.ask(listModels)],
    ];
    for (const [line, answer, call] of rows) {
      it(`${line} is requested once, with the key`, async () => {
        const { requests } = await exchange(json(200, answer), call);
        const sent = requests.map(({ method, target, headers }) => [`${method} ${target}`, headers['authorization']]);
        assert.deepEqual(sent, [[line, `Bearer ${testKey}`]]);
      });
    }
  });

  describe('ErrorResponse', () => {
    const error = { message: 'No.', type: 'a_type', code: 'a_code', param: 'top_p', request_id: 'req_7' };
    for (const [field, name] of [
      ['message', 'message'],
      ['type', 'type'],
      ['code', 'code'],
      ['param', 'param'],
      ['request_id', 'requestId'],
    ] as const) {
      it(`${field} is kept`, async () => {
        const { result } = await exchange(json(400, { error }), (client) =>
          failureOf(allOf(client.stream(chatCompletion(leastChat)))),
        );
        assert.equal(Object.entries(result).find(([key]) => key === name)?.[1], error[field]);
      });
    }
    it('param can be null', async () => {
      const { result } = await exchange(json(400, { error: { ...error, param: null } }), (client) =>
        failureOf(allOf(client.stream(chatCompletion(leastChat)))),
      );
      assert.deepEqual('param' in result, false);
    });
  });

  describe('the status', () => {
    for (const [status, kind, type, code, param] of statuses) {
      it(`${status} with ${type} and ${code} is ${kind}`, async () => {
        const error = { message: 'No.', type, code, param, request_id: 'req_7' };
        const { result } = await exchange(json(status, { error }), (client) =>
          allOf(client.stream(chatCompletion(leastChat))).catch((thrown: unknown) => thrown),
        );
        assert.ok(result instanceof ApiError);
        const named = { kind, status, message: 'No.', type, code, requestId: 'req_7', body: 'json' };
        assert.deepEqual(result.failure, param === null ? named : { ...named, param });
      });
    }
  });
});
