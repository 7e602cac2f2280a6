import assert from 'node:assert/strict';
import { drawWhole, MarkdownBrowser } from './markdownBrowser.ts';

describe('tables on the page', function () {
  const browser = new MarkdownBrowser();

  it('are copied by their buttons, as a table and as CSV', async () => {
    const page = await browser.open();
    await drawWhole(page, '| a | b | c |\n|---|---|---|\n| $x^2$ | **=1** | `d`<br>e |\n| f |\n\nend\n');
    await page.getByRole('button', { name: 'Copy table' }).press('Enter');
    await page.getByRole('button', { name: 'Copy as CSV' }).click();
    assert.deepEqual(await page.evaluate(() => window.markdown.calls), [
      ['copy', "a\tb\tc\n$x^2$\t'=1\td e\nf\t\n"],
      ['copy', 'a,b,c\r\n$x^2$,\'=1,"d\ne"\r\nf,,\r\n'],
    ]);
    assert.equal(await page.getByRole('status').textContent(), 'Copied');
  });

  it("are copied in full if they're very long", async () => {
    const page = await browser.open();
    await drawWhole(page, `| n |\n|---|\n${Array.from({ length: 250 }, (_, row) => `| ${row} |\n`).join('')}`);
    assert.equal(await page.getByRole('button', { name: 'Copy as CSV' }).count(), 1);
    await page.getByRole('button', { name: 'Copy as CSV' }).click();
    const [[, csv = ''] = []] = await page.evaluate(() => window.markdown.calls);
    assert.deepEqual(csv.split('\r\n'), ['n', ...Array.from({ length: 250 }, (_, row) => String(row)), '']);
  });

  it("are copied as tables when they're selected", async () => {
    const page = await browser.open();
    await drawWhole(page, '| a | b |\n|---|---|\n| c | d |\n');
    const text = await page.evaluate(() => {
      const table = document.querySelector('table');
      if (table !== null) document.getSelection()?.selectAllChildren(table);
      return document.getSelection()?.toString();
    });
    assert.equal(text?.trim(), 'a\tb\nc\td');
  });
});
