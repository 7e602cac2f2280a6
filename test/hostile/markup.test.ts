import assert from 'node:assert/strict';
import { MarkdownBrowser } from '../ui/page/markdownBrowser.ts';
import { checkPage } from './checkPage.ts';
import { markupVectors } from './markupVectors.ts';

describe('Hostile markup on the page', function () {
  this.timeout(600_000);
  const browser = new MarkdownBrowser();

  it('runs nothing, loads nothing and leads nowhere: HTML of every kind', async () => {
    assert.ok(markupVectors.length > 1800, `${markupVectors.length} vectors`);
    await checkPage(await browser.open(), markupVectors);
  });
});
