import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import { seededRandom } from '../../service/seededRandom.ts';
import { createMosaic, type Mosaic } from '../../service/video/vp8/mosaic.ts';
import { MosaicEncoder } from '../../service/video/vp8/mosaicEncoder.ts';
import { writeWebm } from '../../service/video/webm/writeWebm.ts';
import { findBrowser, launchBrowser } from '../../workbench/browser.ts';
import { cacheFolder } from '../../workbench/folders.ts';

const width = 150;
const height = 90;
const fps = 2;

/** Colours that RGB has, so that a browser shows them without cutting them off. */
function recolour(mosaic: Mosaic, random: () => number, share: number): void {
  for (let at = 0; at < mosaic.y.length; at += 1) {
    if (random() > share) continue;
    mosaic.y[at] = 90 + random() * 60;
    mosaic.u[at] = 108 + random() * 40;
    mosaic.v[at] = 108 + random() * 40;
  }
}

/** As browsers show a small video: BT.601, limited range. */
function shown({ y, u, v }: Mosaic, at: number): number[] {
  const luma = 1.164 * ((y[at] ?? 0) - 16);
  const [blue, red] = [(u[at] ?? 0) - 128, (v[at] ?? 0) - 128];
  return [luma + 1.596 * red, luma - 0.392 * blue - 0.813 * red, luma + 2.017 * blue];
}

describe('The video encoder, by the eyes of a browser', function () {
  this.timeout(60_000);
  let browser: Browser;

  before(async () => {
    browser = await launchBrowser(await findBrowser(cacheFolder, console.log));
  });

  after(() => browser?.close());

  it('gives every block its colour, in key frames and in those that follow', async () => {
    const random = seededRandom('every block its colour');
    const mosaic = createMosaic(width, height);
    const encoder = new MosaicEncoder(width, height);
    const frames = [];
    const wanted: number[][][] = [];
    for (let index = 0; index < 6; index += 1) {
      recolour(mosaic, random, index === 0 ? 1 : 0.4);
      const isKey = index % 4 === 0;
      frames.push({ isKey, data: encoder.encode(mosaic, isKey) });
      wanted.push(Array.from(mosaic.y, (_, at) => shown(mosaic, at)));
    }
    const bytes = writeWebm({ width, height, fps, title: 'Blocks', frames });
    const page = await browser.newPage();
    const seen = await page.evaluate(colours, { base64: bytes.toString('base64'), frames: 6, fps: 2 });
    let furthest = 0;
    for (const [frame, blocks] of wanted.entries()) {
      for (const [at, colour] of blocks.entries()) {
        for (const [channel, value] of colour.entries()) {
          furthest = Math.max(furthest, Math.abs((seen[frame]?.[at]?.[channel] ?? 0) - value));
        }
      }
    }
    assert.ok(furthest <= 3, `a colour was off by ${furthest}`);
  });

  it('begins with a key frame', () => {
    assert.throws(() => new MosaicEncoder(16, 16).encode(createMosaic(16, 16), false), /key frame/);
  });
});

interface Film {
  readonly base64: string;
  readonly frames: number;
  readonly fps: number;
}

/**
 * Runs in the page: the colour in the middle of each block, frame by frame. `seeked` says that the decoder is
 * there, not that its frame is the one that is shown: only the callback of a shown frame says which one it is.
 */
async function colours({ base64, frames, fps: rate }: Film): Promise<number[][][]> {
  const video = document.createElement('video');
  const once = (name: string): Promise<void> =>
    new Promise((resolve, reject) => {
      video.addEventListener(name, () => resolve(), { once: true });
      video.addEventListener('error', () => reject(new Error(video.error?.message)), { once: true });
    });
  /** Resolves once the frame that begins at this time is the one to be drawn. */
  const shownAt = (seconds: number): Promise<void> =>
    new Promise((resolve) => {
      const look = (_now: number, { mediaTime }: VideoFrameCallbackMetadata): void => {
        if (Math.abs(mediaTime - seconds) < 0.25 / rate) resolve();
        else video.requestVideoFrameCallback(look);
      };
      video.requestVideoFrameCallback(look);
    });
  const first = shownAt(0);
  const loaded = once('loadeddata');
  video.src = URL.createObjectURL(await (await fetch(`data:video/webm;base64,${base64}`)).blob());
  await Promise.all([loaded, first]);
  const canvas = document.createElement('canvas');
  canvas.width = video.videoWidth;
  canvas.height = video.videoHeight;
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (!context) throw new Error('There is no canvas');
  const seen: number[][][] = [];
  for (let frame = 0; frame < frames; frame += 1) {
    if (frame > 0) {
      const sought = Promise.all([once('seeked'), shownAt(frame / rate)]);
      video.currentTime = (frame + 0.5) / rate;
      await sought;
    }
    context.drawImage(video, 0, 0);
    const blocks: number[][] = [];
    for (let y = 0; y < canvas.height; y += 16) {
      for (let x = 0; x < canvas.width; x += 16) {
        // The last blocks are cut off by the edge; a pixel near their start is always there.
        blocks.push([...context.getImageData(x + 4, y + 4, 1, 1).data.slice(0, 3)]);
      }
    }
    seen.push(blocks);
  }
  return seen;
}
