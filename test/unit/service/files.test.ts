import assert from 'node:assert/strict';
import { type InferenceService, startInferenceService } from '../../service/inferenceService.ts';
import { type Answer, send } from './serviceClient.ts';

describe('The files that the service generated', () => {
  let service: InferenceService;
  let nowMs = 1_700_000_000_000;

  before(async () => {
    service = await startInferenceService({ videoSeconds: 0, fileLifetimeSeconds: 60, now: () => nowMs });
  });

  after(() => service.close());

  async function make(base = service.baseUrl): Promise<string> {
    const body = { model: 'local/video', prompt: 'A ball', resolution: '160p', duration: 2, fps: 10 };
    const answer = await send(service, body, { url: `${base}/videos/generations` });
    const { data }: { readonly data: readonly { readonly url: string }[] } = JSON.parse(answer.text);
    return data[0]?.url ?? '';
  }

  const get = (url: string, headers: Readonly<Record<string, string>> = {}, method = 'GET'): Promise<Answer> =>
    send(service, undefined, { url, method, key: null, headers });

  it('are served without a key, in full', async () => {
    const answer = await get(await make());
    assert.equal(answer.status, 200);
    assert.equal(answer.headers['content-type'], 'video/webm');
    assert.equal(answer.headers['accept-ranges'], 'bytes');
    assert.equal(Number(answer.headers['content-length']), answer.bytes.length);
    assert.match(String(answer.headers.etag), /^"[0-9a-f]{32}"$/);
    assert.equal(answer.bytes.readUInt32BE(0), 0x1a45dfa3);
    const entry = service.log().at(-1);
    assert.deepEqual([entry?.kind, entry?.status, entry?.authorization], ['file', 200, 'missing']);
  });

  it('are served on the form of the host that was asked', async () => {
    const url = await make(service.legacyBaseUrl);
    assert.equal(new URL(url).origin, new URL(service.legacyBaseUrl).origin);
    assert.equal((await get(url)).status, 200);
    const elsewhere = url.replace(new URL(url).origin, service.origin);
    assert.equal((await get(elsewhere)).status, 200);
  });

  it('are served in parts', async () => {
    const url = await make();
    const { bytes: whole, headers } = await get(url);
    const length = whole.length;
    for (const [range, start, end] of [
      ['bytes=0-0', 0, 1],
      ['bytes=100-199', 100, 200],
      [`bytes=${length - 5}-`, length - 5, length],
      ['bytes=-7', length - 7, length],
      [`bytes=10-${length + 500}`, 10, length],
    ] as const) {
      const answer = await get(url, { range });
      assert.equal(answer.status, 206, range);
      assert.equal(answer.headers['content-range'], `bytes ${start}-${end - 1}/${length}`);
      assert.deepEqual(answer.bytes, whole.subarray(start, end), range);
    }
    const fits = await get(url, { range: 'bytes=5-', 'if-range': String(headers.etag) });
    assert.equal(fits.status, 206);
    const changed = await get(url, { range: 'bytes=5-', 'if-range': '"other"' });
    assert.deepEqual(changed.bytes, whole);
    for (const range of ['bytes=0-1,5-6', 'lines=0-1', 'bytes=5-2', 'bytes=-', 'nonsense']) {
      assert.equal((await get(url, { range })).status, 200, range);
    }
    for (const range of [`bytes=${length}-`, 'bytes=-0']) {
      const beyond = await get(url, { range });
      assert.equal(beyond.status, 416, range);
      assert.equal(beyond.headers['content-range'], `bytes */${length}`);
    }
  });

  it('respond to HEAD', async () => {
    const url = await make();
    const whole = await get(url);
    const head = await get(url, {}, 'HEAD');
    assert.equal(head.status, 200);
    assert.equal(head.bytes.length, 0);
    assert.equal(head.headers['content-length'], String(whole.bytes.length));
    assert.equal(head.headers.etag, whole.headers.etag);
    assert.equal((await send(service, {}, { url })).status, 405);
  });

  it('are 410 after their time, and 404 if they never existed', async () => {
    const url = await make();
    nowMs += 59_999;
    assert.equal((await get(url)).status, 200);
    nowMs += 1;
    assert.equal((await get(url)).status, 410);
    assert.equal((await get(`${service.origin}/files/none.webm`)).status, 404);
  });
});
