import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiError } from '../../../../src/api/apiError.ts';
import { systemClock } from '../../../../src/api/clock.ts';
import type { MediaDownloads } from '../../../../src/api/download/mediaDownload.ts';
import { MediaJobs } from '../../../../src/core/media/mediaJobs.ts';
import { type MediaRun, unfetched } from '../../../../src/core/media/mediaLibrary.ts';
import type { MediaFact } from '../../../../src/core/media/mediaRecord.ts';
import type { MediaParameters, ParametersOf } from '../../../../src/shared/media.ts';
import { MediaFolder } from '../../../../src/vscode/media/mediaFolder.ts';
import { MediaStore } from '../../../../src/vscode/media/mediaStore.ts';
import { type InferenceService, startInferenceService } from '../../../service/inferenceService.ts';
import { json, startRawServer } from '../../api/rawServer.ts';
import { type TestClient, testClient } from '../../api/testClient.ts';
import { dataUrl, wavFile } from '../../service/sampleFiles.ts';

/** A small one, so that it's generated at once. */
const video: ParametersOf<'video'> = {
  kind: 'video',
  model: 'local/video',
  prompt: 'A kite',
  resolution: '32p',
  duration: 1,
  fps: 4,
};
const image: ParametersOf<'image'> = { kind: 'image', model: 'local/image', prompt: 'A kite', width: 64, height: 48 };

const offline = () =>
  new ApiError({ kind: 'network', reason: 'dns', host: 'files.test', code: 'ENOTFOUND', mayHaveBeenSent: false });

describe('A media run', () => {
  let service: InferenceService;
  let tested: TestClient;
  let folder: string;
  let onFact: ((fact: MediaFact) => void) | undefined;
  const unexpected: unknown[] = [];
  const waits: (number | undefined)[] = [];

  before(async () => {
    service = await startInferenceService({ videoSeconds: 0 });
    tested = testClient(service.origin, { apiKey: service.apiKey });
  });
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parlance-media-'));
    onFact = undefined;
    unexpected.length = 0;
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));
  after(async () => {
    tested.dispose();
    await service.close();
  });

  /** As one window sees it. */
  function openWindow(
    facts: { readonly path?: string; readonly client?: TestClient['client']; readonly downloads?: MediaDownloads } = {},
  ) {
    const { path = join(folder, 'runs.jsonl'), client = tested.client, downloads = tested.client } = facts;
    const store = new MediaStore({
      path,
      writer: crypto.randomUUID(),
      onError: (error) => unexpected.push(error),
      onChange: () => {},
    });
    const files = new MediaFolder(folder, crypto.randomUUID());
    const jobs = new MediaJobs({
      clientFor: () => client,
      downloadsFor: () => downloads,
      files,
      record: async (fact) => {
        onFact?.(fact);
        await store.append(fact);
      },
      redact: (failure) => failure,
      pid: process.pid,
      estimate: ({ kind }) => (kind === 'video' ? 0.06 : undefined),
      newId: () => crypto.randomUUID(),
      onProgress: () => {},
      onWaiting: (_run, until) => waits.push(until),
      now: () => 0,
      onUnexpected: (error) => unexpected.push(error),
    });
    return { store, files, jobs };
  }

  async function ranToItsEnd(parameters: MediaParameters): Promise<MediaRun> {
    const { store, jobs } = openWindow();
    const { id, over } = await jobs.start(parameters);
    await over;
    const run = store.library.get(id);
    store.dispose();
    assert.ok(run);
    return run;
  }

  it('is generated, and its file and its records are on disk for another window', async () => {
    const run = await ranToItsEnd(video);
    assert.equal(run.outcome, 'made');
    assert.match(run.requestId ?? '', /^req_/);
    assert.equal(run.estimate, 0.06);
    const [output] = run.outputs;
    assert.match(output?.url ?? '', /^http:/);
    assert.equal(output?.mediaType, 'video/webm');
    const bytes = await readFile(new MediaFolder(folder, 'reader').path(output.file ?? ''));
    assert.equal(bytes.length, output.sizeBytes);

    const other = openWindow().store;
    await other.load();
    const { writer: _writer, ...rest } = run;
    const { writer: __, ...read } = other.library.get(run.id) ?? assert.fail();
    assert.deepEqual(read, rest);
  });

  it('sends what was set and nothing else', async () => {
    await ranToItsEnd({ kind: 'video', model: 'local/video', resolution: '32p', saveAudio: false });
    assert.deepEqual(service.log().findLast(({ path }) => path.includes('videos'))?.requestBody, {
      model: 'local/video',
      resolution: '32p',
      save_audio: false,
    });
  });

  it('is on disk before a byte is sent, and nothing is sent if that fails', async () => {
    const path = join(folder, 'a-file');
    await writeFile(path, '');
    const { jobs } = openWindow({ path: join(path, 'runs.jsonl') });
    const before = service.log().length;
    await assert.rejects(jobs.start(video), { code: 'ENOTDIR' });
    assert.equal(service.log().length, before);

    let sentBefore: number | undefined;
    onFact = ({ type }) => {
      if (type === 'started') sentBefore = service.log().length;
    };
    await ranToItsEnd(video);
    assert.equal(sentBefore, before);
  });

  it('sends a file as a data: URL, from its own copy', async () => {
    const { jobs, files, store } = openWindow();
    const bytes = wavFile({ seconds: 0.5 });
    await files.keepInput('sound', bytes);
    const audio = {
      kind: 'file',
      id: 'sound',
      name: 'a.wav',
      mediaType: 'audio/wav',
      sizeBytes: bytes.length,
    } as const;
    const { id, over } = await jobs.start({ ...video, audio });
    await over;
    assert.equal(store.library.get(id)?.outcome, 'made');
    const body = service.log().findLast(({ path }) => path.includes('videos'))?.requestBody;
    assert.equal((body as { audio?: string }).audio, dataUrl('audio/wav', bytes));
    // Not in the record, which stays small.
    assert.ok((await readFile(join(folder, 'runs.jsonl'), 'utf8')).length < 3000);
  });

  it('whose connection broke might have been generated, keeps its parameters and ID, and is sent once', async () => {
    for (const model of ['local/fault-reset', 'local/fault-short-body', 'local/fault-close-early', 'local/error-502']) {
      const before = service.log().length;
      const run = await ranToItsEnd({ ...video, model });
      assert.equal(run.outcome, 'unknown', model);
      assert.deepEqual(run.parameters, { ...video, model });
      assert.ok(run.failure, model);
      assert.equal(service.log().length, before + 1, model);
    }
    const answered = await ranToItsEnd({ ...video, model: 'local/error-500' });
    assert.match(answered.requestId ?? '', /^req_/);
  });

  it('that the service refused has failed, and was certainly not generated', async () => {
    for (const status of [400, 401, 402, 403, 404, 413]) {
      const run = await ranToItsEnd({ ...video, model: `local/error-${status}` });
      assert.equal(run.outcome, 'failed', String(status));
      assert.ok(run.failure && 'status' in run.failure && run.failure.status === status);
    }
  });

  it('that the service refused in a response with status 200 has failed too', async () => {
    const refusal = json(200, { error: { message: 'This request requires more credits.', code: 402 } });
    const server = await startRawServer((socket) => socket.write(refusal));
    const { client, dispose } = testClient(server.origin);
    try {
      const { jobs, store } = openWindow({ client });
      const { id, over } = await jobs.start({ ...video, model: 'local/any' });
      await over;
      assert.equal(store.library.get(id)?.outcome, 'failed');
    } finally {
      dispose();
      await server.close();
    }
  });

  it('with an unusable response ends as unknown', async () => {
    const models = [
      'video-job',
      'video-empty',
      'video-no-link',
      'fault-empty-200',
      'fault-html-502',
      'fault-large-json',
    ];
    for (const model of models) {
      const run = await ranToItsEnd({ ...video, model: `local/${model}` });
      assert.equal(run.outcome, 'unknown', model);
    }
    assert.deepEqual(unexpected, []);
  });

  it('that is stopped stops at once, whether it was sent or not', async () => {
    const { jobs, store } = openWindow();
    const { id, over } = await jobs.start({ ...video, model: 'local/video-slow' });
    await service.waitForEntry(({ model, outcome }) => model === 'local/video-slow' && outcome === 'running');
    jobs.stop(id);
    await over;
    const run = store.library.get(id);
    assert.equal(run?.outcome, 'stopped');
    assert.equal(run.unsent, false);
  });

  it("isn't charged if it's stopped before its request has a connection", async () => {
    // It never answers the handshake.
    const server = await startRawServer(() => {});
    const { client, dispose } = testClient(`https://127.0.0.1:${server.port}`);
    const { jobs, store } = openWindow({ client });
    try {
      const { id, over } = await jobs.start(video);
      await server.connected();
      jobs.stop(id);
      await over;
      const run = store.library.get(id);
      assert.deepEqual([run?.outcome, run?.unsent], ['stopped', true]);
    } finally {
      dispose();
      await server.close();
    }
  });

  it("reports the wait for its next attempt, and isn't charged if it's stopped then", async () => {
    const { client, dispose } = testClient(service.origin, { apiKey: service.apiKey, clock: systemClock });
    const { jobs, store } = openWindow({ client });
    waits.length = 0;
    // Two seconds of waiting.
    const { id, over } = await jobs.start({ ...video, model: 'local/fault-wait-date' });
    while (waits.at(-1) === undefined) await new Promise((resolve) => setTimeout(resolve, 5));
    jobs.stop(id);
    await over;
    const run = store.library.get(id);
    assert.deepEqual([run?.outcome, run?.unsent], ['stopped', true]);
    assert.equal(waits.at(-1), undefined);
    dispose();
  });

  it('is unknown to the next window when its own closes, and nothing sends it again', async () => {
    const { jobs } = openWindow();
    const { id } = await jobs.start({ ...video, model: 'local/video-slow' });
    await service.waitForEntry(({ model, outcome }) => model === 'local/video-slow' && outcome === 'running');
    const before = service.log().length;
    await jobs.dispose();
    const { store } = openWindow();
    await store.load();
    assert.equal(store.library.get(id)?.outcome, 'unknown');
    assert.deepEqual(store.library.get(id)?.parameters, { ...video, model: 'local/video-slow' });
    assert.equal(service.log().length, before);
  });

  it('continues a download where a killed window left it', async () => {
    const whole = await ranToItsEnd(video);
    const link = whole.outputs[0]?.url ?? '';
    const bytes = await readFile(openWindow().files.path(whole.outputs[0]?.file ?? ''));
    const etag = (await fetch(link, { method: 'HEAD' })).headers.get('etag') ?? assert.fail('no ETag');
    const left = openWindow().files;
    const sink = await left.openPart(whole.id, 0);
    await sink.setTag(etag);
    await sink.append(bytes.subarray(0, 100));
    await sink.close();
    const [part = ''] = (await readdir(left.results)).filter((name) => name.endsWith('.part'));
    // Another window can't take over a file that grew a moment ago.
    const young = await openWindow().files.openPart(whole.id, 0);
    assert.equal(young.size, 0);
    await young.close();
    await utimes(left.path(part), 0, 0);

    const { jobs, store, files } = openWindow();
    await store.load();
    await jobs.download(whole.id, 0, link);
    const entry = service.log().findLast(({ path }) => link.endsWith(path));
    assert.equal(entry?.status, 206);
    const saved = store.library.get(whole.id)?.outputs[0];
    assert.deepEqual(await readFile(files.path(saved?.file ?? '')), bytes);
    assert.deepEqual(
      (await readdir(files.results)).filter((name) => name.includes(part.split('.')[2] ?? '')),
      [],
    );
  });

  it('is downloaded again automatically after a failure that passes, as offline', async () => {
    const run = await ranToItsEnd({ ...video, model: 'local/video-link-500' });
    assert.deepEqual(unfetched(run), [0]);
    const { jobs, store } = openWindow({ downloads: { downloadMedia: () => Promise.reject(offline()) } });
    const { id, over } = await jobs.start(video);
    await over;
    const unsaved = store.library.get(id) ?? assert.fail();
    assert.equal(unsaved.outputs[0]?.failure?.kind, 'network');
    assert.deepEqual(unfetched(unsaved), [0]);
    store.dispose();
  });

  it("doesn't automatically continue a download that the user stopped, or one whose link has expired", async () => {
    const cut = await ranToItsEnd({ ...video, model: 'local/video-link-410' });
    assert.deepEqual(unfetched(cut), []);
    const { jobs, store } = openWindow();
    const { id, over } = await jobs.start({ ...video, model: 'local/video-download-slow' });
    await service.waitForEntry(({ path, outcome }) => path.startsWith('/files/') && outcome === 'running');
    assert.deepEqual(unfetched(store.library.get(id) ?? assert.fail()), [0]);
    jobs.stop(id);
    await over;
    const again = openWindow().store;
    await again.load();
    assert.deepEqual(unfetched(again.library.get(id) ?? assert.fail()), []);
  });

  it("keeps its link if the file can't be downloaded, and saves the file later if it can", async () => {
    const run = await ranToItsEnd({ ...video, model: 'local/video-link-410' });
    assert.equal(run.outcome, 'made');
    const [output] = run.outputs;
    assert.ok(output?.failure?.kind === 'download' && output.failure.reason === 'gone');
    assert.match(output.url ?? '', /^http:/);

    const { jobs, store } = openWindow();
    await store.load();
    const good = await ranToItsEnd(video);
    await jobs.download(run.id, 0, good.outputs[0]?.url);
    const mended = store.library.get(run.id)?.outputs[0];
    assert.equal(mended?.failure, undefined);
    assert.equal(mended?.mediaType, 'video/webm');
  });

  for (const model of ['local/image', 'local/image-base64', 'local/image-bytes']) {
    it(`generates an image with ${model}`, async () => {
      const run = await ranToItsEnd({ ...image, model, seed: 7, steps: 3 });
      assert.equal(run.outcome, 'made');
      const [output] = run.outputs;
      assert.equal(output?.mediaType, 'image/png');
      const bytes = await readFile(new MediaFolder(folder, 'reader').path(output.file ?? ''));
      assert.deepEqual([bytes.readUInt32BE(16), bytes.readUInt32BE(20)], [64, 48]);
    });
  }

  it('keeps an image that arrived in the response when the disk is full, and writes it later', async () => {
    const { jobs, store, files } = openWindow();
    const write = files.write.bind(files);
    files.write = () => Promise.reject(Object.assign(new Error('full'), { code: 'ENOSPC' }));
    const { id, over } = await jobs.start({ ...image, model: 'local/image-bytes' });
    await over;
    const failure = store.library.get(id)?.outputs[0]?.failure;
    assert.ok(failure?.kind === 'download' && failure.reason === 'disk' && failure.code === 'ENOSPC');
    files.write = write;
    await jobs.download(id, 0, undefined);
    assert.equal(store.library.get(id)?.outputs[0]?.mediaType, 'image/png');
  });

  it('runs alongside others', async () => {
    const { jobs, store } = openWindow();
    const runs = await Promise.all([1, 2, 3].map((duration) => jobs.start({ ...video, duration })));
    await Promise.all(runs.map(({ over }) => over));
    assert.deepEqual(
      runs.map(({ id }) => store.library.get(id)?.outcome),
      ['made', 'made', 'made'],
    );
    assert.equal(store.library.runs().length, 3);
  });
});
