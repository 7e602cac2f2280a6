import assert from 'node:assert/strict';
import { grammarModules } from '../../src/webview/markdown/highlight/grammarModules.ts';
import { drawWhole, MarkdownBrowser } from '../ui/page/markdownBrowser.ts';
import { hostileLines } from './hostileLines.ts';

/** Each in its own fence, which the line can't close: code in which the worker gets stuck stays plain from there on. */
const fences = (grammar: string) =>
  hostileLines.map((line) => {
    const fence = line.includes('~') ? '`````' : '~~~~~';
    return `${fence}${grammar}\n${line}\nx = "y" # 1\n${fence}\n`;
  });

describe('Hostile lines of code', function () {
  this.timeout(600_000);
  const browser = new MarkdownBrowser();

  for (const grammar of Object.keys(grammarModules)) {
    it(`keep their text and don't affect the colors of what follows, in ${grammar}`, async () => {
      const page = await browser.open();
      await drawWhole(page, `${fences(grammar).join('\n')}\n~~~ts\nlet a = 1;\n~~~\n`);
      const blocks = await page.locator('code').allTextContents();
      assert.deepEqual(
        blocks,
        [...hostileLines.map((line) => `${line}\nx = "y" # 1\n`), 'let a = 1;\n'],
        'the text differs',
      );
      assert.equal(await page.locator('.md-code').last().locator('.tok-keyword').count(), 1);
    });
  }
});
