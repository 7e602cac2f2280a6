import assert from 'node:assert/strict';
import { type TranscriptionRequest, audioTranscription } from '../../../../src/api/operations/audioTranscription.ts';
import type { ApiFailure } from '../../../../src/shared/apiFailure.ts';
import { answer, json, startRawServer, type RawServer } from '../rawServer.ts';
import { failureOf, testClient, testKey, type TestClient } from '../testClient.ts';

const bytes = Uint8Array.from({ length: 2000 }, (_, index) => index % 256);
const request: TranscriptionRequest = {
  model: 'maker/audio-1',
  file: { name: 'talk.wav', mediaType: 'audio/wav', bytes },
};

describe('An audio transcription', () => {
  let server: RawServer;
  let tested: TestClient;
  afterEach(async () => {
    tested.dispose();
    await server.close();
  });

  async function answering(reply: Buffer): Promise<TestClient['client']> {
    server = await startRawServer((socket) => socket.write(reply));
    tested = testClient(server.origin);
    return tested.client;
  }

  /** The form as parsed by an independent HTTP library. */
  async function sentForm(): Promise<FormData> {
    const [sent] = server.requests;
    assert.ok(sent);
    const type = sent.headers['content-type'] ?? '';
    return await new Response(Buffer.from(sent.bytes), { headers: { 'content-type': type } }).formData();
  }

  it('posts file and model to the native path as a multipart form, byte for byte', async () => {
    await (await answering(json(200, { text: 'Hello.' }))).ask(audioTranscription(request));
    const [sent] = server.requests;
    assert.equal(`${sent?.method} ${sent?.target}`, 'POST /api/v1/svcai/audio/transcribe');
    assert.equal(sent?.headers['authorization'], `Bearer ${testKey}`);
    const form = await sentForm();
    assert.deepEqual([...form.keys()], ['model', 'file']);
    assert.equal(form.get('model'), 'maker/audio-1');
    const file = form.get('file');
    assert.ok(file instanceof File);
    assert.equal(file.name, 'talk.wav');
    assert.equal(file.type, 'audio/wav');
    assert.deepEqual(new Uint8Array(await file.arrayBuffer()), bytes);
  });

  it('posts to audio/transcriptions of a compatible service, with the requested response format', async () => {
    const client = await answering(json(200, { text: '' }));
    await client.ask(audioTranscription({ ...request, response_format: 'verbose_json' }), { api: 'compatible' });
    assert.equal(server.requests[0]?.target, '/v1/audio/transcriptions');
    assert.equal((await sentForm()).get('response_format'), 'verbose_json');
  });

  it("can't be manipulated by the name of a file", async () => {
    const name = 'a"; filename="b\r\nx-evil: 1\r\n\r\n世界.wav';
    await (
      await answering(json(200, { text: '' }))
    ).ask(audioTranscription({ ...request, file: { name, mediaType: 'audio/wav\r\nx-evil: 1', bytes } }));
    const form = await sentForm();
    assert.deepEqual([...form.keys()], ['model', 'file']);
    const file = form.get('file');
    assert.ok(file instanceof File && file.type === 'application/octet-stream');
    assert.equal(file.name, name);
    assert.doesNotMatch(server.requests[0]?.body ?? '', /^x-evil/m);
  });

  const answers: readonly (readonly [string, Buffer, unknown])[] = [
    ['{text}', json(200, { text: 'Hello.' }), { text: 'Hello.', segments: [] }],
    ['silence', json(200, { text: '' }), { text: '', segments: [] }],
    [
      'segments, language and duration',
      json(200, {
        text: 'One two.',
        language: 'en',
        duration: 2.5,
        segments: [
          { id: 0, start: 0, end: 1, text: 'One' },
          { start: 1, end: 2.5, text: ' two.' },
          { start: -1, end: 'x', text: 7 },
          null,
        ],
      }),
      {
        text: 'One two.',
        segments: [
          { startSeconds: 0, endSeconds: 1, text: 'One' },
          { startSeconds: 1, endSeconds: 2.5, text: ' two.' },
        ],
        language: 'en',
        durationSeconds: 2.5,
      },
    ],
    [
      'segments without a text of the whole',
      json(200, {
        segments: [
          { start: 0, end: 1, text: ' One' },
          { start: 1, end: 2, text: ' two.' },
        ],
      }),
      {
        text: 'One two.',
        segments: [
          { startSeconds: 0, endSeconds: 1, text: ' One' },
          { startSeconds: 1, endSeconds: 2, text: ' two.' },
        ],
      },
    ],
    ['words without a content type', answer(200, 'Hello.'), { text: 'Hello.', segments: [] }],
    ['the text as a JSON string', json(200, 'Hello.'), { text: 'Hello.', segments: [] }],
    ['the text under another name', json(200, { transcription: 'Hello.' }), { text: 'Hello.', segments: [] }],
    ['the text deeper down', json(200, { result: { text: 'Hello.' } }), { text: 'Hello.', segments: [] }],
    [
      'subtitles',
      answer(200, 'WEBVTT\n\n00:00.000 --> 00:01.000\nHello.', { 'content-type': 'text/vtt' }),
      { text: 'WEBVTT\n\n00:00.000 --> 00:01.000\nHello.', segments: [] },
    ],
    ['plain text', answer(200, 'Hello.\n', { 'content-type': 'text/plain' }), { text: 'Hello.', segments: [] }],
    [
      'JSON that calls itself plain text',
      answer(200, '{"text":"Hello."}', { 'content-type': 'text/plain' }),
      { text: 'Hello.', segments: [] },
    ],
  ];
  for (const [name, reply, transcript] of answers) {
    it(`reads ${name}`, async () => {
      assert.deepEqual(await (await answering(reply)).ask(audioTranscription(request)), transcript);
    });
  }

  const bad: readonly (readonly [string, Buffer, ApiFailure['kind']])[] = [
    ['JSON without a text', json(200, { words: 7 }), 'malformed'],
    ['HTML that calls itself plain text', answer(200, '<html>', { 'content-type': 'text/plain' }), 'notTheService'],
    ['a stream of events', answer(200, 'data: {}\n\n'), 'malformed'],
    ['a job', json(200, { task_id: 't1', status: 'queued' }), 'unsupported'],
    ['nothing', answer(200, '', { 'content-type': 'text/plain' }), 'emptyAnswer'],
    ['413', json(413, {}), 'requestTooLarge'],
    ['502', json(502, {}), 'backendUnavailable'],
  ];
  for (const [name, reply, kind] of bad) {
    it(`with ${name} is ${kind}, after one request`, async () => {
      const client = await answering(reply);
      assert.equal((await failureOf(client.ask(audioTranscription(request)))).kind, kind);
      assert.equal(server.requests.length, 1);
    });
  }

  it('has a separate timer, which includes the upload', async () => {
    server = await startRawServer(() => {});
    tested = testClient(server.origin, { timeouts: { firstByteMs: 10, imageMs: 10, transcriptionMs: 60 } });
    const failure = await failureOf(tested.client.ask(audioTranscription(request)));
    assert.equal(failure.kind === 'timeout' && `${failure.timer} ${failure.afterMs}`, 'answer 60');
  });
});
