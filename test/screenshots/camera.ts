import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Frame, Locator, Page } from 'playwright-core';
import { projectFolder, projectPath } from '../workbench/folders.ts';
import { recordLoop } from './recordLoop.ts';
import type { WorkbenchPage } from '../ui/workbenchPage.ts';

/** CSS pixels of the window. */
export interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

interface DrawnText {
  readonly text: string;
  /** CSS pixels. */
  readonly size: number;
}

/** The width of a README on GitHub and in VS Code, in CSS pixels. Wider images are scaled down. */
const pageWidth = 880;
/** The width of the image beside a walkthrough's steps, in a small window. */
const walkthroughWidth = 520;
const smallestText = 11;
/** Text that reveals a test: its models, URLs, and folders. */
const traces = /\blocal\/|127\.0\.0\.1|localhost|parlance-\w+-|\/tmp\/|\[Administrator\]|Restricted Mode/;

/** Takes images of the workbench, cropped to their subject. */
export class Camera {
  readonly #workbench: WorkbenchPage;
  readonly #folder = join(projectFolder, 'media', 'screenshots');

  constructor(workbench: WorkbenchPage) {
    this.#workbench = workbench;
  }

  /**
   * Takes one image of all `parts`.
   * @param margin CSS pixels around them
   * @param pointAt shows what's visible only under the mouse
   * @throws if something of the test is visible, or text would be too small at display size
   */
  async take(name: string, parts: readonly Locator[], margin = 0, pointAt?: () => Promise<void>): Promise<void> {
    const { page } = this.#workbench;
    await this.still();
    await pointAt?.();
    const area = grown(await around(parts), margin, page.viewportSize() ?? { width: 1280, height: 800 });
    await this.check(name, area);
    await mkdir(this.#folder, { recursive: true });
    const path = join(this.#folder, `${name}.png`);
    await page.screenshot({ path, clip: area });
    console.log(`${projectPath(path)}  ${area.width} × ${area.height}`);
  }

  /**
   * Takes the image of a walkthrough's step in a dark and a light theme, as WebP because it's part of the package.
   * @throws like `take`
   */
  async takeStep(step: string, part: Locator): Promise<void> {
    const { page } = this.#workbench;
    const folder = join(projectFolder, 'media', 'walkthrough');
    for (const theme of ['light', 'dark'] as const) {
      await this.#workbench.setTheme(theme);
      await this.still();
      const area = grown(await around([part]), 0, page.viewportSize() ?? { width: 1280, height: 800 });
      await this.check(step, area, walkthroughWidth);
      const path = join(folder, `${step}-${theme}.webp`);
      await writeFile(path, await webp(page, await page.screenshot({ clip: area })));
      console.log(`${projectPath(path)}  ${area.width} × ${area.height}`);
    }
  }

  /**
   * Records `part` while `act` runs, as a looping GIF.
   * @throws like `take`, at the end of the recording
   */
  async film(name: string, part: Locator, act: () => Promise<void>): Promise<void> {
    const { page } = this.#workbench;
    await this.still();
    const area = await around([part]);
    await mkdir(this.#folder, { recursive: true });
    const path = join(this.#folder, `${name}.gif`);
    const seconds = await recordLoop(page, path, area, act);
    await this.check(name, area);
    console.log(`${projectPath(path)}  ${area.width} × ${area.height}, ${seconds.toFixed(1)} s`);
  }

  /** Nothing moves, and no tooltip is open. */
  async still(): Promise<void> {
    const { page } = this.#workbench;
    const { width, height } = page.viewportSize() ?? { width: 1280, height: 800 };
    await page.mouse.move(width / 2, height - 2);
    await page.locator('.monaco-hover').first().waitFor({ state: 'hidden' });
    await page.locator('.monaco-sash.hover').first().waitFor({ state: 'detached' });
    await page.evaluate(() => Promise.allSettled(document.getAnimations().map(({ finished }) => finished)));
  }

  /** @throws if something in the area must not be shown. */
  async check(name: string, area: Area, width = pageWidth): Promise<void> {
    const texts = (await Promise.all(this.#workbench.page.frames().map((frame) => textsIn(frame, area)))).flat();
    if (texts.length === 0) throw new Error(`${name}: there's no text in the image.`);
    const shown = Math.min(1, width / area.width);
    const trace = texts.find(({ text }) => traces.test(text));
    if (trace) throw new Error(`${name}: "${trace.text.trim()}" shows that this is a test.`);
    const small = texts.find(({ size }) => Math.round(size * shown * 10) < smallestText * 10);
    if (small) throw new Error(`${name}: "${small.text.trim()}" is shown at ${(small.size * shown).toFixed(1)} px.`);
  }
}

/** At 1.5 pixels per CSS pixel, because the package has little room. A browser can write WebP, so this needs no library. */
async function webp(page: Page, png: Buffer): Promise<Buffer> {
  const studio = await page.context().newPage();
  try {
    const image = await studio.evaluate(async (base64) => {
      const bitmap = await createImageBitmap(await (await fetch(`data:image/png;base64,${base64}`)).blob());
      const canvas = document.createElement('canvas');
      [canvas.width, canvas.height] = [Math.round(bitmap.width * 0.75), Math.round(bitmap.height * 0.75)];
      const drawing = canvas.getContext('2d');
      if (!drawing) throw new Error('There is no canvas.');
      drawing.imageSmoothingQuality = 'high';
      drawing.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
      return canvas.toDataURL('image/webp', 0.45);
    }, png.toString('base64'));
    return Buffer.from(image.slice(image.indexOf(',') + 1), 'base64');
  } finally {
    await studio.close();
  }
}

async function around(parts: readonly Locator[]): Promise<Area> {
  const boxes = await Promise.all(parts.map(seenBox));
  const seen = boxes.filter((box) => box !== null);
  if (seen.length < parts.length) throw new Error('Something that belongs in the picture is not on screen.');
  const left = Math.min(...seen.map(({ x }) => x));
  const top = Math.min(...seen.map(({ y }) => y));
  const right = Math.max(...seen.map(({ x, width }) => x + width));
  const bottom = Math.max(...seen.map(({ y, height }) => y + height));
  return { x: left, y: top, width: right - left, height: bottom - top };
}

/** The visible part: a page in a frame can be longer than the frame. */
async function seenBox(part: Locator): Promise<Area | null> {
  const box = await part.boundingBox();
  const frame = await (await part.elementHandle())?.ownerFrame();
  if (box === null || !frame?.parentFrame()) return box;
  const outer = await (await frame.frameElement()).boundingBox();
  if (outer === null) return null;
  const [x, y] = [Math.max(box.x, outer.x), Math.max(box.y, outer.y)];
  const right = Math.min(box.x + box.width, outer.x + outer.width);
  const bottom = Math.min(box.y + box.height, outer.y + outer.height);
  return right > x && bottom > y ? { x, y, width: right - x, height: bottom - y } : null;
}

function grown({ x, y, width, height }: Area, margin: number, page: { width: number; height: number }): Area {
  const left = Math.max(0, Math.floor(x - margin));
  const top = Math.max(0, Math.floor(y - margin));
  const right = Math.min(page.width, Math.ceil(x + width + margin));
  const bottom = Math.min(page.height, Math.ceil(y + height + margin));
  return { x: left, y: top, width: right - left, height: bottom - top };
}

async function textsIn(frame: Frame, area: Area): Promise<readonly DrawnText[]> {
  const place = frame.parentFrame() ? await (await frame.frameElement()).boundingBox() : { x: 0, y: 0 };
  // A hidden page has no position.
  if (place === null) return [];
  const inside = { ...area, x: area.x - place.x, y: area.y - place.y };
  return frame
    .evaluate(({ x, y, width, height }) => {
      const walker = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_TEXT);
      const found: { text: string; size: number }[] = [];
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const parent = node.parentElement;
        const text = node.nodeValue ?? '';
        if (text.trim() === '' || !parent?.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
          continue;
        const range = document.createRange();
        range.selectNodeContents(node);
        const isInside = [...range.getClientRects()].some(
          (box) =>
            box.width > 1 &&
            box.height > 1 &&
            box.left < x + width &&
            box.right > x &&
            box.top < y + height &&
            box.bottom > y,
        );
        if (isInside) found.push({ text, size: parseFloat(getComputedStyle(parent).fontSize) });
      }
      return found;
    }, inside)
    .catch(() => []);
}
