import assert from 'node:assert/strict';
import { PageBrowser } from './pageBrowser.ts';

describe('Tokens on the usage page', () => {
  const browser = new PageBrowser('usage');
  const tokens = async (state: string) => {
    const page = await browser.open(state);
    const figure = page.locator('dl.figures > div', { hasText: 'tokens' }).locator('dd');
    const row = page.getByRole('row', { name: /local\/writer/ }).first();
    return { today: await figure.innerText(), row: await row.innerText() };
  };

  it('are marked where some of them were estimated, in the figure and in the table', async () => {
    const { today, row } = await tokens('estimated');
    assert.match(today, /≈/);
    assert.match(row, /≈/);
  });

  it('have no mark where the service counted all of them', async () => {
    const { today, row } = await tokens('used');
    assert.ok(!`${today} ${row}`.includes('≈'), `${today} ${row}`);
  });
});
