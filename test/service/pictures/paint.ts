import { seededRandom } from '../seededRandom.ts';
import type { ImageRequest } from './imageRequest.ts';

/** Red, green, and blue, each from 0 to 255. */
type Rgb = readonly [red: number, green: number, blue: number];

const discs = 20;

/**
 * Paints a gradient with discs, determined only by prompt and seed.
 * @returns three bytes per pixel, row by row
 */
export function paint({
  prompt,
  width,
  height,
  seed,
}: Pick<ImageRequest, 'prompt' | 'width' | 'height' | 'seed'>): Uint8Array {
  const random = seededRandom(`${seed} ${prompt}`);
  const [top, bottom] = [fromHsl(random(), 0.25), fromHsl(random(), 0.75)];
  const pixels = new Uint8Array(width * height * 3);
  for (let row = 0; row < height; row += 1) {
    fillRow(pixels, { from: row * width, to: (row + 1) * width }, mix(top, bottom, row / height));
  }
  for (let count = 0; count < discs; count += 1) {
    const [x, y] = [random() * width, random() * height];
    const radius = Math.min(width, height) * (0.02 + 0.16 * random() ** 2);
    const color = fromHsl(random(), 0.5);
    // Row by row, so that only the disc's pixels are touched.
    for (let row = Math.max(0, Math.ceil(y - radius)); row <= Math.min(height - 1, y + radius); row += 1) {
      const half = Math.sqrt(radius ** 2 - (row - y) ** 2);
      const from = Math.max(0, Math.ceil(x - half));
      const to = Math.min(width, Math.floor(x + half) + 1);
      fillRow(pixels, { from: row * width + from, to: row * width + to }, color);
    }
  }
  return pixels;
}

function fillRow(pixels: Uint8Array, { from, to }: { readonly from: number; readonly to: number }, color: Rgb): void {
  for (let at = from; at < to; at += 1) pixels.set(color, at * 3);
}

/** @param hue in turns; lightness from 0 to 1 */
function fromHsl(hue: number, lightness: number): Rgb {
  const reach = 0.6 * Math.min(lightness, 1 - lightness);
  const channel = (offset: number): number => {
    const at = (offset + hue * 12) % 12;
    return Math.round(255 * (lightness - reach * Math.max(-1, Math.min(at - 3, 9 - at, 1))));
  };
  return [channel(0), channel(8), channel(4)];
}

function mix(from: Rgb, to: Rgb, share: number): Rgb {
  const between = (channel: 0 | 1 | 2): number => Math.round(from[channel] + (to[channel] - from[channel]) * share);
  return [between(0), between(1), between(2)];
}
