import assert from 'node:assert/strict';
import { imageSize } from '../../../../src/core/media/imageSize.ts';

const bytes = (...parts: readonly (string | readonly number[])[]) =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part))));

describe('The size of an image', () => {
  it('is in its header', () => {
    const png = bytes('\x89PNG\r\n\x1a\n', [0, 0, 0, 13], 'IHDR', [0, 0, 2, 0, 0, 0, 1, 44]);
    assert.deepEqual(imageSize(png), { width: 512, height: 300 });
    assert.deepEqual(imageSize(bytes('GIF89a', [0, 2, 44, 1])), { width: 512, height: 300 });
    const jpeg = bytes(
      [0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2],
      [0xff, 0xc4, 0, 3, 9],
      [0xff, 0xc0, 0, 17, 8, 1, 44, 2, 0],
    );
    assert.deepEqual(imageSize(jpeg), { width: 512, height: 300 });
    const webp = (kind: string, ...rest: readonly number[]) => bytes('RIFF', [0, 0, 0, 0], 'WEBP', kind, rest);
    assert.deepEqual(imageSize(webp('VP8X', 10, 0, 0, 0, 0, 0, 0, 0, 0xff, 1, 0, 43, 1, 0)), {
      width: 512,
      height: 300,
    });
    assert.deepEqual(imageSize(webp('VP8 ', 1, 0, 0, 0, 0, 0, 0, 0x9d, 1, 0x2a, 0, 2, 44, 1)), {
      width: 512,
      height: 300,
    });
    const packed = 511 | (299 << 14);
    const lossless = [packed & 255, (packed >> 8) & 255, (packed >> 16) & 255, packed >>> 24];
    assert.deepEqual(imageSize(webp('VP8L', 1, 0, 0, 0, 0x2f, ...lossless)), { width: 512, height: 300 });
  });

  it('is unknown for other bytes, or if they end too soon', () => {
    assert.equal(imageSize(bytes('<svg width="3"/>')), undefined);
    assert.equal(imageSize(bytes('\x89PNG\r\n')), undefined);
    assert.equal(imageSize(bytes([0xff, 0xd8, 0xff, 0xe0, 0, 4])), undefined);
    assert.equal(imageSize(new Uint8Array()), undefined);
  });
});
