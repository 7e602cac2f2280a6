import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import type { Area } from './camera.ts';

interface Frame {
  /** PNG, base64. */
  readonly image: string;
  /** Milliseconds since the first one. */
  readonly atMs: number;
}

/** `holdMs`: how long the last frame stays before the loop starts again. */
const pace = { framesPerSecond: 12, holdMs: 1500 };

/**
 * Records the area as a looping animated GIF, in real time.
 * @param act what is recorded, from start to end
 * @returns the length of the loop in seconds
 */
export async function recordLoop(page: Page, path: string, area: Area, act: () => Promise<void>): Promise<number> {
  const frames = await framesOf(page, act);
  const script = await readFile(createRequire(import.meta.url).resolve('gifenc/dist/gifenc.esm.js'), 'base64');
  const pageWidth = page.viewportSize()?.width ?? area.width;
  const studio = await page.context().newPage();
  try {
    const { gif, seconds } = await studio.evaluate(encodeGif, { script, frames, area, pageWidth, ...pace });
    await writeFile(path, Buffer.from(gif, 'base64'));
    return seconds;
  } finally {
    await studio.close();
  }
}

async function framesOf(page: Page, act: () => Promise<void>): Promise<readonly Frame[]> {
  const session = await page.context().newCDPSession(page);
  const frames: Frame[] = [];
  let started: number | undefined;
  session.on('Page.screencastFrame', ({ data, metadata, sessionId }) => {
    const at = (metadata.timestamp ?? 0) * 1000;
    started ??= at;
    frames.push({ image: data, atMs: at - started });
    // A page that is closed meanwhile accepts no more: whatever closed it is the failure to report.
    session.send('Page.screencastFrameAck', { sessionId }).catch(() => {});
  });
  await session.send('Page.startScreencast', { format: 'png' });
  await act();
  // The last change is drawn a moment after it happens.
  await pause(300);
  await session.send('Page.stopScreencast');
  await session.detach();
  return frames;
}

interface Recording {
  /** gifenc as a module, base64. */
  readonly script: string;
  readonly frames: readonly Frame[];
  readonly area: Area;
  /** Of the page, in CSS pixels. */
  readonly pageWidth: number;
  readonly framesPerSecond: number;
  readonly holdMs: number;
}

/** Runs in a page, which can read PNG. Pixels that don't change between frames are left out to keep the file small. */
async function encodeGif({ script, frames, area, pageWidth, framesPerSecond, holdMs }: Recording) {
  const gifenc = await import(`data:text/javascript;base64,${script}`);
  const read = async (image: string): Promise<ImageData> => {
    const bitmap = await createImageBitmap(await (await fetch(`data:image/png;base64,${image}`)).blob());
    const ratio = bitmap.width / pageWidth;
    const [width, height] = [Math.round(area.width * ratio), Math.round(area.height * ratio)];
    const canvas = new OffscreenCanvas(width, height);
    const drawing = canvas.getContext('2d');
    if (!drawing) throw new Error('There is no canvas.');
    drawing.drawImage(bitmap, -Math.round(area.x * ratio), -Math.round(area.y * ratio));
    return drawing.getImageData(0, 0, width, height);
  };
  const last = frames.at(-1);
  if (!last) throw new Error('Nothing was recorded.');
  const steps = Math.ceil((last.atMs / 1000) * framesPerSecond);
  const shown = Array.from(
    { length: steps + 1 },
    (_, step) => frames.findLast(({ atMs }) => atMs <= (step * 1000) / framesPerSecond) ?? last,
  );
  const palette: number[][] = gifenc.quantize((await read(last.image)).data, 255);
  const transparent = palette.length;
  palette.push([0, 0, 0]);
  const gif = gifenc.GIFEncoder();
  let before: Uint8Array | undefined;
  for (const [step, frame] of shown.entries()) {
    const isLast = step === shown.length - 1;
    const { data, width, height } = await read(frame.image);
    const indices: Uint8Array = gifenc.applyPalette(data, palette.slice(0, transparent));
    const changed = before ? indices.map((index, place) => (index === before?.[place] ? transparent : index)) : indices;
    before = indices;
    gif.writeFrame(changed, width, height, {
      ...(step === 0 ? { palette, repeat: 0 } : {}),
      delay: isLast ? holdMs : 1000 / framesPerSecond,
      transparent: step > 0,
      transparentIndex: transparent,
      dispose: 1,
    });
  }
  gif.finish();
  const bytes: Uint8Array = gif.bytes();
  let text = '';
  for (let start = 0; start < bytes.length; start += 32_768) {
    text += String.fromCharCode(...bytes.subarray(start, start + 32_768));
  }
  return { gif: btoa(text), seconds: steps / framesPerSecond + holdMs / 1000 };
}
