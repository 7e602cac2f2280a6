import assert from 'node:assert/strict';
import { type ImageRequest, imageGeneration } from '../../../../src/api/operations/imageGeneration.ts';
import type { ApiFailure } from '../../../../src/shared/apiFailure.ts';
import { answer, chunk, json, startRawServer, streamHead, type RawServer } from '../rawServer.ts';
import { failureOf, testClient, type TestClient } from '../testClient.ts';

const request: Required<ImageRequest> = {
  model: 'maker/image-1',
  positive_prompt: 'A kite.',
  width: 512,
  height: 256,
  steps: 20,
  cfg: 3.5,
  seed: 7,
  output_format: 'png',
};
const few: ImageRequest = { model: 'maker/image-1', positive_prompt: 'A kite.' };
const url = 'https://media.test/1.png';
const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const pngImage = { kind: 'bytes', mediaType: 'image/png', bytes: png };

describe('An image generation', () => {
  let server: RawServer;
  let tested: TestClient;
  afterEach(async () => {
    tested.dispose();
    await server.close();
  });

  async function answering(bytes: Buffer): Promise<TestClient['client']> {
    server = await startRawServer((socket) => socket.write(bytes));
    tested = testClient(server.origin, { nativeSegment: 'my svc' });
    return tested.client;
  }
  const sent = (): unknown => JSON.parse(server.requests[0]?.body ?? '');

  it('posts to the native path of the segment, with its eight fields', async () => {
    await (await answering(json(200, { data: [{ url }] }))).ask(imageGeneration(request));
    assert.equal(server.requests[0]?.target, '/api/v1/my%20svc/image/generation');
    assert.equal(server.requests[0].method, 'POST');
    assert.deepEqual(sent(), request);
  });

  it("sends nothing that isn't set", async () => {
    await (await answering(json(200, { data: [{ url }] }))).ask(imageGeneration(few));
    assert.deepEqual(sent(), few);
  });

  it('posts to images/generations of a compatible service, with its field names', async () => {
    await (await answering(json(200, { data: [{ url }] }))).ask(imageGeneration(request), { api: 'compatible' });
    assert.equal(server.requests[0]?.target, '/v1/images/generations');
    const { model, positive_prompt: prompt, steps, cfg, seed, output_format } = request;
    assert.deepEqual(sent(), { model, prompt, size: '512x256', steps, cfg, seed, output_format });
  });

  it('sends a width without a height unchanged to a compatible service', async () => {
    await (
      await answering(json(200, { data: [{ url }] }))
    ).ask(imageGeneration({ ...few, width: 64 }), { api: 'compatible' });
    assert.deepEqual(sent(), { model: few.model, prompt: few.positive_prompt, width: 64 });
  });

  const kinds: readonly (readonly [string, string])[] = [
    ['image/png', png.toString('hex')],
    ['image/jpeg', 'ffd8ffe000104a464946'],
    ['image/gif', Buffer.from('GIF89a..').toString('hex')],
    ['image/webp', Buffer.from('RIFF\0\0\0\0WEBPVP8 ').toString('hex')],
    ['image/avif', Buffer.from('\0\0\0 ftypavif').toString('hex')],
  ];
  for (const [mediaType, hex] of kinds) {
    it(`reads raw bytes of ${mediaType}, whatever the header says`, async () => {
      const bytes = Buffer.from(hex, 'hex');
      const client = await answering(answer(200, bytes, { 'content-type': 'text/html', 'x-request-id': 'req_i' }));
      assert.deepEqual(await client.ask(imageGeneration(few)), {
        images: [{ kind: 'bytes', mediaType, bytes }],
        requestId: 'req_i',
      });
    });
  }

  const shapes: readonly (readonly [string, unknown, readonly unknown[]])[] = [
    ['an address', { data: [{ url }] }, [{ kind: 'url', url }]],
    ['b64_json', { data: [{ b64_json: png.toString('base64') }] }, [pngImage]],
    ['a data: address', { data: [{ url: `data:image/png;base64,${png.toString('base64')}` }] }, [pngImage]],
    ['both, of which the bytes count', { data: [{ url, b64_json: png.toString('base64') }] }, [pngImage]],
    ['several', { data: [{ url }, { b64_json: png.toString('base64') }] }, [{ kind: 'url', url }, pngImage]],
    ['{images: [addresses]}', { images: [url] }, [{ kind: 'url', url }]],
  ];
  for (const [name, body, images] of shapes) {
    it(`reads JSON with ${name}`, async () => {
      const client = await answering(json(200, { created: 17, ...(body as object) }));
      assert.deepEqual(await client.ask(imageGeneration(few)), { created: 17, images });
    });
  }

  it('reads an image of several MiB in base64', async () => {
    const bytes = Buffer.concat([png, Buffer.alloc(9 * 1024 * 1024, 7)]);
    const { images } = await (
      await answering(json(200, { data: [{ b64_json: bytes.toString('base64') }] }))
    ).ask(imageGeneration(few));
    assert.ok(images[0]?.kind === 'bytes' && bytes.equals(images[0].bytes));
  });

  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>';
  const encoded = png.toString('base64');
  const paidShapes: readonly (readonly [string, Buffer, unknown])[] = [
    ['base64 in images', json(200, { images: [encoded] }), pngImage],
    ['base64 under another name', json(200, { artifacts: [{ base64: encoded }] }), pngImage],
    [
      'a data: URL in image_url',
      json(200, { images: [{ image_url: { url: `data:image/png;base64,${encoded}` } }] }),
      pngImage,
    ],
    ['base64 as the only field', json(200, { image: encoded }), pngImage],
    ['a bare link in a list', json(200, [url]), { kind: 'url', url }],
    ['a bare link as all of the body', answer(200, url, { 'content-type': 'text/plain' }), { kind: 'url', url }],
    ['output', json(200, { id: 'p', status: 'succeeded', output: [url] }), { kind: 'url', url }],
  ];
  for (const [name, bytes, image] of paidShapes) {
    it(`accepts an image that arrives as ${name}, because it's paid for, after one request`, async () => {
      assert.deepEqual((await (await answering(bytes)).ask(imageGeneration(request))).images, [image]);
      assert.equal(server.requests.length, 1);
    });
  }

  it('accepts a link without a host as one on the service', async () => {
    const { images } = await (
      await answering(json(200, { data: [{ url: '/files/1.png' }] }))
    ).ask(imageGeneration(request));
    assert.deepEqual(images, [{ kind: 'url', url: `${server.origin}/files/1.png` }]);
  });

  const bad: readonly (readonly [string, Buffer, ApiFailure['kind']])[] = [
    ['an SVG', answer(200, svg, { 'content-type': 'image/svg+xml' }), 'notTheService'],
    ['a job', json(200, { id: 'job_1', status: 'queued' }), 'unsupported'],
    ['an SVG in base64', json(200, { data: [{ b64_json: Buffer.from(svg).toString('base64') }] }), 'malformed'],
    ['base64 of something else', json(200, { data: [{ b64_json: 'aGVsbG8=' }] }), 'malformed'],
    ['an address of another kind', json(200, { data: [{ url: 'file:///etc/passwd' }] }), 'malformed'],
    ['no image', json(200, { data: [] }), 'malformed'],
    ['bytes of no image', answer(200, Buffer.from([0, 1, 2, 3]), { 'content-type': 'image/png' }), 'malformed'],
    ['nothing', answer(200, ''), 'emptyAnswer'],
    ['500', json(500, {}), 'serverError'],
  ];
  for (const [name, bytes, kind] of bad) {
    it(`with ${name} is ${kind}, after one request`, async () => {
      const client = await answering(bytes);
      assert.equal((await failureOf(client.ask(imageGeneration(few)))).kind, kind);
      assert.equal(server.requests.length, 1);
    });
  }

  it('without end is cut off at 24 MiB', async () => {
    server = await startRawServer((socket) => {
      socket.write(Buffer.concat([streamHead({ 'content-type': 'image/png' }), chunk(png)]));
      const more = chunk(Buffer.alloc(60_000));
      const write = (): void => {
        while (!socket.destroyed && socket.write(more));
      };
      socket.on('drain', write);
      write();
    });
    tested = testClient(server.origin);
    const failure = await failureOf(tested.client.ask(imageGeneration(few)));
    assert.deepEqual(failure, { kind: 'tooLarge', what: 'body', limitBytes: 24 * 1024 * 1024 });
    await server.allClosed();
  });

  it('has a separate timer', async () => {
    server = await startRawServer(() => {});
    tested = testClient(server.origin, { timeouts: { firstByteMs: 10, videoMs: 10, imageMs: 60 } });
    const failure = await failureOf(tested.client.ask(imageGeneration(few)));
    assert.equal(failure.kind === 'timeout' && `${failure.timer} ${failure.afterMs}`, 'answer 60');
  });
});
