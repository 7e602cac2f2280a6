import assert from 'node:assert/strict';
import { describeAudio } from '../../service/audio/describeAudio.ts';
import { type InferenceService, startInferenceService } from '../../service/inferenceService.ts';
import { wavFile } from './sampleFiles.ts';
import { errorOf, goodBody, type Answer, send } from './serviceClient.ts';

type Fields = Readonly<Record<string, string | Blob>>;

const sound = new File([wavFile({ seconds: 2.5, channels: 2 })], 'note.wav', { type: 'audio/wav' });

describe('Audio transcription', () => {
  let service: InferenceService;

  before(async () => {
    service = await startInferenceService();
  });

  after(() => service.close());

  async function transcribe(fields: Fields, url = `${service.nativeUrl}/v1/svcai/audio/transcribe`): Promise<Answer> {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    const encoded = new Response(form);
    const headers = { 'content-type': encoded.headers.get('content-type') ?? '' };
    return send(service, Buffer.from(await encoded.arrayBuffer()), { url, headers });
  }

  it('returns facts about the audio: length, channels, and rate', async () => {
    const answer = await transcribe({ file: sound, model: 'local/transcriber' });
    assert.equal(answer.status, 200);
    const body: { readonly text: string } = JSON.parse(answer.text);
    assert.deepEqual(Object.keys(body), ['text']);
    assert.match(body.text, /^The audio lasts 2\.50 s: 2 channels, 8000 Hz, 16 bits a sample\. /);
  });

  it('returns segments that cover the audio, by model or on request', async () => {
    const byModel = await transcribe({ file: sound, model: 'local/transcriber-verbose' });
    const asked = await transcribe({ file: sound, model: 'local/transcriber', response_format: 'verbose_json' });
    assert.equal(asked.text, byModel.text);
    const body: { readonly duration: number; readonly segments: readonly { start: number; end: number }[] } =
      JSON.parse(asked.text);
    assert.equal(body.duration, 2.5);
    assert.deepEqual(
      body.segments.map(({ start, end }) => [start, end]),
      [
        [0, 1],
        [1, 2],
        [2, 2.5],
      ],
    );
    const plain = await transcribe({ file: sound, model: 'local/transcriber', response_format: 'text' });
    assert.match(String(plain.headers['content-type']), /^text\/plain/);
  });

  it('is the same on the path of compatible services', async () => {
    const url = `${service.baseUrl}/audio/transcriptions`;
    const fields = { file: sound, model: 'local/transcriber' };
    assert.equal((await transcribe(fields, url)).text, (await transcribe(fields)).text);
  });

  it('distinguishes other files from WAV, and accepts a truncated one at its actual length', () => {
    const other = describeAudio(Buffer.from('ID3 and so on'), 'a.mp3', 'audio/mpeg');
    assert.match(other.text, /a\.mp3 has 13 bytes and is of the type audio\/mpeg/);
    const cut = wavFile({ seconds: 2 }).subarray(0, 44 + 8000 * 2);
    assert.equal(describeAudio(cut, 'a.wav', '').durationSeconds, 1);
    assert.equal(describeAudio(wavFile({ seconds: 2 }).subarray(0, 30), 'a.wav', '').durationSeconds, undefined);
  });

  it('returns 400 with the param for a missing or invalid field', async () => {
    for (const [fields, param] of [
      [{ file: sound }, 'model'],
      [{ file: sound, model: '' }, 'model'],
      [{ model: 'local/transcriber' }, 'file'],
      [{ file: 'text', model: 'local/transcriber' }, 'file'],
      [{ file: new File([], 'a.wav'), model: 'local/transcriber' }, 'file'],
      [{ file: sound, model: 'local/transcriber', response_format: 'srt' }, 'response_format'],
    ] as const) {
      const answer = await transcribe(fields);
      assert.equal(answer.status, 400, param);
      assert.equal(errorOf(answer).param, param);
    }
    const url = `${service.baseUrl}/audio/transcriptions`;
    assert.equal((await send(service, goodBody, { url })).status, 400);
    const headers = { 'content-type': 'multipart/form-data; boundary=x' };
    assert.equal((await send(service, '--y', { url, headers })).status, 400);
  });

  it('is rejected like a chat, and logged without the bytes', async () => {
    await transcribe({ file: sound, model: 'local/transcriber' });
    const entry = service.log().at(-1);
    assert.deepEqual([entry?.kind, entry?.status, entry?.promptTokens], ['audio', 200, 0]);
    assert.ok((entry?.completionTokens ?? 0) > 20);
    assert.ok(Math.abs((entry?.cost ?? 0) - 2.5 * 0.0001) < 1e-12);
    assert.deepEqual(entry?.requestBody, {
      model: 'local/transcriber',
      file: { name: 'note.wav', type: 'audio/wav', bytes: sound.size },
    });
    assert.equal((await transcribe({ file: sound, model: 'local/writer' })).status, 404);
    assert.equal((await transcribe({ file: sound, model: 'local/error-429' })).status, 429);
    assert.equal((await transcribe({ file: sound, model: 'local/fault-html-200' })).status, 200);
  });
});
