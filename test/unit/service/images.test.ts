import assert from 'node:assert/strict';
import { type InferenceService, startInferenceService } from '../../service/inferenceService.ts';
import { pictureShape } from '../../service/pictures/pictureShape.ts';
import { type Answer, errorOf, send } from './serviceClient.ts';

const goodImage = { model: 'local/image-bytes', positive_prompt: 'A lighthouse', width: 64, height: 48 };

interface ImageAnswer {
  readonly created: number;
  readonly data: readonly { readonly url?: string; readonly b64_json?: string }[];
}

describe('Image generation', () => {
  let service: InferenceService;

  before(async () => {
    service = await startInferenceService({ nativeSegment: 'acme' });
  });

  after(() => service.close());

  const native = (body: unknown): Promise<Answer> =>
    send(service, body, { url: `${service.nativeUrl}/v1/acme/image/generation` });
  const compatible = (body: unknown): Promise<Answer> =>
    send(service, body, { url: `${service.baseUrl}/images/generations` });

  it('returns the bytes of a PNG, a link, or base64, depending on the model', async () => {
    const bytes = await native(goodImage);
    assert.equal(bytes.headers['content-type'], 'image/png');
    assert.deepEqual(pictureShape(bytes.bytes), { format: 'PNG', width: 64, height: 48 });

    const { data: links, created }: ImageAnswer = JSON.parse(
      (await native({ ...goodImage, model: 'local/image' })).text,
    );
    assert.ok(Math.abs(created - Date.now() / 1000) < 60);
    const linked = await send(service, undefined, { url: links[0]?.url ?? '', method: 'GET', key: null });
    assert.deepEqual(linked.bytes, bytes.bytes);

    const { data }: ImageAnswer = JSON.parse((await native({ ...goodImage, model: 'local/image-base64' })).text);
    assert.deepEqual(Buffer.from(data[0]?.b64_json ?? '', 'base64'), bytes.bytes);
  });

  it('paints the same for the same request, and something else for another', async () => {
    const painted = async (change: object): Promise<Buffer> => (await native({ ...goodImage, ...change })).bytes;
    const first = await painted({ seed: 7 });
    assert.deepEqual(await painted({ seed: 7 }), first);
    for (const change of [{ seed: 8 }, { seed: 7, positive_prompt: 'A tower' }]) {
      assert.notDeepEqual(await painted(change), first, JSON.stringify(change));
    }
  });

  for (const [change, param] of [
    [{ model: undefined }, 'model'],
    [{ positive_prompt: undefined }, 'positive_prompt'],
    [{ width: '64' }, 'width'],
    [{ height: 2049 }, 'height'],
    [{ steps: 0 }, 'steps'],
    [{ cfg: 31 }, 'cfg'],
    [{ seed: 0.5 }, 'seed'],
    [{ output_format: 'webp' }, 'output_format'],
  ] as const) {
    it(`returns 400 with the param ${param} for ${JSON.stringify(change)}`, async () => {
      const answer = await native({ ...goodImage, ...change });
      assert.equal(answer.status, 400);
      assert.equal(errorOf(answer).param, param);
    });
  }

  it('works on the path of compatible services, with several at a time', async () => {
    const body = { model: 'local/image', prompt: 'A lighthouse', n: 2, size: '32x16', response_format: 'b64_json' };
    const { data }: ImageAnswer = JSON.parse((await compatible(body)).text);
    const images = data.map(({ b64_json }) => Buffer.from(b64_json ?? '', 'base64'));
    assert.equal(images.length, 2);
    assert.notDeepEqual(images[0], images[1]);
    for (const image of images) assert.deepEqual(pictureShape(image), { format: 'PNG', width: 32, height: 16 });
    for (const [change, param] of [
      [{ prompt: undefined }, 'prompt'],
      [{ n: 5 }, 'n'],
      [{ size: '32' }, 'size'],
      [{ size: '32x9999' }, 'size'],
      [{ response_format: 'jpeg' }, 'response_format'],
    ] as const) {
      assert.equal(errorOf(await compatible({ ...body, ...change })).param, param);
    }
  });

  it('is rejected like a chat, and logged', async () => {
    await native(goodImage);
    const entry = service.log().at(-1);
    assert.deepEqual(
      [entry?.kind, entry?.status, entry?.outcome, entry?.promptTokens, entry?.completionTokens, entry?.cost],
      ['image', 200, 'done', 2, 0, 0.02],
    );
    assert.equal((await native({ ...goodImage, model: 'local/video' })).status, 404);
    assert.equal((await native({ ...goodImage, model: 'local/error-402' })).status, 402);
    assert.equal((await native({ ...goodImage, model: 'local/image:fault-html-502' })).status, 502);
    const withoutKey = await send(service, goodImage, {
      url: `${service.nativeUrl}/v1/acme/image/generation`,
      key: null,
    });
    assert.equal(withoutKey.status, 401);
    const otherSegment = await send(service, goodImage, { url: `${service.nativeUrl}/v1/svcai/image/generation` });
    assert.equal(otherSegment.status, 404);
  });
});
