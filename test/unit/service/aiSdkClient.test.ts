import assert from 'node:assert/strict';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { APICallError, generateImage, generateText, streamText } from 'ai';
import { type InferenceService, startInferenceService } from '../../service/inferenceService.ts';
import { pictureShape } from '../../service/pictures/pictureShape.ts';
import { pngUrl } from './sampleFiles.ts';

describe('The AI SDK with @ai-sdk/openai-compatible', () => {
  let service: InferenceService;
  let provider: ReturnType<typeof createOpenAICompatible>;

  before(async () => {
    service = await startInferenceService({ tokensPerSecond: Infinity });
    provider = createOpenAICompatible({
      name: 'local',
      baseURL: service.baseUrl,
      apiKey: service.apiKey,
      includeUsage: true,
      // It omits `stream` for a whole reply, but the specification says that this asks for a stream.
      transformRequestBody: (body) => ({ stream: false, ...body }),
    });
  });

  after(() => service.close());

  it('generates text', async () => {
    const { text, finishReason, usage } = await generateText({
      model: provider('local/writer'),
      prompt: 'write 40 tokens',
      temperature: 0,
      maxOutputTokens: 30,
    });
    assert.notEqual(text, '');
    assert.equal(finishReason, 'length');
    assert.deepEqual([usage.inputTokens, usage.outputTokens], [3, 30]);
  });

  it('streams text and reasoning', async () => {
    const { textStream, reasoningText, usage, finishReason } = streamText({
      model: provider('local/thinker'),
      prompt: 'How do I debounce a handler?',
    });
    let text = '';
    for await (const piece of textStream) text += piece;
    assert.notEqual(text, '');
    assert.match((await reasoningText) ?? '', /^This conversation has 1 message,/);
    assert.equal(await finishReason, 'stop');
    assert.equal((await usage).outputTokens, service.log().at(-1)?.completionTokens);
  });

  it('sends images', async () => {
    const { text } = await generateText({
      model: provider('local/vision'),
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What is it?' },
            { type: 'file', mediaType: 'image/png', data: await pngUrl(5, 4) },
          ],
        },
      ],
    });
    assert.match(text, /^Picture 1: PNG, 5 × 4 pixels/);
  });

  it('generates images', async () => {
    const { image } = await generateImage({
      model: provider.imageModel('local/image'),
      prompt: 'A lighthouse',
      size: '64x32',
    });
    assert.deepEqual(pictureShape(Buffer.from(image.uint8Array)), { format: 'PNG', width: 64, height: 32 });
  });

  for (const status of [400, 401, 402, 403, 404, 413, 429, 500, 502, 504]) {
    it(`throws a call error for ${status}, with the message of the envelope`, async () => {
      const model = `local/error-${status}`;
      await assert.rejects(generateText({ model: provider(model), prompt: 'Hello', maxRetries: 0 }), (error) => {
        assert.ok(APICallError.isInstance(error));
        assert.equal(error.statusCode, status);
        assert.equal(error.message, service.log().at(-1)?.error?.message);
        assert.equal(error.isRetryable, status === 429 || status >= 500);
        return true;
      });
    });
  }
});
