import { promisify } from 'node:util';
import { crc32, deflate } from 'node:zlib';

const compress = promisify(deflate);
const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
/** Each pixel row as its difference from the row above, which compresses gradients best. */
const upFilter = 2;

/** An 8-bit PNG without transparency. `rgb` has three bytes per pixel, row by row. */
export async function encodePng(width: number, height: number, rgb: Uint8Array): Promise<Buffer> {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const pixels = await compress(filterRows(width, height, rgb), { level: 3 });
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))]);
}

function filterRows(width: number, height: number, rgb: Uint8Array): Uint8Array {
  const stride = width * 3;
  const filtered = new Uint8Array((stride + 1) * height);
  for (let row = 0; row < height; row += 1) {
    const from = row * stride;
    const to = row * (stride + 1) + 1;
    filtered[to - 1] = upFilter;
    for (let at = 0; at < stride; at += 1) {
      const above = row === 0 ? 0 : (rgb[from + at - stride] ?? 0);
      filtered[to + at] = (rgb[from + at] ?? 0) - above;
    }
  }
  return filtered;
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  framed.set(body, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}
