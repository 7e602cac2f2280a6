import assert from 'node:assert/strict';
import { mayHaveBeenMade } from '../../../src/api/calls/mayHaveBeenMade.ts';
import { type VideoRequest, videoGeneration } from '../../../src/api/operations/videoGeneration.ts';
import { startInferenceService, type InferenceService } from '../../service/inferenceService.ts';
import { pngUrl, wavFile } from '../service/sampleFiles.ts';
import { failureOf, hello, outcomeOf, plainSettings, testClient, type TestClient } from './testClient.ts';
import { imageGeneration } from '../../../src/api/operations/imageGeneration.ts';
import { audioTranscription } from '../../../src/api/operations/audioTranscription.ts';
import { chatCompletion } from '../../../src/api/operations/chatCompletion.ts';
import { listModels } from '../../../src/api/operations/listModels.ts';

/** A small one, so that it's generated at once. */
const video: VideoRequest = { model: 'local/video', prompt: 'A kite', resolution: '32p', duration: 1, fps: 4 };
const image = { positive_prompt: 'A kite', width: 64, height: 48 };
const recording = { name: 'note.wav', mediaType: 'audio/wav', bytes: wavFile({ seconds: 1.5 }) };

describe('With the local service, in every form of response', () => {
  let service: InferenceService;
  let tested: TestClient;
  let client: TestClient['client'];
  before(async () => {
    service = await startInferenceService({ tokensPerSecond: Infinity, videoSeconds: 0, nativeSegment: 'acme' });
    tested = testClient(service.origin, { apiKey: service.apiKey, nativeSegment: 'acme' });
    client = tested.client;
  });
  after(async () => {
    tested.dispose();
    await service.close();
  });

  it('a video is generated, and its link works without the key', async () => {
    const { videos, created, requestId } = await client.ask(videoGeneration({ ...video, image: null, audio: null }));
    assert.ok(Math.abs((created ?? 0) - Date.now() / 1000) < 60);
    assert.match(requestId ?? '', /^req_/);
    const file = await fetch(videos[0]?.url ?? '');
    assert.equal(file.headers.get('content-type'), 'video/webm');
    assert.ok((await file.arrayBuffer()).byteLength > 100);
  });

  it('a video is generated from an image and an audio file', async () => {
    const sound = `data:audio/wav;base64,${Buffer.from(recording.bytes).toString('base64')}`;
    const { videos } = await client.ask(videoGeneration({ ...video, image: await pngUrl(20, 30), audio: sound }));
    assert.equal(videos.length, 1);
  });

  it("video_url is accepted, a job isn't supported, a response without a link is malformed", async () => {
    const { videos } = await client.ask(videoGeneration({ ...video, model: 'local/video-url-field' }));
    assert.match(videos[0]?.url ?? '', /^http:/);
    const job = await failureOf(client.ask(videoGeneration({ ...video, model: 'local/video-job' })));
    assert.equal(job.kind, 'unsupported');
    assert.notEqual(job.jobId, '');
    for (const model of ['local/video-empty', 'local/video-no-link']) {
      assert.equal((await failureOf(client.ask(videoGeneration({ ...video, model })))).kind, 'malformed', model);
    }
  });

  it('an invalid field for a video is named', async () => {
    const failure = await failureOf(client.ask(videoGeneration({ ...video, aspect_ratio: '16x9' })));
    assert.equal(failure.kind === 'badRequest' && failure.param, 'aspect_ratio');
    assert.equal(mayHaveBeenMade(failure), false);
  });

  it('a video whose connection breaks is requested once, and might have been generated', async () => {
    for (const model of ['local/fault-reset-early', 'local/fault-short-body', 'local/error-502']) {
      const earlier = service.log().length;
      const failure = await failureOf(client.ask(videoGeneration({ ...video, model })));
      assert.equal(mayHaveBeenMade(failure), true, model);
      assert.equal(service.log().length, earlier + 1, model);
    }
  });

  it('a cancel of a video is noticed by the service', async () => {
    const abort = new AbortController();
    const running = client.ask(videoGeneration({ ...video, model: 'local/video-slow' }), { signal: abort.signal });
    const isSlow = (each: { readonly model?: string }): boolean => each.model === 'local/video-slow';
    const [entry] = await Promise.all([
      service.waitForEntry((each) => isSlow(each) && each.outcome !== 'running'),
      service
        .waitForEntry((each) => isSlow(each) && each.outcome === 'running')
        .then(() => abort.abort(new Error('enough'))),
      assert.rejects(running, /^Error: enough$/),
    ]);
    assert.equal(entry.outcome, 'canceled');
  });

  for (const api of ['native', 'compatible'] as const) {
    it(`an image arrives as a link, as base64, and as bytes, on the ${api} path`, async () => {
      const linked = await client.ask(imageGeneration({ ...image, model: 'local/image' }), { api });
      const [link] = linked.images;
      assert.ok(link?.kind === 'url');
      const file = new Uint8Array(await (await fetch(link.url)).arrayBuffer());
      for (const model of ['local/image-base64', 'local/image-bytes']) {
        const [made] = (await client.ask(imageGeneration({ ...image, model }), { api })).images;
        assert.ok(made?.kind === 'bytes' && made.mediaType === 'image/png');
        assert.deepEqual(new Uint8Array(made.bytes), file);
      }
    });

    it(`an audio file is transcribed, with segments if requested, on the ${api} path`, async () => {
      const plain = await client.ask(audioTranscription({ model: 'local/transcriber', file: recording }), { api });
      assert.match(plain.text, /^The audio lasts 1\.50 s/);
      const verbose = await client.ask(
        audioTranscription({ model: 'local/transcriber', file: recording, response_format: 'verbose_json' }),
        { api },
      );
      assert.equal(verbose.durationSeconds, 1.5);
      assert.deepEqual(
        verbose.segments.map((segment) => segment.endSeconds),
        [1, 1.5],
      );
      const text = await client.ask(
        audioTranscription({ model: 'local/transcriber', file: recording, response_format: 'text' }),
        { api },
      );
      assert.equal(text.text, plain.text);
    });

    it(`an image in a message is recognized, on the ${api} path`, async () => {
      const content = [
        { type: 'text', text: 'What is this?' },
        { type: 'image_url', image_url: { url: await pngUrl(20, 30) } },
      ] as const;
      const request = { model: 'local/vision', messages: [{ role: 'user', content }], stream: true } as const;
      assert.match((await outcomeOf(client.stream(chatCompletion(request), { api }))).text, /20 × 30/);
    });
  }

  it('a chat on the native path is the same chat', async () => {
    const outcome = await outcomeOf(client.stream(chatCompletion(hello), { api: 'native' }));
    assert.equal(outcome.text, 'Hello');
    assert.ok((outcome.usage?.totalTokens ?? 0) > 0);
  });

  const models = ['local/video', 'local/image', 'local/transcriber'] as const;
  it('the model list says what each model generates', async () => {
    const kinds = new Map((await client.ask(listModels)).map((model) => [model.id, model.kind]));
    assert.deepEqual(
      models.map((id) => kinds.get(id)),
      ['video', 'image', 'audio'],
    );
  });

  it('the legacy host accepts the same key when the current one is gone', async () => {
    const legacyOrigin = new URL(service.legacyBaseUrl).origin;
    const gone = await startInferenceService();
    await gone.close();
    const other = testClient(gone.origin, {
      apiKey: service.apiKey,
      legacyOrigin,
      nativeSegment: 'acme',
      settings: () => plainSettings,
    });
    assert.equal((await outcomeOf(other.client.stream(chatCompletion(hello)))).text, 'Hello');
    assert.equal((await outcomeOf(other.client.stream(chatCompletion(hello), { api: 'native' }))).text, 'Hello');
    assert.ok((await other.client.ask(listModels)).length > 0);
    assert.deepEqual(other.switches, [{ from: new URL(gone.origin).host, to: new URL(legacyOrigin).host }]);
    other.dispose();
  });
});
