import assert from 'node:assert/strict';
import { errors, type Page } from 'playwright-core';
import { ToldMessage } from '../toldMessage.ts';
import { giveBack, takePage } from './sharedBrowser.ts';

const usualMs = 60_000;

describe('A message whose button is pressed', () => {
  let page: Page;
  beforeEach(async () => {
    page = await takePage({ width: 400, height: 200 });
    await page.goto('about:blank');
    await page.setContent('<div class="notification-list-item">The key is stored. <button>Test</button></div>');
  });
  afterEach(() => {
    page.setDefaultTimeout(usualMs);
    return giveBack(page);
  });

  const told = () =>
    new ToldMessage(page, () => Promise.resolve([]), { run: () => Promise.resolve() }, 'The key is stored');
  /** What VS Code does with the message a while after the click. */
  const afterClick = (change: string) =>
    page.evaluate(`document.querySelector('button').onclick = () => setTimeout(() => { ${change} }, 1000)`);

  it('is gone before the test goes on', async () => {
    await afterClick(`document.querySelector('div').remove()`);
    await told().press('Test');
    assert.equal(await told().isShown(), false);
  });

  it('is gone too if the list shows another one in its place', async () => {
    await afterClick(`document.querySelector('div').innerHTML = 'The key is stored. <button>Test</button>'`);
    await told().press('Test');
    assert.equal(await told().isShown(), true);
  });

  it("fails the test if it isn't taken away", async () => {
    page.setDefaultTimeout(1500);
    await assert.rejects(told().press('Test'), errors.TimeoutError);
  });
});
