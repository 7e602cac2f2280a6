import assert from 'node:assert/strict';
import { type InferenceService, startInferenceService } from '../../service/inferenceService.ts';
import { dataUrl, wavFile } from './sampleFiles.ts';
import { type Answer, errorOf, send } from './serviceClient.ts';

/** A small one, so that it's generated at once. */
const goodVideo = { model: 'local/video', prompt: 'A red ball', resolution: '32p', duration: 1, fps: 4 };

const badChanges: readonly (readonly [change: Readonly<Record<string, unknown>>, param: string])[] = [
  [{ model: undefined }, 'model'],
  [{ prompt: 3 }, 'prompt'],
  [{ duration: 0 }, 'duration'],
  [{ duration: 1.5 }, 'duration'],
  [{ duration: 61 }, 'duration'],
  [{ resolution: '720' }, 'resolution'],
  [{ fps: 0 }, 'fps'],
  [{ fps: 61 }, 'fps'],
  [{ aspect_ratio: '16x9' }, 'aspect_ratio'],
  [{ aspect_ratio: '16:0' }, 'aspect_ratio'],
  [{ aspect_ratio: '0:9' }, 'aspect_ratio'],
  [{ image: 'picture.png' }, 'image'],
  [{ image: 'file:///etc/hostname' }, 'image'],
  [{ image: 'data:text/plain,none' }, 'image'],
  [{ image: 'http://127.0.0.1:1/none.png' }, 'image'],
  [{ audio: 7 }, 'audio'],
  [{ audio: 'data:audio/mpeg,none' }, 'audio'],
  [{ draft: 'yes' }, 'draft'],
  [{ save_audio: 1 }, 'save_audio'],
  [{ prompt_upsampling: null }, 'prompt_upsampling'],
];

interface VideoAnswer {
  readonly created: number;
  readonly data: readonly Readonly<Record<string, string>>[];
}

describe('A request for a video', () => {
  let service: InferenceService;
  const url = (): string => `${service.baseUrl}/videos/generations`;
  const ask = (body: unknown): Promise<Answer> => send(service, body, { url: url() });

  before(async () => {
    service = await startInferenceService({ videoSeconds: 0 });
  });

  after(() => service.close());

  for (const [change, param] of badChanges) {
    it(`returns 400 with the param ${param} for ${JSON.stringify(change)}`, async () => {
      const answer = await ask({ ...goodVideo, ...change });
      assert.equal(answer.status, 400, answer.text);
      assert.equal(errorOf(answer).param, param);
      assert.equal(errorOf(answer).type, 'invalid_request_error');
      assert.equal(errorOf(answer).request_id, answer.headers['x-request-id']);
    });
  }

  it('needs only a model, and can have null for image and audio', async () => {
    const answer = await ask({ model: 'local/video' });
    assert.equal(answer.status, 200);
    assert.equal(service.log().at(-1)?.made, '5 s, 1280 × 720');
    assert.equal((await ask({ ...goodVideo, image: null, audio: null, unknown: 1 })).status, 200);
  });

  it('returns the time and one link on this service', async () => {
    const before = Math.floor(Date.now() / 1000);
    const answer = await ask(goodVideo);
    const { created, data, ...rest }: VideoAnswer = JSON.parse(answer.text);
    assert.ok(created >= before && created <= Date.now() / 1000);
    assert.deepEqual(rest, {});
    assert.equal(data.length, 1);
    assert.deepEqual(Object.keys(data[0] ?? {}), ['url']);
    assert.match(data[0]?.['url'] ?? '', new RegExp(`^${service.origin}/files/[0-9a-f-]{36}\\.webm$`));
  });

  it('returns the clip with the closest length', async () => {
    const audio = dataUrl('audio/wav', wavFile({ seconds: 2.5 }));
    for (const [change, made] of [
      [{ duration: 1 }, '1 s, 320 × 180'],
      [{ duration: 3 }, '2 s, 214 × 120'],
      [{ duration: 60 }, '5 s, 1280 × 720'],
      [{ duration: 9, audio }, '2 s, 214 × 120'],
    ] as const) {
      const answer = await ask({ ...goodVideo, ...change });
      assert.equal(service.log().at(-1)?.made, made);
      const { data }: VideoAnswer = JSON.parse(answer.text);
      const file = await send(service, undefined, { url: data[0]?.['url'] ?? '', method: 'GET' });
      // EBML's signature: WebM is based on it.
      assert.equal(file.bytes.readUInt32BE(0), 0x1a45dfa3);
    }
  });

  it('is in the log with its kind, tokens, cost, and status', async () => {
    const answer = await ask({ ...goodVideo, duration: 3 });
    const entry = service.log().at(-1);
    assert.ok(entry);
    assert.equal(entry.id, answer.headers['x-request-id']);
    assert.equal(entry.kind, 'video');
    assert.equal(entry.model, 'local/video');
    assert.equal(entry.promptTokens, 3);
    assert.equal(entry.completionTokens, 0);
    assert.equal(entry.status, 200);
    assert.equal(entry.outcome, 'done');
    assert.ok(Math.abs((entry.cost ?? 0) - (0.05 + 3 * 0.01)) < 1e-9);
  });

  it('is rejected like a chat', async () => {
    assert.equal((await send(service, goodVideo, { url: url(), key: null })).status, 401);
    assert.equal((await send(service, goodVideo, { url: url(), key: 'wrong' })).status, 401);
    assert.equal((await send(service, undefined, { url: url(), method: 'GET' })).status, 405);
    assert.equal((await ask('{"model"')).status, 400);
    for (const model of ['local/none', 'local/writer', 'local/image']) {
      const answer = await ask({ ...goodVideo, model });
      assert.equal(answer.status, 404);
      assert.equal(errorOf(answer).code, 'model_not_found');
    }
    for (const status of [400, 401, 402, 403, 404, 413, 429, 500, 502, 503, 504]) {
      assert.equal((await ask({ ...goodVideo, model: `local/error-${status}` })).status, status);
      assert.equal((await ask({ ...goodVideo, model: `local/video:error-${status}` })).status, status);
    }
    assert.match((await ask({ ...goodVideo, model: 'local/video:fault-html-200' })).text, /guest network/);
  });

  it('costs credits, and is rejected if there are none', async () => {
    const poor = await startInferenceService({ videoSeconds: 0, credits: 0.06 });
    try {
      const call = { url: `${poor.baseUrl}/videos/generations` };
      assert.equal((await send(poor, goodVideo, call)).status, 200);
      assert.equal((await send(poor, goodVideo, call)).status, 402);
    } finally {
      await poor.close();
    }
  });

  it("is charged if the client leaves while it's generated", async () => {
    const leaving = new AbortController();
    const answer = fetch(url(), {
      method: 'POST',
      headers: { authorization: `Bearer ${service.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...goodVideo, model: 'local/video-slow' }),
      signal: leaving.signal,
    });
    await service.waitForEntry(({ model, cost }) => model === 'local/video-slow' && cost !== undefined);
    leaving.abort();
    await assert.rejects(answer);
    const entry = await service.waitForEntry(({ outcome }) => outcome === 'canceled');
    assert.ok((entry.cost ?? 0) > 0);
  });

  it('gets other forms of response from other models', async () => {
    const odd = async (name: string): Promise<unknown> => {
      const answer = await ask({ ...goodVideo, model: `local/video-${name}` });
      assert.equal(answer.status, 200);
      return JSON.parse(answer.text);
    };
    const withField = (await odd('url-field')) as VideoAnswer;
    assert.deepEqual(Object.keys(withField.data[0] ?? {}), ['video_url']);
    const job = (await odd('job')) as Readonly<Record<string, unknown>>;
    assert.deepEqual(Object.keys(job), ['id', 'status']);
    assert.equal(job['status'], 'queued');
    assert.deepEqual(((await odd('empty')) as VideoAnswer).data, []);
    assert.deepEqual(((await odd('no-link')) as VideoAnswer).data, [{}]);
  });
});
