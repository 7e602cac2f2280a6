import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { ChecksToHost } from '../../../src/shared/checks.ts';
import { accessFaults } from '../accessFaults.ts';
import { PageBrowser } from './pageBrowser.ts';

const postedBy = (page: Page): Promise<readonly ChecksToHost[]> => page.evaluate('checksPosted');

describe('The table of checks', () => {
  const browser = new PageBrowser('checks');

  it('is a grid for the keyboard: arrows move, Enter opens a run, Escape returns', async () => {
    const page = await browser.open('run', { width: 1200 });
    const focused = () => page.evaluate(() => document.activeElement?.querySelector('.visually-hidden')?.textContent);
    await page.getByRole('gridcell').first().focus();
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowRight', 'ArrowRight']) await page.keyboard.press(key);
    assert.equal(await focused(), 'Changes nothing else, kestrel/sparrow: flaky, 2 of 3 passed');
    await page.keyboard.press('Enter');
    const panel = page.getByRole('region', { name: 'Names the changed function, kestrel/sparrow' });
    await panel.waitFor();
    assert.deepEqual((await postedBy(page)).at(-1), {
      type: 'open',
      uri: 'file:///w/fix.checks.yaml',
      caseId: 'Changes nothing else',
      key: 'kestrel/sparrow',
    });
    assert.match(await panel.innerText(), /Run 2 of 3 · 1\.6 s/);
    assert.match(await panel.innerText(), /contains "removeDone"/);
    await panel.getByRole('button', { name: 'Show Request' }).click();
    assert.deepEqual((await postedBy(page)).at(-1), { type: 'showRequest', attempt: 'a2' });
    await panel.getByRole('button', { name: 'Run 3 of 3' }).click();
    assert.deepEqual(await panel.locator('.removed').allInnerTexts(), ['three']);
    assert.deepEqual(await panel.locator('.inserted').allInnerTexts(), ['two']);
    assert.deepEqual(await accessFaults(page), []);
    await panel.getByRole('button', { name: 'Close' }).click();
    assert.equal(await focused(), 'Changes nothing else, kestrel/sparrow: flaky, 2 of 3 passed');
    await page.keyboard.press('Alt+F8');
    await panel.waitFor();
    assert.deepEqual((await postedBy(page)).at(-1), {
      type: 'open',
      uri: 'file:///w/fix.checks.yaml',
      caseId: 'Changes nothing else',
      key: 'northwind/breeze-3b',
    });
  });

  it('keeps the names of the cases visible when it is narrow, and every figure beside its label', async () => {
    for (const theme of ['dark', 'light', 'hc'] as const) {
      const page = await browser.open('run', { width: 300, theme });
      await page.getByRole('gridcell').last().focus();
      const scroller = page.locator('.scroller');
      assert.ok((await scroller.evaluate((each) => each.scrollLeft)) > 0);
      // The page itself doesn't scroll sideways.
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth));
      const view = await scroller.boundingBox();
      for (const name of ['Changes nothing else', 'fix.checks.yaml']) {
        const box = await page
          .locator('tbody th', { hasText: name })
          .locator('span')
          .or(page.locator('tbody th[scope=row]', { hasText: name }))
          .first()
          .boundingBox();
        assert.ok(box !== null && view !== null && Math.abs(box.x - view.x) < 2, `${name} is at ${box?.x}`);
      }
      // Nothing shows through: the name covers the cells that scroll beneath it.
      const name = page.locator('tbody th[scope=row]').first();
      assert.notEqual(await name.evaluate((each) => getComputedStyle(each).backgroundColor), 'rgba(0, 0, 0, 0)');
      const label = await page.locator('.labels', { hasText: 'Median total' }).boundingBox();
      const times = await page.locator('thead .time').all();
      for (const time of times) {
        const box = await time.boundingBox();
        assert.ok(box !== null && label !== null && Math.abs(box.y - label.y) < 4, `${box?.y} beside ${label?.y}`);
      }
      assert.deepEqual(await accessFaults(page), []);
    }
  });

  it('has one primary button, at the model that passes everything for the lowest cost', async () => {
    const page = await browser.open('run', { width: 1200 });
    assert.deepEqual(
      await page.locator('.primary').evaluateAll((all) => all.map((each) => each.getAttribute('aria-label'))),
      ['Use This Model: northwind/gale-32b-instruct'],
    );
    await page.getByRole('button', { name: 'Use This Model: kestrel/sparrow' }).click();
    assert.deepEqual((await postedBy(page)).at(-1), { type: 'useModel', key: 'kestrel/sparrow' });
    assert.match(await page.locator('.note').innerText(), /kestrel\/sparrow costs less, but 2 of its 24 runs failed\./);
    const nobody = await browser.open('nobody', { width: 1200 });
    assert.equal(await nobody.locator('.best, .primary').count(), 0);
    assert.match(await nobody.locator('.note').innerText(), /No model passes every case/);
  });
});
