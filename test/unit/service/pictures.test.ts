import assert from 'node:assert/strict';
import { type InferenceService, startInferenceService } from '../../service/inferenceService.ts';
import { pictureShape } from '../../service/pictures/pictureShape.ts';
import { dataUrl, pngUrl } from './sampleFiles.ts';
import { type Answer, chunksOf, errorOf, goodBody, send, textOf, wholeReplyOf } from './serviceClient.ts';

/** A GIF, a JPEG, and three kinds of WebP, up to their sizes: 3 × 2 pixels each. */
const heads = {
  GIF: '47494638396103000200',
  JPEG: 'ffd8ffe000040000ffc2000b080002000301',
  'WebP VP8': `${webp('VP8 ')}000000000000009d012a03000200`,
  'WebP VP8L': `${webp('VP8L')}000000002f02400000`,
  'WebP VP8X': `${webp('VP8X')}0a00000000000000020000010000`,
};

function webp(kind: string): string {
  return Buffer.from(`RIFF\0\0\0\0WEBP${kind}`, 'latin1').toString('hex');
}

describe('A chat with images', () => {
  let service: InferenceService;

  before(async () => {
    service = await startInferenceService({ tokensPerSecond: Infinity });
  });

  after(() => service.close());

  const content = (...urls: readonly string[]): readonly object[] => [
    { type: 'text', text: 'What is this?' },
    ...urls.map((url) => ({ type: 'image_url', image_url: { url } })),
  ];
  const ask = (parts: unknown, change: object = {}, url = `${service.baseUrl}/chat/completions`): Promise<Answer> =>
    send(service, { model: 'local/vision', messages: [{ role: 'user', content: parts }], ...change }, { url });

  it('returns format, size, bytes, and source of each, from a data: URL and from a web URL', async () => {
    const url = await pngUrl(30, 20);
    const bytes = Buffer.from(url.split(',')[1] ?? '', 'base64').length;
    const image = await send(
      service,
      { model: 'local/image', prompt: 'x', size: '64x32' },
      { url: `${service.baseUrl}/images/generations` },
    );
    const { data }: { readonly data: readonly { readonly url: string }[] } = JSON.parse(image.text);
    const text = textOf(chunksOf((await ask(content(url, data[0]?.url ?? ''))).text));
    assert.match(text, new RegExp(`^Picture 1: PNG, 30 × 20 pixels, ${bytes} bytes, inside the request\\.\n`));
    assert.match(text, /Picture 2: PNG, 64 × 32 pixels, \d+ bytes, from its address\.\n/);
    assert.match(text, /The words with it: What is this\?$/);
    const [fetched] = service.log().filter(({ kind }) => kind === 'file');
    assert.equal(fetched?.authorization, 'missing', 'the key does not go along');
  });

  it('is the same on the native multimodal path, streamed or whole', async () => {
    const parts = content(await pngUrl(3, 2));
    const url = `${service.nativeUrl}/v1/svcai/multimodal/chat`;
    const compatible = textOf(chunksOf((await ask(parts)).text));
    assert.equal(textOf(chunksOf((await ask(parts, {}, url)).text)), compatible);
    const whole = wholeReplyOf(await ask(parts, { stream: false }, url));
    assert.equal(whole.choices[0]?.message.content, compatible);
    assert.equal(whole.usage?.prompt_tokens, 4 + 256);
    assert.equal(service.log().at(-1)?.kind, 'multimodal');
    assert.match(textOf(chunksOf((await ask('Only words', {}, url)).text)), /^There is no picture/);
  });

  it('requires a model with image input', async () => {
    const parts = content(await pngUrl(3, 2));
    const blind = await ask(parts, { model: 'local/echo' });
    assert.equal(blind.status, 400);
    assert.equal(errorOf(blind).param, 'messages[0].content');
    const url = `${service.nativeUrl}/v1/svcai/multimodal/chat`;
    const unable = await send(service, goodBody, { url });
    assert.equal(unable.status, 404);
    assert.equal(errorOf(unable).param, 'model');
  });

  it('returns 400 with the param for an invalid part', async () => {
    const at = 'messages[0].content[0]';
    for (const [part, param] of [
      ['text', at],
      [{ type: 'video_url' }, `${at}.type`],
      [{ type: 'text' }, `${at}.text`],
      [{ type: 'image_url', image_url: 'https://example.com/' }, `${at}.image_url`],
      [{ type: 'image_url', image_url: {} }, `${at}.image_url.url`],
      [{ type: 'image_url', image_url: { url: 'ftp://example.com/a.png' } }, `${at}.image_url.url`],
      [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }, `${at}.image_url.url`],
      [{ type: 'image_url', image_url: { url: `${service.origin}/files/none.png` } }, `${at}.image_url.url`],
    ] as const) {
      const answer = await ask([part]);
      assert.equal(answer.status, 400, param);
      assert.equal(errorOf(answer).param, param);
    }
  });

  for (const [name, hex] of Object.entries(heads)) {
    it(`reads the size of a ${name}`, async () => {
      const bytes = Buffer.from(hex, 'hex');
      assert.deepEqual(pictureShape(bytes), { format: name.split(' ')[0], width: 3, height: 2 });
      const text = textOf(chunksOf((await ask(content(dataUrl('image/x', bytes)))).text));
      assert.match(text, /3 × 2 pixels/);
      assert.equal(pictureShape(bytes.subarray(0, 9)), undefined);
    });
  }
});
