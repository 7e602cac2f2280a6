import assert from 'node:assert/strict';
import { type DownloadSink, downloadMedia, type DownloadOptions } from '../../../../src/api/download/mediaDownload.ts';
import { createTransport } from '../../../../src/api/transport/createTransport.ts';
import type { Transport } from '../../../../src/api/transport/transport.ts';
import { type InferenceService, startInferenceService } from '../../../service/inferenceService.ts';
import { head, type RawServer, type Responder, startRawServer } from '../rawServer.ts';
import { failureOf, instantClock, plainSettings, testClient, testKey } from '../testClient.ts';
import { videoGeneration } from '../../../../src/api/operations/videoGeneration.ts';

const webm = Buffer.concat([Buffer.from([0x1a, 0x45, 0xdf, 0xa3]), Buffer.alloc(5000, 7)]);

/** A sink in memory that counts how often it was emptied. */
class MemorySink implements DownloadSink {
  bytes = Buffer.alloc(0);
  restarts = 0;
  tag: string | undefined;

  get size(): number {
    return this.bytes.length;
  }

  setTag(tag: string | undefined): Promise<void> {
    this.tag = tag;
    return Promise.resolve();
  }

  head(): Promise<Uint8Array> {
    return Promise.resolve(this.bytes.subarray(0, 16));
  }

  append(chunk: Uint8Array): Promise<void> {
    this.bytes = Buffer.concat([this.bytes, chunk]);
    return Promise.resolve();
  }

  restart(): Promise<void> {
    this.restarts += 1;
    this.tag = undefined;
    this.bytes = Buffer.alloc(0);
    return Promise.resolve();
  }
}

describe('The download of a generated file', () => {
  let service: InferenceService;
  let transport: Transport;
  let raw: RawServer | undefined;

  before(async () => {
    service = await startInferenceService({ videoSeconds: 0 });
    transport = createTransport({ settings: () => plainSettings });
  });
  afterEach(async () => {
    await raw?.close();
    raw = undefined;
  });
  after(async () => {
    transport.dispose();
    await service.close();
  });

  async function linkFrom(model: string): Promise<string> {
    const { client, dispose } = testClient(service.origin, { apiKey: service.apiKey });
    try {
      const { videos } = await client.ask(videoGeneration({ model, resolution: '120p', duration: 2, fps: 8 }));
      return videos[0]?.url ?? '';
    } finally {
      dispose();
    }
  }

  /** What the service has for this link, fetched by an ordinary client in as many parts as it takes. */
  async function whole(url: string): Promise<Buffer> {
    const parts = [];
    for (let from = 0, total = 1; from < total;) {
      const part = await fetch(url, { headers: { range: `bytes=${from}-${from + 999}` } });
      total = Number(part.headers.get('content-range')?.split('/')[1]);
      parts.push(Buffer.from(await part.arrayBuffer().catch(() => new ArrayBuffer(0))));
      from += 1000;
    }
    return Buffer.concat(parts);
  }

  function get(url: string, sink = new MemorySink(), options: DownloadOptions = {}, local = service.origin) {
    return getPatiently(5000, url, sink, options, local);
  }

  function getPatiently(silenceMs: number, url: string, sink = new MemorySink(), options = {}, local = service.origin) {
    const deps = { transport, service: [new URL(local)], silenceMs, clock: instantClock() };
    return downloadMedia(deps, url, sink, options);
  }

  async function serve(respond: Responder): Promise<string> {
    raw = await startRawServer(respond);
    return `http://127.0.0.1:${raw.port}/file`;
  }

  it('downloads the exact bytes, reports the progress, and detects the type from the bytes', async () => {
    const url = await linkFrom('local/video');
    const sink = new MemorySink();
    const progress: (readonly [number, number | undefined])[] = [];
    const made = await get(url, sink, { onProgress: (received, total) => progress.push([received, total]) });
    assert.deepEqual(sink.bytes, await whole(url));
    assert.deepEqual(made, { mediaType: 'video/webm', sizeBytes: sink.size });
    assert.deepEqual(progress.at(-1), [sink.size, sink.size]);
  });

  it('resumes with Range and the ETag after a broken connection', async () => {
    const url = await linkFrom('local/video-download-broken');
    const sink = new MemorySink();
    await get(url, sink);
    assert.equal(sink.restarts, 0);
    const good = await linkFrom('local/video');
    assert.deepEqual(sink.bytes, await whole(good));
  });

  it('is complete if only the announced length was too long', async () => {
    const sink = new MemorySink();
    await get(await linkFrom('local/video-download-short'), sink);
    assert.deepEqual(sink.bytes, await whole(await linkFrom('local/video')));
  });

  it('works without Range, ETag, and length', async () => {
    const sink = new MemorySink();
    await get(await linkFrom('local/video-download-plain'), sink);
    assert.deepEqual(sink.bytes, await whole(await linkFrom('local/video')));
  });

  it('starts over if the file is a different one each time, and gives up after five attempts', async () => {
    const sink = new MemorySink();
    const failure = await failureOf(get(await linkFrom('local/video-download-changing'), sink));
    assert.equal(failure.kind, 'connectionLost');
    assert.equal(sink.restarts, 4);
  });

  it('resumes a download that went silent', async () => {
    const sink = new MemorySink();
    await getPatiently(150, await linkFrom('local/video-download-silent'), sink);
    assert.deepEqual(sink.bytes, await whole(await linkFrom('local/video')));
  });

  it('times out if nothing ever arrives, after five attempts', async () => {
    const url = await serve(() => {});
    const failure = await failureOf(getPatiently(150, url));
    assert.ok(failure.kind === 'timeout' && failure.timer === 'silence', failure.kind);
    assert.equal(raw?.requests.length, 5);
  });

  for (const status of [403, 404, 410]) {
    it(`requests a link that returns ${status} once`, async () => {
      const url = await linkFrom(`local/video-link-${status}`);
      const before = service.log().length;
      const failure = await failureOf(get(url));
      assert.deepEqual(failure, { kind: 'download', reason: 'gone', host: new URL(url).host, status });
      assert.equal(service.log().length, before + 1);
    });
  }

  it("tries five times if the file's host has an error", async () => {
    const url = await linkFrom('local/video-link-500');
    const before = service.log().length;
    const failure = await failureOf(get(url));
    assert.ok(failure.kind === 'download' && failure.reason === 'status' && failure.status === 500);
    assert.equal(service.log().length, before + 5);
  });

  it("waits as long as the file's host asks, but not more than 30 s", async () => {
    const clock = instantClock();
    const deps = { transport, service: [new URL(service.origin)], silenceMs: 5000, clock };
    const refused = head(503, { 'content-length': '0', 'retry-after': '12' });
    const url = await serve((socket, _request, index) =>
      socket.write(index === 0 ? refused : Buffer.concat([head(200, { 'content-length': String(webm.length) }), webm])),
    );
    await downloadMedia(deps, url, new MemorySink());
    assert.deepEqual(clock.slept, [12_000]);
    await raw?.close();
    const later = await serve((socket) => socket.write(head(429, { 'content-length': '0', 'retry-after': '31' })));
    const failure = await failureOf(downloadMedia(deps, later, new MemorySink()));
    assert.ok(failure.kind === 'download' && failure.status === 429);
    assert.equal(raw?.requests.length, 1);
  });

  for (const [what, of] of [
    ['another file', { etag: '"two"' }],
    ['what was packed for the way', { etag: '"one"', 'content-encoding': 'gzip' }],
  ] as const) {
    it(`doesn't continue with a part of ${what}`, async () => {
      const half = webm.length / 2;
      const url = await serve((socket, { headers }, index) => {
        const begun = head(200, { 'content-length': String(webm.length), etag: '"one"' });
        if (headers['range'] === undefined && index > 0) return socket.write(Buffer.concat([begun, webm]));
        if (index === 0) return socket.end(Buffer.concat([begun, webm.subarray(0, half)]));
        const range = { 'content-range': `bytes ${half}-${webm.length - 1}/${webm.length}` };
        return socket.end(Buffer.concat([head(206, { ...range, ...of }), Buffer.alloc(half, 9)]));
      });
      const sink = new MemorySink();
      await get(url, sink);
      assert.deepEqual(sink.bytes, webm);
      assert.equal(sink.restarts, 1);
    });
  }

  it('keeps nothing of a web page that arrives instead of the video', async () => {
    const sink = new MemorySink();
    const failure = await failureOf(get(await linkFrom('local/video-link-portal'), sink));
    assert.ok(failure.kind === 'download' && failure.reason === 'notMedia');
    assert.equal(sink.size, 0);
  });

  it('sends no key, no cookie, and no referrer', async () => {
    const url = await serve((socket) => {
      socket.end(Buffer.concat([head(200, { 'content-length': String(webm.length) }), webm]));
    });
    const { client, dispose } = testClient(new URL(url).origin);
    await client.downloadMedia(url, new MemorySink());
    dispose();
    const [request] = raw?.requests ?? [];
    assert.ok(request);
    assert.ok(!JSON.stringify(request).includes(testKey));
    assert.doesNotMatch(JSON.stringify(request), /authorization|cookie|referer/i);
  });

  it('refuses a file whose announced or actual size exceeds the limit', async () => {
    const sink = new MemorySink();
    const promised = await serve((socket) => socket.write(head(200, { 'content-length': '99999999' })));
    const first = await failureOf(get(promised, sink, { maxBytes: 1000 }));
    assert.ok(first.kind === 'download' && first.reason === 'tooLarge' && first.limitBytes === 1000);
    await raw?.close();
    const endless = await serve((socket) => {
      socket.write(head(200, {}));
      socket.write(webm);
    });
    const second = await failureOf(get(endless, sink, { maxBytes: 1000 }));
    assert.ok(second.kind === 'download' && second.reason === 'tooLarge');
    assert.ok(sink.size <= 1000);
  });

  it('follows a redirect to an allowed URL, and checks each one', async () => {
    const target = await linkFrom('local/video');
    const hop = await serve((socket) => socket.end(head(302, { location: target, 'content-length': '0' })));
    const sink = new MemorySink();
    await get(hop, sink);
    assert.ok(sink.size > 100);
    await raw?.close();
    for (const location of [
      'http://10.0.0.1/x',
      'file:///etc/passwd',
      'http://files.example/x',
      'https://[fd00::1]/x',
    ]) {
      const url = await serve((socket) => socket.end(head(307, { location, 'content-length': '0' })));
      const failure = await failureOf(get(url));
      assert.ok(failure.kind === 'download' && failure.reason === 'address', location);
      await raw?.close();
    }
  });

  it("requests a link to the service's own host over https if the service is, and never unencrypted", async () => {
    const file = await serve((socket) => {
      socket.end(Buffer.concat([head(200, { 'content-length': String(webm.length) }), webm]));
    });
    const asked: string[] = [];
    // The name exists nowhere.
    const towards: Pick<Transport, 'get'> = {
      get: (request, events) => {
        asked.push(request.url.href);
        return transport.get({ ...request, url: new URL(file) }, events);
      },
    };
    const load = async (base: string, link: string) => {
      const sink = new MemorySink();
      await downloadMedia({ transport: towards, service: [new URL(base)], clock: instantClock() }, link, sink);
      assert.deepEqual(sink.bytes, webm);
      return asked.splice(0);
    };
    const link = 'http://box.example:8000/files/a?b=c';
    assert.deepEqual(await load('https://box.example:8443/v1', link), ['https://box.example:8443/files/a?b=c']);
    assert.deepEqual(await load('https://box.example/v1', link), ['https://box.example/files/a?b=c']);
    assert.deepEqual(await load('http://box.example:8000/v1', link), [link]);
    const other = 'http://files.example/a';
    const failure = await failureOf(load('https://box.example/v1', other));
    assert.ok(failure.kind === 'download' && failure.reason === 'address');
    assert.deepEqual(asked, []);
  });

  it('stops if redirects lead in a circle', async () => {
    const url = await serve((socket) => socket.end(head(302, { location: '/file', 'content-length': '0' })));
    const failure = await failureOf(get(url));
    assert.ok(failure.kind === 'download' && failure.reason === 'redirects');
  });

  it('connects to no private or local address if the service is on the web, by name or by number', async () => {
    let connections = 0;
    const port = new URL(await serve(() => (connections += 1))).port;
    const hostile = [
      `https://127.0.0.1:${port}/x`,
      `https://localhost:${port}/x`,
      `https://sub.localhost:${port}/x`,
      `https://localhost.:${port}/x`,
      `https://[::1]:${port}/x`,
      `https://[::ffff:127.0.0.1]:${port}/x`,
      `https://0.0.0.0:${port}/x`,
      `https://2130706433:${port}/x`,
      `https://0x7f.1:${port}/x`,
      'https://10.1.2.3/x',
      'https://172.16.0.1/x',
      'https://192.168.1.1/x',
      'https://169.254.169.254/latest/meta-data',
      'https://100.64.0.1/x',
      'https://[fe80::1]/x',
      'https://[fd12:3456::1]/x',
      'https://[64:ff9b::7f00:1]/x',
      'http://files.example/x',
      'ftp://files.example/x',
      'file:///etc/passwd',
      'data:video/webm;base64,GkXfow==',
      'https://user:secret@files.example/x',
      'not an address',
    ];
    for (const url of hostile) {
      const failure = await failureOf(get(url, new MemorySink(), {}, 'https://api.service.example'));
      assert.ok(failure.kind === 'download' && failure.reason === 'address', url);
    }
    assert.equal(connections, 0);
  });

  it("reports that the disk failed, and the system's message", async () => {
    const sink = new MemorySink();
    sink.append = () => Promise.reject(Object.assign(new Error('full'), { code: 'ENOSPC' }));
    const failure = await failureOf(get(await linkFrom('local/video'), sink));
    assert.ok(failure.kind === 'download' && failure.reason === 'disk' && failure.code === 'ENOSPC');
  });

  it("ends at once when it's stopped, and the host notices", async () => {
    const closed = Promise.withResolvers<void>();
    const abort = new AbortController();
    const url = await serve((socket) => {
      socket.once('close', () => closed.resolve());
      socket.write(Buffer.concat([head(200, { 'content-length': '99999' }), webm]));
    });
    const reason = new Error('enough');
    const options = { signal: abort.signal, onProgress: () => abort.abort(reason) };
    await assert.rejects(get(url, new MemorySink(), options), reason);
    await closed.promise;
  });
});
