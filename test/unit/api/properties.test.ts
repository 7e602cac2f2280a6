import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { ApiError } from '../../../src/api/apiError.ts';
import { ChatDecoder } from '../../../src/api/wire/chatDecoder.ts';
import { decodeErrorEnvelope } from '../../../src/api/wire/errorEnvelope.ts';
import { decodeModels } from '../../../src/api/wire/decodeModels.ts';
import { failureOfAnswer } from '../../../src/api/wire/errorBody.ts';
import { EventStream } from '../../../src/api/wire/eventStream.ts';
import type { WholeOperation } from '../../../src/api/operations/operation.ts';
import { audioTranscription } from '../../../src/api/operations/audioTranscription.ts';
import { imageGeneration } from '../../../src/api/operations/imageGeneration.ts';
import { videoGeneration } from '../../../src/api/operations/videoGeneration.ts';
import { InferenceClient } from '../../../src/api/inferenceClient.ts';
import type { Transport } from '../../../src/api/transport/transport.ts';
import { sampleOf } from '../../../src/api/wire/sample.ts';
import { hello, type Outcome, outcomeOf } from './testClient.ts';
import { chatCompletion } from '../../../src/api/operations/chatCompletion.ts';

const limits = { eventBytes: 2000, wholeBytes: 4000, streamBytes: 100_000 };

/** Everything that a stream reports to its reader, for bytes in these pieces. */
function told(contentType: string, pieces: readonly Uint8Array[]): readonly unknown[] {
  const log: unknown[] = [];
  const stream = new EventStream(
    contentType,
    {
      event: (data, name, isCut) => log.push(['event', data, name, isCut]),
      done: () => log.push(['done']),
      foreign: (text) => log.push(['foreign', sampleOf(text)]),
    },
    limits,
  );
  try {
    for (const piece of pieces) stream.push(piece);
    log.push(['end', stream.end()]);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    log.push(['failed', error.failure]);
  }
  return log;
}

const jsonText = fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.stringify(value));
const lineEnd = fc.constantFrom('\n', '\r\n', '\r');
const field = fc.oneof(
  fc
    .tuple(fc.constantFrom('data: ', 'data:', 'event: ', 'id: ', 'retry: ', ': ', 'data', 'odd: '), jsonText)
    .map((pair) => pair.join('')),
  fc.constantFrom('data: [DONE]', '', '', 'data: Grüße 世界 👩‍💻', '\ufeff'),
);
const body = fc.oneof(
  fc
    .array(
      fc.tuple(field, lineEnd).map((pair) => pair.join('')),
      { maxLength: 30 },
    )
    .map((lines) => lines.join('')),
  fc
    .array(
      fc.tuple(jsonText, lineEnd).map((pair) => pair.join('')),
      { maxLength: 10 },
    )
    .map((lines) => lines.join('')),
  fc.string({ unit: 'binary', maxLength: 300 }),
);
const bytes = fc.oneof(
  body.map((text) => new TextEncoder().encode(text)),
  fc.uint8Array({ maxLength: 400 }),
);
const contentType = fc.constantFrom('text/event-stream', 'application/json', '');

const words = fc.constantFrom('', 'Hi', ' 世界 👩‍💻', '\n');

/** The outcome of a chat whose response body arrives in these pieces. */
async function replyOf(saidType: string, pieces: readonly Uint8Array[]): Promise<Outcome> {
  const transport: Transport = {
    send: (_request, receiver) => {
      let isOver = false;
      const control = {
        settle() {},
        pause() {},
        resume() {},
        finish: () => (isOver = true),
        abandon: () => (isOver = true),
      };
      queueMicrotask(() => {
        try {
          const header = (name: string): string | undefined => (name === 'content-type' ? saidType : undefined);
          receiver.head({ status: 200, header, allHeaders: () => [], via: 'own' });
          for (const piece of pieces) if (!isOver) receiver.data(piece);
          if (!isOver) receiver.end();
        } catch (error) {
          receiver.failed(error);
        }
      });
      return control;
    },
    get: () => Promise.reject(new Error('nothing is downloaded')),
    warm() {},
    dispose() {},
  };
  const url = new URL('http://service.test/v1');
  const client = new InferenceClient({
    endpoint: () => Promise.resolve({ baseUrl: url, nativeUrl: url, apiKey: 'k' }),
    transport,
  });
  return outcomeOf(client.stream(chatCompletion(hello)));
}

describe('For any input', () => {
  it('a stream reports the same, however its bytes are cut', () => {
    fc.assert(
      fc.property(contentType, bytes, fc.array(fc.nat({ max: 400 }), { maxLength: 12 }), (type, all, cuts) => {
        const at = [...new Set(cuts.filter((cut) => cut < all.length))].toSorted((a, b) => a - b);
        const pieces = [0, ...at].map((from, index) => all.subarray(from, at[index] ?? all.length));
        const expected = told(type, [all]);
        assert.deepEqual(told(type, pieces), expected);
        assert.deepEqual(
          told(
            type,
            [...all].map((byte) => Uint8Array.of(byte)),
          ),
          expected,
        );
      }),
      { numRuns: 600 },
    );
  });

  it('a reply has the same outcome, however its bytes are cut, and fails with nothing but ApiError', async () => {
    const chunkOf = fc
      .record(
        {
          choices: fc.array(
            fc.record(
              {
                index: fc.constantFrom(0, 0, 0, 1),
                delta: fc.record({ content: words, reasoning_content: words }, { requiredKeys: [] }),
                message: fc.record({ content: words }),
                finish_reason: fc.constantFrom(null, 'stop', 'length'),
              },
              { requiredKeys: [] },
            ),
            { maxLength: 2 },
          ),
          usage: fc.record({ total_tokens: fc.nat() }),
          x_metrics: fc.record({ tps: fc.nat() }),
          error: fc.constantFrom(...Array.from({ length: 6 }, () => [null, false, '']).flat(), { message: 'No.' }),
        },
        { requiredKeys: [] },
      )
      .map((each) => JSON.stringify(each));
    const json = fc.oneof({ weight: 12, arbitrary: chunkOf }, { weight: 1, arbitrary: jsonText });
    const dataOf = fc.tuple(fc.constantFrom('data: ', 'data:'), json).map((pair) => pair.join(''));
    const part = fc.oneof(
      { weight: 12, arbitrary: dataOf },
      { weight: 2, arbitrary: fc.constantFrom('data: [DONE]', ': still here', 'id: 7') },
      { weight: 1, arbitrary: fc.constantFrom('event: error', 'data: {"choi') },
    );
    const end = fc.constantFrom('\n\n', '\n\n', '\n\n', '\r\n\r\n', '\r\r', '\n');
    const stream = fc
      .array(
        fc.tuple(part, end).map((pair) => pair.join('')),
        { maxLength: 12 },
      )
      .map((all) => all.join(''));
    const lines = fc.array(chunkOf, { maxLength: 6 }).map((all) => all.join('\n'));
    await fc.assert(
      fc.asyncProperty(
        contentType,
        fc.oneof(stream, stream, lines),
        fc.array(fc.nat({ max: 600 }), { maxLength: 12 }),
        async (type, text, cuts) => {
          const all = new TextEncoder().encode(text);
          const at = [...new Set(cuts.filter((cut) => cut < all.length))].toSorted((a, b) => a - b);
          const whole = await replyOf(type, [all]);
          assert.deepEqual(
            await replyOf(
              type,
              [0, ...at].map((from, index) => all.subarray(from, at[index] ?? all.length)),
            ),
            whole,
          );
          assert.deepEqual(
            await replyOf(
              type,
              [...all].map((byte) => Uint8Array.of(byte)),
            ),
            whole,
          );
        },
      ),
      { numRuns: 300 },
    );
  });

  it('the reply decoder throws nothing but ApiError', () => {
    const part = fc.record(
      { content: fc.anything(), reasoning: fc.anything(), reasoning_content: fc.anything() },
      { requiredKeys: [] },
    );
    const choice = fc.record(
      {
        index: fc.anything(),
        delta: fc.oneof(part, fc.anything()),
        message: fc.oneof(part, fc.anything()),
        text: fc.anything(),
        finish_reason: fc.anything(),
      },
      { requiredKeys: [] },
    );
    const chat = fc.record(
      {
        choices: fc.oneof(fc.array(fc.oneof(choice, fc.anything())), fc.anything()),
        usage: fc.anything(),
        x_metrics: fc.anything(),
        error: fc.oneof(fc.constant(null), fc.anything()),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(
        fc.array(fc.oneof(chat, fc.jsonValue(), fc.string())),
        fc.option(fc.string(), { nil: undefined }),
        (all, name) => {
          const decoder = new ChatDecoder(1000, undefined);
          try {
            for (const each of all) decoder.decode(toJson(each), name);
            for (const event of decoder.take()) assert.equal(typeof event.type, 'string');
          } catch (error) {
            assert.ok(error instanceof ApiError);
            assert.notEqual(error.failure.kind, 'unexpected');
          }
        },
      ),
      { numRuns: 1000 },
    );
  });

  it('the model list decoder throws nothing but ApiError', () => {
    const row = fc.record(
      {
        id: fc.anything(),
        pricing: fc.anything(),
        architecture: fc.anything(),
        context_length: fc.anything(),
        output_modalities: fc.anything(),
      },
      { requiredKeys: [] },
    );
    const list = fc.array(fc.oneof(row, fc.anything()));
    const catalog = fc.oneof(list, fc.record({ data: fc.oneof(list, fc.anything()) }), fc.anything());
    fc.assert(
      fc.property(catalog, (any) => {
        try {
          const json: unknown = JSON.parse(toJson(any));
          for (const model of decodeModels(json)) assert.ok(model.id.length > 0);
        } catch (error) {
          assert.ok(error instanceof ApiError);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('the decoders of videos, images, and transcripts throw nothing but ApiError', () => {
    const operations: readonly WholeOperation<unknown>[] = [
      videoGeneration({ model: 'm' }),
      imageGeneration({ model: 'm', positive_prompt: '' }),
      audioTranscription({ model: 'm', file: { name: '', mediaType: '', bytes: new Uint8Array() } }),
    ];
    const row = fc.record(
      {
        url: fc.anything(),
        video_url: fc.anything(),
        b64_json: fc.anything(),
        start: fc.anything(),
        text: fc.string(),
      },
      { requiredKeys: [] },
    );
    const list = fc.oneof(fc.array(fc.oneof(row, fc.anything())), fc.anything());
    const json = fc.record(
      { created: fc.anything(), data: list, images: list, segments: list, id: fc.anything(), status: fc.anything() },
      { requiredKeys: [] },
    );
    const text = fc.oneof(json.map(toJson), fc.jsonValue().map(toJson), fc.string({ unit: 'binary' }));
    const type = fc.constantFrom('application/json', 'text/plain', 'image/png');
    fc.assert(
      fc.property(fc.constantFrom(...operations), type, text, (operation, said, any) => {
        try {
          const url = new URL('https://service.example/v1/images');
          operation.decode({ status: 200, header: () => said, body: new TextEncoder().encode(any), url });
        } catch (error) {
          assert.ok(error instanceof ApiError);
          assert.notEqual(error.failure.kind, 'unexpected');
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('an error body becomes a failure, with a bounded message', () => {
    const status = fc.integer({ min: 300, max: 599 });
    const text = fc.oneof(fc.string({ unit: 'binary' }), fc.anything().map(toJson));
    fc.assert(
      fc.property(status, text, fc.option(fc.string(), { nil: undefined }), (code, any, header) => {
        const failure = failureOfAnswer({
          status: code,
          text: any,
          header: () => header,
          url: new URL('https://service.test/v1'),
          nowMs: 0,
        });
        if ('message' in failure) assert.ok(failure.message.length <= 2000);
        if ('sample' in failure) assert.ok(failure.sample.length <= 200);
        if ('retryAfterMs' in failure) assert.ok((failure.retryAfterMs ?? -1) >= 0);
      }),
      { numRuns: 1000 },
    );
  });

  it("an endlessly nested envelope doesn't exhaust the stack", () => {
    let deep: unknown = 'bottom';
    for (let depth = 0; depth < 50_000; depth++) deep = { error: deep };
    assert.equal(decodeErrorEnvelope(deep).message, '');
  });

  it('a quote is short and contains no control, bidirectional, or broken characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 600 }), (any) => {
        const sample = sampleOf(any);
        assert.ok(sample.length <= 200);
        assert.match(sample, /^[^\p{Cc}\p{Cf}\p{Cs}]*$/u);
      }),
      { numRuns: 500 },
    );
  });
});

function toJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'null';
  } catch {
    return 'null';
  }
}
