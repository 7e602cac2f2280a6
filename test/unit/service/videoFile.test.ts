import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import { type InferenceService, startInferenceService } from '../../service/inferenceService.ts';
import { findBrowser, launchBrowser } from '../../workbench/browser.ts';
import { cacheFolder } from '../../workbench/folders.ts';
import { dataUrl, pngUrl, wavFile } from './sampleFiles.ts';
import { send } from './serviceClient.ts';

/** What a browser makes of a video. */
interface Seen {
  readonly width: number;
  readonly height: number;
  readonly duration: number;
  /** Where it stood after it had played, and after a jump to nine tenths. */
  readonly played: number;
  readonly jumped: number;
  /** Whether the pictures at the start and at the jump differ. */
  readonly moves: boolean;
  /** Samples that cross zero in its sound, or -1 without sound. */
  readonly crossings: number;
}

describe('A video of the service, in a real browser', function () {
  this.timeout(60_000);
  let service: InferenceService;
  let browser: Browser;

  before(async () => {
    service = await startInferenceService({ videoSeconds: 0 });
    browser = await launchBrowser(await findBrowser(cacheFolder, console.log));
  });

  after(async () => {
    await browser?.close();
    await service.close();
  });

  async function see(change: object): Promise<Seen> {
    const body = {
      model: 'local/video',
      prompt: 'Balloons at dawn',
      resolution: '160p',
      fps: 12,
      duration: 2,
      ...change,
    };
    const answer = await send(service, body, { url: `${service.baseUrl}/videos/generations` });
    assert.equal(answer.status, 200, answer.text);
    const { data }: { readonly data: readonly { readonly url: string }[] } = JSON.parse(answer.text);
    const page = await browser.newPage();
    try {
      // Of the same origin, so that pictures may be read.
      await page.goto(`${service.origin}/files/none`);
      return await page.evaluate(watch, data[0]?.url ?? '');
    } finally {
      await page.close();
    }
  }

  for (const [change, width, height, duration] of [
    [{}, 284, 160, 2],
    [{ aspect_ratio: '9:16', resolution: '320p', fps: 30, duration: 1 }, 180, 320, 1],
    [{ aspect_ratio: '1:1', resolution: '101p', fps: 7, duration: 3 }, 102, 101, 3],
  ] as const) {
    it(`is ${width} × ${height} and ${duration} s long, plays, and can be sought, for ${JSON.stringify(change)}`, async () => {
      const seen = await see(change);
      assert.deepEqual([seen.width, seen.height, seen.duration], [width, height, duration]);
      assert.ok(seen.played > 0);
      assert.ok(Math.abs(seen.jumped - duration * 0.9) < 0.01, `it stood at ${seen.jumped}`);
      assert.equal(seen.moves, true);
      assert.equal(seen.crossings, -1);
    });
  }

  it('is 1280 × 720 and 5 s long when nothing is asked for', async () => {
    const seen = await see({ resolution: undefined, fps: undefined, duration: undefined });
    assert.deepEqual([seen.width, seen.height, seen.duration], [1280, 720, 5]);
  });

  it('has the shape of the image, and the length and the sound of the audio', async () => {
    const audio = dataUrl('audio/wav', wavFile({ seconds: 1.5, hertz: 300 }));
    const image = await pngUrl(20, 30);
    const seen = await see({ image, audio, aspect_ratio: '16:9', duration: 9 });
    assert.deepEqual([seen.width, seen.height], [106, 160]);
    assert.equal(seen.duration, 1.5);
    assert.ok(Math.abs(seen.crossings / 1.5 / 2 - 300) < 10, `it crossed zero ${seen.crossings} times`);
    assert.equal((await see({ audio, save_audio: false })).crossings, -1);
  });
});

/** Runs in the page. */
async function watch(url: string): Promise<Seen> {
  const video = document.createElement('video');
  video.muted = true;
  document.body.append(video);
  const canvas = document.createElement('canvas');
  const happens = (name: string): Promise<void> =>
    new Promise((resolve, reject) => {
      video.addEventListener(name, () => resolve(), { once: true });
      video.addEventListener('error', () => reject(new Error(video.error?.message)), { once: true });
    });
  const picture = (): string => {
    canvas.width = video.videoWidth;
    canvas.height = video.videoHeight;
    canvas.getContext('2d')?.drawImage(video, 0, 0);
    return canvas.toDataURL();
  };
  const hears = async (): Promise<number> => {
    const bytes = await (await fetch(url)).arrayBuffer();
    try {
      const sound = (await new OfflineAudioContext(1, 1, 8000).decodeAudioData(bytes)).getChannelData(0);
      return sound.reduce((count, sample, index) => count + Number(sample < 0 !== (sound[index - 1] ?? 0) < 0), 0);
    } catch {
      return -1;
    }
  };

  const loaded = happens('loadeddata');
  video.src = url;
  await loaded;
  const first = picture();
  await video.play();
  while (video.currentTime === 0) await new Promise((resolve) => requestAnimationFrame(resolve));
  video.pause();
  const played = video.currentTime;
  const sought = happens('seeked');
  video.currentTime = video.duration * 0.9;
  await sought;
  return {
    width: video.videoWidth,
    height: video.videoHeight,
    duration: video.duration,
    played,
    jumped: video.currentTime,
    moves: picture() !== first,
    crossings: await hears(),
  };
}
