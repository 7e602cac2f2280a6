import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { clickUntil, clickUntilReceived } from '../clickUntil.ts';
import { giveBack, takePage } from './sharedBrowser.ts';

describe('A click on what a page might lose', () => {
  let page: Page;
  beforeEach(async () => {
    page = await takePage({ width: 400, height: 200 });
    await page.goto('about:blank');
    await page.setContent('<button>Row</button><p></p>');
  });
  afterEach(() => giveBack(page));

  const told = () => page.locator('p').innerText();

  it('is made again if the row was drawn anew between the mouse button going down and up', async () => {
    await page.evaluate(() => {
      const drawAnew = ({ target }: Event): void => {
        if (target instanceof HTMLButtonElement) target.replaceWith(target.cloneNode(true));
      };
      document.addEventListener('mousedown', drawAnew, { once: true });
      document.addEventListener('click', ({ target }) => {
        if (target instanceof HTMLButtonElement) document.querySelector('p')?.append('opened ');
      });
    });
    const words = await clickUntil(
      'what the click opens',
      (tryClick) => tryClick(page.getByRole('button')),
      async () => (await told()) || undefined,
      300,
    );
    assert.equal(words, 'opened');
  });

  it("isn't made again if the page has received it and answers too late", async () => {
    await page.evaluate(() => {
      document.querySelector('button')?.addEventListener('click', () => {
        document.querySelector('p')?.append('run ');
        const until = performance.now() + 3000;
        while (performance.now() < until);
      });
    });
    const pressed = await clickUntilReceived(
      'the click',
      async (tryClick) => (await tryClick(page.getByRole('button'))) && 'pressed',
    );
    assert.deepEqual([pressed, await told()], ['pressed', 'run']);
  });

  it('has more time with each attempt, for a page that is busy all the time', async () => {
    const limits: number[] = [];
    await clickUntilReceived('the click', async (tryClick, limitMs) => {
      limits.push(limitMs);
      return limits.length === 10 && tryClick(page.getByRole('button'));
    });
    assert.deepEqual([limits[0], limits[1], limits[9]], [2_000, 3_000, 15_000]);
  });

  it('waits for what is there only later, and for what an attempt has to do first', async () => {
    await page.evaluate(() => {
      document.querySelector('button')?.remove();
      document.addEventListener('click', ({ target }) => {
        if (target instanceof HTMLButtonElement) document.querySelector('p')?.append('opened ');
      });
    });
    let attempts = 0;
    await clickUntilReceived('the click', async (tryClick) => {
      attempts += 1;
      if (attempts === 2) await page.evaluate(() => document.body.append(document.createElement('button')));
      // Until then, the wait for it runs out.
      await page.getByRole('button').hover({ timeout: 200 });
      return tryClick(page.getByRole('button'));
    });
    assert.equal(await told(), 'opened');
  });
});
