import { setImmediate } from 'node:timers/promises';
import { Scene } from './scene.ts';
import type { VideoPlan } from './videoPlan.ts';
import { createMosaic } from './vp8/mosaic.ts';
import { MosaicEncoder } from './vp8/mosaicEncoder.ts';
import { type EncodedFrame, writeWebm } from './webm/writeWebm.ts';

/** Seeking lands on key frames. */
const secondsBetweenKeys = 2;

/** Other requests are served at least this often. */
const longestHoldMs = 10;

/** Makes a WebM video, without holding up the process. @throws the signal's AbortError */
export async function makeVideo(plan: VideoPlan, signal: AbortSignal): Promise<Buffer> {
  const { width, height, fps, frames: count, title, audio } = plan;
  const scene = new Scene(plan);
  const mosaic = createMosaic(width, height);
  const encoder = new MosaicEncoder(width, height);
  const frames: EncodedFrame[] = [];
  let heldSince = performance.now();
  for (let index = 0; index < count; index += 1) {
    scene.paint(mosaic, index / count);
    const isKey = index % (secondsBetweenKeys * fps) === 0;
    frames.push({ isKey, data: encoder.encode(mosaic, isKey) });
    if (performance.now() - heldSince < longestHoldMs) continue;
    await setImmediate(undefined, { signal });
    heldSince = performance.now();
  }
  return writeWebm({ width, height, fps, title, frames, audio });
}
