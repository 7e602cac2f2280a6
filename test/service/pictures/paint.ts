import { fromHsl, mix, type Rgb } from '../colours.ts';
import { seededRandom } from '../seededRandom.ts';
import type { ImageRequest } from './imageRequest.ts';

interface Disc {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
  readonly colour: Rgb;
}

/**
 * Paints a gradient with discs on it, decided by prompt and seed alone: as many discs as steps, in colours
 * that are the stronger the higher cfg is.
 * @returns three bytes a pixel, row by row
 */
export function paint({ prompt, width, height, steps, cfg, seed }: ImageRequest): Uint8Array {
  const random = seededRandom(`${seed} ${prompt}`);
  const saturation = 0.2 + 0.7 * Math.min(1, cfg / 15);
  const colour = (lightness: number): Rgb => fromHsl(random(), saturation, lightness);
  const [top, bottom] = [colour(0.25), colour(0.75)];
  const pixels = new Uint8Array(width * height * 3);
  for (let row = 0; row < height; row += 1) {
    fillRow(pixels, { from: row * width, to: (row + 1) * width }, mix(top, bottom, row / height));
  }
  const shorter = Math.min(width, height);
  for (let step = 0; step < steps; step += 1) {
    const radius = shorter * (0.02 + 0.16 * random() ** 2);
    drawDisc(pixels, width, height, { x: random() * width, y: random() * height, radius, colour: colour(0.5) });
  }
  return pixels;
}

/** Row by row, so that only pixels of the disc are touched. */
function drawDisc(pixels: Uint8Array, width: number, height: number, { x, y, radius, colour }: Disc): void {
  const last = Math.min(height - 1, Math.floor(y + radius));
  for (let row = Math.max(0, Math.ceil(y - radius)); row <= last; row += 1) {
    const half = Math.sqrt(radius ** 2 - (row - y) ** 2);
    const from = Math.max(0, Math.ceil(x - half));
    const to = Math.min(width, Math.floor(x + half) + 1);
    fillRow(pixels, { from: row * width + from, to: row * width + to }, colour);
  }
}

function fillRow(pixels: Uint8Array, { from, to }: { readonly from: number; readonly to: number }, colour: Rgb): void {
  for (let at = from; at < to; at += 1) pixels.set(colour, at * 3);
}
