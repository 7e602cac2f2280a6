import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { type VideoRequest, videoGeneration } from '../../../../src/api/operations/videoGeneration.ts';
import { mayHaveBeenMade } from '../../../../src/api/calls/mayHaveBeenMade.ts';
import type { ApiFailure } from '../../../../src/shared/apiFailure.ts';
import { answer, head, json, startRawServer, type RawServer, type Responder } from '../rawServer.ts';
import { heldTimers } from '../../heldTimers.ts';
import { failureOf, instantClock, testClient, testKey, type TestClient } from '../testClient.ts';

const url = 'https://media.test/videos/1.mp4';
const made = { created: 1_753_000_000, data: [{ url }] };
const request: VideoRequest = { model: 'maker/video-1', prompt: 'A kite.' };

describe('A video generation', () => {
  let server: RawServer;
  let tested: TestClient;
  afterEach(async () => {
    tested.dispose();
    await server.close();
  });

  async function serve(respond: Responder, timeouts = {}): Promise<TestClient> {
    server = await startRawServer(respond);
    tested = testClient(server.origin, { timeouts });
    return tested;
  }
  const answering = (bytes: Buffer) => serve((socket) => socket.write(bytes));

  it('posts to videos/generations, with the key', async () => {
    const { client } = await answering(json(200, made));
    await client.ask(videoGeneration(request));
    const [sent] = server.requests;
    assert.equal(`${sent?.method} ${sent?.target}`, 'POST /v1/videos/generations');
    assert.equal(sent?.headers['authorization'], `Bearer ${testKey}`);
    assert.equal(sent.headers['content-type'], 'application/json');
  });

  it('contains the eleven fields of the spec unchanged', async () => {
    const { client } = await answering(json(200, made));
    const all: Required<VideoRequest> = {
      model: 'maker/video-1',
      prompt: 'A kite, 世界.',
      duration: 5,
      resolution: '720p',
      fps: 24,
      aspect_ratio: '16:9',
      image: 'https://media.test/in.png',
      audio: 'https://media.test/in.mp3',
      draft: true,
      save_audio: false,
      prompt_upsampling: false,
    };
    assert.equal(Object.keys(all).length, 11);
    await client.ask(videoGeneration(all));
    assert.deepEqual(JSON.parse(server.requests[0]?.body ?? ''), all);
  });

  it("sends null for an image and an audio file that are null, and nothing for what isn't set", async () => {
    const { client } = await answering(json(200, made));
    await client.ask(videoGeneration({ ...request, image: null, audio: null }));
    await client.ask(videoGeneration(request));
    const bodies = server.requests.map((sent): unknown => JSON.parse(sent.body));
    assert.deepEqual(bodies, [{ ...request, image: null, audio: null }, request]);
  });

  it('returns the URL of the video, the time, and the request ID', async () => {
    const { client } = await answering(json(200, made, { 'x-request-id': 'req_v' }));
    assert.deepEqual(await client.ask(videoGeneration(request)), {
      created: 1_753_000_000,
      videos: [{ kind: 'url', url, raw: { url } }],
      requestId: 'req_v',
    });
  });

  it('accepts video_url and several videos, and keeps every field of each', async () => {
    const rows = [{ video_url: url, seed: 7 }, { url: `${url}?2` }, { nothing: true }, null];
    const { client } = await answering(json(200, { data: rows }));
    assert.deepEqual(await client.ask(videoGeneration(request)), {
      videos: [
        { kind: 'url', url, raw: { video_url: url, seed: 7 } },
        { kind: 'url', url: `${url}?2`, raw: { url: `${url}?2` } },
      ],
    });
  });

  for (const bad of ['file:///etc/passwd', 'javascript:alert(1)', 'data:video/mp4;base64,AAAA', '']) {
    it(`doesn't accept ${JSON.stringify(bad)} as a URL`, async () => {
      const { client } = await answering(json(200, { data: [{ url: bad }] }));
      assert.equal((await failureOf(client.ask(videoGeneration(request)))).kind, 'malformed');
    });
  }

  const mp4 = Buffer.from('00000018667479706d703432000000006d70343269736f6d', 'hex');
  const shapes: readonly (readonly [string, Buffer, 'link' | 'bytes'])[] = [
    ['a link without its host', json(200, { data: [{ url: '/videos/1.mp4' }] }), 'link'],
    ['a bare link in data', json(200, { data: [url] }), 'link'],
    ['a bare link as all of the JSON', json(200, url), 'link'],
    ['a bare link as all of the body', answer(200, url, { 'content-type': 'text/plain' }), 'link'],
    ['output', json(200, { id: 'p1', status: 'succeeded', output: [url] }), 'link'],
    ['output that is one text', json(200, { id: 'p1', status: 'succeeded', output: url }), 'link'],
    ['video.url', json(200, { video: { url } }), 'link'],
    ['a data: URL', json(200, { data: [{ url: `data:video/mp4;base64,${mp4.toString('base64')}` }] }), 'bytes'],
    ['base64', json(200, { data: [{ b64_json: mp4.toString('base64'), seed: 7 }] }), 'bytes'],
    ['the video itself', answer(200, mp4, { 'content-type': 'video/mp4' }), 'bytes'],
  ];
  for (const [name, bytes, kind] of shapes) {
    it(`accepts a video that arrives as ${name}, because it's paid for, after one request`, async () => {
      const { client } = await answering(bytes);
      const [video, ...others] = (await client.ask(videoGeneration(request))).videos;
      assert.deepEqual(others, []);
      if (kind === 'bytes') assert.deepEqual(video?.kind === 'bytes' && Buffer.from(video.bytes), mp4);
      else assert.ok(video?.url === url || video?.url === `${server.origin}/videos/1.mp4`, video?.url);
      assert.doesNotMatch(JSON.stringify(video?.raw), /base64|AAAA/);
      assert.equal(server.requests.length, 1);
    });
  }

  const jobs: readonly (readonly [string, unknown, string?])[] = [
    ['{id, status}', { id: 'job_1', status: 'queued' }],
    ['{id, status} with empty data', { id: 'job_1', status: 'queued', data: [] }],
    ['{data: {id, status}}', { data: { id: 'job_1', status: 'queued' } }],
    ['{id, task_status} of Z.ai', { model: 'm', id: 'job_1', request_id: 'r', task_status: 'queued' }],
    [
      '{data: {task_id, task_status}} of Kling',
      { code: 0, message: 'SUCCEED', request_id: 'r', data: { task_id: 'job_1', task_status: 'queued' } },
    ],
    [
      '{output: {task_id, task_status}} of DashScope',
      { request_id: 'r', output: { task_id: 'job_1', task_status: 'queued' } },
    ],
    ['{request_id} of xAI', { request_id: 'job_1' }, ''],
    ['{task_id} of MiniMax', { task_id: 'job_1', base_resp: { status_code: 0, status_msg: 'success' } }, ''],
    ['{job_id}', { job_id: 'job_1', created: 1 }, ''],
    ['{id}', { id: 'job_1' }, ''],
  ];
  for (const [name, body, jobStatus = 'queued'] of jobs) {
    it(`with a job, ${name}, isn't supported, and its ID is kept`, async () => {
      const { client } = await answering(json(200, body, { 'x-request-id': 'req_v' }));
      const failure = await failureOf(client.ask(videoGeneration(request)));
      assert.deepEqual(failure, {
        kind: 'unsupported',
        what: 'job',
        jobId: 'job_1',
        jobStatus,
        requestId: 'req_v',
      });
      assert.equal(mayHaveBeenMade(failure), true);
    });
  }

  const bodies: readonly (readonly [string, Buffer, ApiFailure['kind']])[] = [
    ['no data', json(200, { created: 1 }), 'malformed'],
    ["no data, and the request's own ID", json(200, { created: 1, request_id: 'r' }), 'malformed'],
    ['an error envelope', json(200, { error: { message: 'No.' } }), 'streamError'],
    ['nothing', answer(200, ''), 'emptyAnswer'],
    ['HTML', answer(200, '<html>', { 'content-type': 'text/html' }), 'notTheService'],
    ['broken JSON', answer(200, '{"data":[{'), 'malformed'],
    ['over 24 MiB', answer(200, `"${'x'.repeat(24 * 1024 * 1024)}"`), 'tooLarge'],
    ['402', json(402, { error: { message: 'No.', request_id: 'req_e' } }), 'outOfCredits'],
  ];
  for (const [name, bytes, kind] of bodies) {
    it(`with ${name} is ${kind}, after one request`, async () => {
      const { client } = await answering(bytes);
      assert.equal((await failureOf(client.ask(videoGeneration(request)))).kind, kind);
      assert.equal(server.requests.length, 1);
    });
  }

  it("can take longer than a stream's first byte and silence", async () => {
    const { client } = await serve(
      (socket) => {
        // Sends half of the response now, so that both timers of a stream would be running.
        socket.write(head(200, { 'content-type': 'application/json', 'content-length': '13' }));
        socket.write('{"dat');
      },
      { firstByteMs: 10, silenceMs: 10, wholeReplyMs: 10, imageMs: 10, videoMs: 90 },
    );
    const failure = await failureOf(client.ask(videoGeneration(request)));
    assert.deepEqual(failure, {
      kind: 'timeout',
      timer: 'answer',
      afterMs: 90,
      host: new URL(server.origin).host,
    });
    assert.equal(mayHaveBeenMade(failure), true);
    await server.allClosed();
    assert.equal(server.requests.length, 1);
  });

  it('that takes too long reports its request ID, if the headers had arrived', async () => {
    // It runs out once they have, however long that takes here.
    using limit = heldTimers(90);
    const runOut = (): void => limit.pass(90);
    subscribe('undici:request:headers', runOut);
    try {
      const { client } = await serve(
        (socket) => socket.write(head(200, { 'x-request-id': 'req_v', 'content-length': '13' })),
        { videoMs: 90 },
      );
      const failure = await failureOf(client.ask(videoGeneration(request)));
      assert.equal(failure.kind === 'timeout' && failure.requestId, 'req_v');
    } finally {
      unsubscribe('undici:request:headers', runOut);
    }
  });

  it("whose connection breaks during the response isn't repeated, and might have been generated", async () => {
    const { client } = await serve((socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"data"'));
    const failure = await failureOf(client.ask(videoGeneration(request)));
    assert.equal(failure.kind, 'connectionLost');
    assert.equal(mayHaveBeenMade(failure), true);
    assert.equal(server.requests.length, 1);
  });

  it('is repeated after 429 with Retry-After, and reports the wait', async () => {
    const clock = instantClock();
    server = await startRawServer((socket, _request, index) =>
      socket.write(index === 0 ? json(429, {}, { 'retry-after': '7' }) : json(200, made)),
    );
    tested = testClient(server.origin, { clock });
    const told: string[] = [];
    await tested.client.ask(videoGeneration(request), {
      onAttempt: (event) => told.push(event.type === 'retrying' ? `wait ${event.delayMs}` : `try ${event.attempt}`),
    });
    assert.deepEqual(told, ['try 1', 'wait 7000', 'try 2']);
    assert.deepEqual(clock.slept, [7000]);
  });

  it('is repeated if no byte was sent', async () => {
    server = await startRawServer((socket) => socket.write(json(200, made)));
    const { port } = server;
    await server.close();
    const clock = instantClock();
    tested = testClient(`http://127.0.0.1:${port}`, {
      clock: {
        ...clock,
        sleep: async (ms, signal) => {
          await clock.sleep(ms, signal);
          server = await startRawServer((socket) => socket.write(json(200, made)), undefined, port);
        },
      },
    });
    assert.equal((await tested.client.ask(videoGeneration(request))).videos.length, 1);
  });

  for (const status of [429, 500, 502, 503, 504]) {
    it(`isn't repeated after ${status}${status === 429 ? ' without Retry-After' : ''}`, async () => {
      const { client } = await answering(json(status, {}));
      const failure = await failureOf(client.ask(videoGeneration(request)));
      assert.equal(server.requests.length, 1);
      assert.equal(mayHaveBeenMade(failure), status !== 429);
    });
  }

  it('closes its socket on a cancel, and throws the reason', async () => {
    const abort = new AbortController();
    const reason = new Error('enough');
    const { client } = await serve(() => abort.abort(reason));
    await assert.rejects(client.ask(videoGeneration(request), { signal: abort.signal }), (error) => error === reason);
    await server.allClosed();
  });
});
