import type { Page, PageScreenshotOptions } from 'playwright-core';
import type { MessageView } from '../../../src/shared/chat.ts';
import { drawn as allDrawn } from '../drawn.ts';
import { drawn } from './chatBrowser.ts';
import { reply, user } from './pageStates.ts';

export const paragraph = 'Some text that goes on for a while, so that it takes a few lines of the page.\n\n';

/** Lets reply `r2` of the state `streaming` grow from its current text. */
export async function grow(page: Page, text: string, times = 1): Promise<void> {
  await page.evaluate(
    ([piece, count]) => {
      const known = Number(document.body.dataset['grown'] ?? 158);
      for (let index = 0; index < count; index += 1) {
        const offset = known + index * piece.length;
        window.fakeHost.send({ type: 'replyGrew', replyId: 'r2', part: 'text', offset, text: piece });
      }
      document.body.dataset['grown'] = String(known + count * piece.length);
    },
    [text, times] as const,
  );
  await drawn(page);
}

/** Waits until the page has drawn all messages and shows the last one. Before that it's at the end too, of less. */
export async function settled(page: Page): Promise<void> {
  await allDrawn(page.getByRole('log'));
  await page.waitForFunction(() => {
    const log = document.querySelector('[role=log]');
    return log !== null && log.scrollHeight - log.clientHeight - log.scrollTop < 2;
  });
}

export async function scrollUp(page: Page): Promise<void> {
  await page.mouse.move(200, 200);
  await page.mouse.wheel(0, -500);
  await page.getByRole('button', { name: 'Jump to latest' }).waitFor();
  await drawn(page);
}

/** How many colors are on this part of the page. */
export async function colorsIn(page: Page, clip: PageScreenshotOptions['clip'] & object): Promise<number> {
  const png = await page.screenshot({ clip });
  return page.evaluate(
    async (bytes) => {
      const image = await createImageBitmap(new Blob([new Uint8Array(bytes)], { type: 'image/png' }));
      const pen = new OffscreenCanvas(image.width, image.height).getContext('2d');
      if (pen === null) throw new Error('Nothing to read the pixels with');
      pen.drawImage(image, 0, 0);
      return new Set(new Uint32Array(pen.getImageData(0, 0, image.width, image.height).data.buffer)).size;
    },
    [...png],
  );
}

export function history(from: number, count: number): MessageView[] {
  return Array.from({ length: count }, (_, index) => {
    const id = `old${from + index}`;
    return index % 2 === 0 ? user(id, `Question ${id}`) : reply(id, paragraph.repeat(2));
  });
}
