import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { QuickInput } from '../quickInput.ts';
import { giveBack, takePage } from './sharedBrowser.ts';

describe("A row of VS Code's list", () => {
  let page: Page;
  beforeEach(async () => {
    page = await takePage({ width: 400, height: 200 });
    await page.goto('about:blank');
    await page.setContent(`<div class="quick-input-widget">
      <div class="monaco-list-row" role="option" aria-label="Second">Second</div></div>`);
    // It takes a while until the extension has heard of the click, and closes the list.
    await page.evaluate(() => {
      const chosen: string[] = [];
      document.querySelector('.quick-input-widget')?.addEventListener('click', ({ target }) => {
        if (!(target instanceof Element) || !target.matches('.monaco-list-row')) return;
        chosen.push(target.textContent);
        document.body.dataset['chosen'] = chosen.join();
        setTimeout(() => target.remove(), 2_500);
      });
    });
  });
  afterEach(() => giveBack(page));

  const chosen = () => page.locator('body').getAttribute('data-chosen');

  it('is chosen once, however late the list closes', async () => {
    await new QuickInput(page).choose('Second');
    assert.equal(await chosen(), 'Second');
    assert.equal(await page.getByRole('option').count(), 0);
  });

  it('is chosen although the list was drawn anew while the mouse button was down', async () => {
    await page.evaluate(() => {
      const drawAnew = ({ target }: Event): void => {
        if (target instanceof Element) target.replaceWith(target.cloneNode(true));
      };
      document.addEventListener('mousedown', drawAnew, { once: true });
    });
    await new QuickInput(page).choose('Second');
    assert.equal(await chosen(), 'Second');
  });
});
