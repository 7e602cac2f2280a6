import assert from 'node:assert/strict';
import OpenAI, {
  APIConnectionError,
  APIError,
  AuthenticationError,
  BadRequestError,
  InternalServerError,
  NotFoundError,
  PermissionDeniedError,
  RateLimitError,
} from 'openai';
import { type InferenceService, startInferenceService } from '../../service/inferenceService.ts';
import { pictureShape } from '../../service/pictures/pictureShape.ts';
import { pngUrl, wavFile } from './sampleFiles.ts';

const question = { model: 'local/echo', messages: [{ role: 'user', content: 'Hello, you there' }] } as const;

describe('The npm package openai', () => {
  let service: InferenceService;
  let client: OpenAI;

  before(async () => {
    service = await startInferenceService({ tokensPerSecond: Infinity });
    client = new OpenAI({ baseURL: service.baseUrl, apiKey: service.apiKey, maxRetries: 0 });
  });

  after(() => service.close());

  it('chats without streaming', async () => {
    const completion = await client.chat.completions.create({
      ...question,
      messages: [...question.messages],
      stream: false,
    });
    assert.equal(completion.object, 'chat.completion');
    assert.equal(completion.choices[0]?.message.content, 'Hello, you there');
    assert.equal(completion.choices[0].finish_reason, 'stop');
    assert.deepEqual(completion.usage, { prompt_tokens: 4, completion_tokens: 4, total_tokens: 8 });
    assert.equal(completion.id, `chatcmpl-${service.log().at(-1)?.id.slice('req_'.length)}`);
  });

  it('chats with streaming', async () => {
    const stream = await client.chat.completions.create({
      ...question,
      messages: [...question.messages],
      stream: true,
    });
    let text = '';
    let finish: string | null = null;
    for await (const chunk of stream) {
      text += chunk.choices[0]?.delta.content ?? '';
      finish = chunk.choices[0]?.finish_reason ?? finish;
    }
    assert.equal(text, 'Hello, you there');
    assert.equal(finish, 'stop');
  });

  it('collects a stream with its own helper', async () => {
    const runner = client.chat.completions.stream({
      model: 'local/writer',
      messages: [{ role: 'user', content: 'write 50 tokens' }],
    });
    const completion = await runner.finalChatCompletion();
    assert.equal(completion.usage?.completion_tokens, 50);
    assert.equal(await runner.finalContent(), completion.choices[0]?.message.content);
  });

  it('stops a stream, and the service notices', async () => {
    const stream = await client.chat.completions.create({
      model: 'local/slow',
      messages: [{ role: 'user', content: 'Hi' }],
      stream: true,
    });
    stream.controller.abort();
    const entry = await service.waitForEntry(({ model, outcome }) => model === 'local/slow' && outcome !== 'running');
    assert.equal(entry.outcome, 'canceled');
  });

  it('sends images', async () => {
    const completion = await client.chat.completions.create({
      model: 'local/vision',
      stream: false,
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What is it?' },
            { type: 'image_url', image_url: { url: await pngUrl(5, 4) } },
          ],
        },
      ],
    });
    assert.match(completion.choices[0]?.message.content ?? '', /^Picture 1: PNG, 5 × 4 pixels/);
  });

  it('calls tools', async () => {
    const completion = await client.chat.completions
      .stream({
        model: 'local/caller',
        messages: [{ role: 'user', content: 'Call get_time {"zone":"UTC"}' }],
        tools: [{ type: 'function', function: { name: 'get_time', parameters: { type: 'object' } } }],
      })
      .finalChatCompletion();
    const [call] = completion.choices[0]?.message.tool_calls ?? [];
    assert.equal(completion.choices[0]?.finish_reason, 'tool_calls');
    assert.deepEqual(call?.type === 'function' && call.function.arguments, '{"zone":"UTC"}');
  });

  it('lists the models', async () => {
    const ids: string[] = [];
    for await (const model of client.models.list()) ids.push(model.id);
    assert.equal(ids.length, 40);
    assert.equal(ids[0], 'local/writer');
  });

  it('generates a video', async () => {
    const body = { model: 'local/video', prompt: 'A red ball', resolution: '32p', duration: 1, fps: 4 };
    const answer = await client.post<{ readonly created: number; readonly data: readonly { readonly url: string }[] }>(
      '/videos/generations',
      { body },
    );
    const video = await fetch(answer.data[0]?.url ?? '');
    assert.equal(video.headers.get('content-type'), 'video/webm');
    assert.ok((await video.arrayBuffer()).byteLength > 100);
    assert.ok(Math.abs(answer.created - Date.now() / 1000) < 60);
  });

  it('chats on the native path, and lists the models there', async () => {
    const native = (path: string) =>
      new OpenAI({ baseURL: `${service.nativeUrl}${path}`, apiKey: service.apiKey, maxRetries: 0 });
    const stream = await native('/v1/svcai').chat.completions.create({
      ...question,
      messages: [...question.messages],
      stream: true,
    });
    let text = '';
    for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? '';
    assert.equal(text, 'Hello, you there');
    const ids: string[] = [];
    for await (const model of native('/v1').models.list()) ids.push(model.id);
    assert.equal(ids.length, 40);
  });

  it('generates images, as links and as base64', async () => {
    const wanted = { prompt: 'A lighthouse', size: '256x256', n: 2 } as const;
    const linked = await client.images.generate({ ...wanted, model: 'local/image' });
    const links = linked.data?.map(({ url }) => url ?? '') ?? [];
    assert.equal(links.length, 2);
    const base64 = await client.images.generate({ ...wanted, model: 'local/image', response_format: 'b64_json' });
    for (const [index, link] of links.entries()) {
      const bytes = Buffer.from(await (await fetch(link)).arrayBuffer());
      assert.deepEqual(pictureShape(bytes), { format: 'PNG', width: 256, height: 256 });
      assert.equal(base64.data?.[index]?.b64_json, bytes.toString('base64'));
    }
  });

  it('transcribes audio', async () => {
    const file = new File([wavFile({ seconds: 2 })], 'note.wav', { type: 'audio/wav' });
    const { text } = await client.audio.transcriptions.create({ file, model: 'local/transcriber' });
    assert.match(text, /^The audio lasts 2\.00 s/);
    const verbose = await client.audio.transcriptions.create({
      file,
      model: 'local/transcriber',
      response_format: 'verbose_json',
    });
    assert.equal(verbose.segments?.length, 2);
    assert.equal(verbose.duration, 2);
  });

  for (const [status, errorClass] of [
    [400, BadRequestError],
    [401, AuthenticationError],
    [402, APIError],
    [403, PermissionDeniedError],
    [404, NotFoundError],
    [413, APIError],
    [429, RateLimitError],
    [500, InternalServerError],
    [502, InternalServerError],
    [504, InternalServerError],
  ] as const) {
    it(`throws ${errorClass.name} for ${status}, with the fields of the envelope`, async () => {
      const asked = client.chat.completions.create({
        ...question,
        messages: [...question.messages],
        model: `local/error-${status}`,
      });
      await assert.rejects(asked, (error) => {
        assert.ok(error instanceof errorClass);
        const entry = service.log().at(-1);
        assert.equal(error.status, status);
        assert.equal(error.requestID, entry?.id);
        assert.equal(error.code, entry?.error?.code);
        assert.equal(error.type, entry?.error?.type);
        assert.equal(error.param, entry?.error?.param);
        return true;
      });
    });
  }

  it('throws for a wrong key', async () => {
    const stranger = new OpenAI({ baseURL: service.baseUrl, apiKey: 'wrong', maxRetries: 0 });
    await assert.rejects(stranger.models.list(), AuthenticationError);
  });

  it('throws for an error inside a stream, and for a lost connection', async () => {
    const read = async (model: string): Promise<void> => {
      const stream = await client.chat.completions.create({
        ...question,
        messages: [...question.messages],
        model,
        stream: true,
      });
      for await (const chunk of stream) assert.ok(chunk);
    };
    await assert.rejects(read('local/fault-error-later'), APIError);
    await assert.rejects(read('local/fault-reset'));
    await assert.rejects(read('local/fault-close-early'), APIConnectionError);
  });

  it('retries on its own when asked to', async () => {
    const patient = new OpenAI({ baseURL: service.baseUrl, apiKey: service.apiKey, maxRetries: 1 });
    const completion = await patient.chat.completions.create({
      model: 'local/flaky',
      messages: [{ role: 'user', content: 'Once more' }],
      stream: false,
    });
    assert.equal(completion.choices[0]?.message.content, 'Once more');
  });
});
