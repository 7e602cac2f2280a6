import assert from 'node:assert/strict';
import { PageBrowser } from './pageBrowser.ts';

describe('Tokens, cost, and speed on the usage page', () => {
  const browser = new PageBrowser('usage');
  const figures = async (state: string) => {
    const page = await browser.open(state);
    const today = ['tokens', 'cost', 'speed'].map(async (hasText) =>
      page.locator('dl.figures > div', { hasText }).locator('dd').innerText(),
    );
    const row = page.getByRole('row', { name: /local\/writer/ }).first();
    return [...(await Promise.all(today)), ...(await row.getByRole('cell').allInnerTexts())];
  };

  it('are marked if some of it was estimated, in the figures and in the table', async () => {
    const marked = (await figures('estimated')).filter((text) => text.includes('≈'));
    assert.equal(marked.length, 6, marked.join(' | '));
  });

  it('have no mark if the service counted all of it', async () => {
    const all = await figures('used');
    assert.ok(all.length >= 9 && !all.join(' ').includes('≈'), all.join(' | '));
  });

  it('keep the focus of the keyboard where it is when they change', async () => {
    const page = await browser.open('services');
    for (const stop of [
      page.getByText('Show as table'),
      page.getByRole('region', { name: 'Service' }),
      page.getByLabel('Time', { exact: true }),
    ]) {
      await stop.focus();
      await page.evaluate(() => {
        document.querySelector('h2')?.classList.add('earlier');
        window.showUsage();
      });
      assert.equal(await page.locator('.earlier').count(), 0);
      assert.ok(await stop.evaluate((element) => document.activeElement === element), String(stop));
    }
  });

  for (const width of [300, 600]) {
    it(`belong to services and models whose names are complete at ${width} px`, async () => {
      const page = await browser.open('services', { width });
      const cut = await page
        .locator('th[scope=row]')
        .evaluateAll((cells) =>
          cells.filter((cell) => cell.scrollWidth > cell.clientWidth).map((cell) => cell.outerHTML),
        );
      assert.deepEqual(cut, []);
      const narrow = await page
        .locator('th[scope=row]:visible')
        .evaluateAll((cells) => cells.map((cell) => cell.clientWidth).filter((size) => size < 129));
      assert.deepEqual(narrow, []);
    });
  }

  it('are all in view between two side bars', async () => {
    const page = await browser.open('used', { width: 600 });
    const table = page.locator('.table', { hasText: 'local/writer' });
    assert.deepEqual(await table.evaluateAll((all) => all.map((each) => each.scrollWidth - each.clientWidth)), [0]);
  });

  for (const width of [300, 420, 900]) {
    it(`stay on one line at ${width} px, complete, in the cards too`, async () => {
      const page = await browser.open('used', { width });
      const texts = await page.locator('dl.figures dd').allInnerTexts();
      assert.ok(texts.includes('at least 12.34'), texts.join(' | '));
      const broken = await page.locator('dl.figures :is(dd, dt)').evaluateAll((cells) =>
        cells
          .filter((cell) => {
            const text = document.createRange();
            text.selectNodeContents(cell);
            const lines = new Set([...text.getClientRects()].map(({ top }) => Math.round(top)));
            const right = cell.parentElement?.getBoundingClientRect().right ?? 0;
            return lines.size !== 1 || text.getBoundingClientRect().right > right;
          })
          .map((cell) => cell.textContent),
      );
      assert.deepEqual(broken, []);
    });
  }
});
