import assert from 'node:assert/strict';
import { MarkdownBrowser } from '../ui/page/markdownBrowser.ts';
import { checkPage } from './checkPage.ts';
import { CALL, markupVectors } from './markupVectors.ts';
import { placesOf, urlSchemes, waysToWrite } from './urlSchemes.ts';

describe('Hostile markup on the page', function () {
  this.timeout(600_000);
  const browser = new MarkdownBrowser();

  it('runs nothing, loads nothing, and leads nowhere: HTML of every kind', async () => {
    assert.ok(markupVectors.length > 1800, `${markupVectors.length} vectors`);
    await checkPage(await browser.open(), markupVectors);
  });

  it('runs nothing, loads nothing, and leads nowhere: HTML in Markdown of every kind', async () => {
    const some = markupVectors.filter((_, index) => index % 17 === 0);
    await checkPage(
      await browser.open(),
      some.flatMap((html) => [
        `# ${html}`,
        `- [ ] ${html}`,
        `> ${html}`,
        `| ${html} |\n|---|\n| ${html} |`,
        `[${html}](${html})`,
        `~~~${html}\n${html}\n~~~`,
      ]),
    );
  });

  it("opens no link of 72 schemes, however they're written", async () => {
    assert.equal(new Set(urlSchemes).size, 72);
    const addresses = urlSchemes.flatMap((scheme) => {
      const ways = waysToWrite(scheme, `//a.example/%0A${CALL}`);
      // An invalid URL would be refused for that reason alone.
      assert.ok(URL.canParse(ways[0] ?? ''), scheme);
      return [...ways, `${scheme}:${CALL}`];
    });
    await checkPage(await browser.open(), addresses.flatMap(placesOf));
  });
});
