import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { gfmExamples, specExamples } from '../../unit/webview/markdown/specExamples.ts';
import type { ThemeName } from './themes.ts';
import { drawInPieces, drawOpen, drawWhole, MarkdownBrowser } from './markdownBrowser.ts';

function inPieces(text: string, chars: number): string[] {
  return text.match(new RegExp(`[\\s\\S]{1,${chars}}`, 'g')) ?? [];
}

/** The markup is long: a failure shows only where it starts to differ. */
function assertSame(streamed: string, whole: string): void {
  if (streamed === whole) return;
  let at = 0;
  while (streamed[at] === whole[at]) at += 1;
  assert.equal(streamed.slice(at - 100, at + 200), whole.slice(at - 100, at + 200));
}

function calls(page: Page): Promise<(readonly string[])[]> {
  return page.evaluate(() => window.markdown.calls);
}

describe('Markdown on the page', function () {
  const browser = new MarkdownBrowser();

  it('looks the same streamed and whole, for every example of CommonMark and GFM', async () => {
    const page = await browser.open();
    const examples = [...specExamples(), ...gfmExamples];
    const document = examples.join('\n\n');
    const different = await page.evaluate(async (texts) => {
      const failed: string[] = [];
      for (const text of texts) {
        const whole = await window.markdown.complete([text]);
        if ((await window.markdown.complete(text.split(''))) !== whole) failed.push(text);
      }
      return failed;
    }, examples);
    assert.deepEqual(different, []);
    assertSame(await drawInPieces(page, inPieces(document, 333)), await drawWhole(page, document));
  });

  it('has a border around code in a sentence in high contrast, where its background is the same', async () => {
    const borderIn = async (theme: ThemeName) => {
      const page = await browser.open({ theme });
      await drawWhole(page, 'Call `sort` first.');
      return page.locator('.md-inline-code').evaluate((code) => getComputedStyle(code).border);
    };
    assert.equal(await borderIn('hc'), '1px solid rgb(111, 195, 223)');
    assert.match(await borderIn('dark'), /^0px /);
  });

  it('looks the same streamed and whole with very long lists, tables, and code', async () => {
    const page = await browser.open();
    const items = Array.from({ length: 250 }, (_, index) => `${index + 5}) item ${index} [a]\n`).join('');
    const rows = Array.from({ length: 250 }, (_, index) => `| ${index} | [a] |\n`).join('');
    const code = Array.from({ length: 100 }, (_, index) => `let line${index};\n`).join('');
    const text = `${items}\n| a | b |\n|---|---|\n${rows}\n\`\`\`js\n${code}\`\`\`\n\n${items}\n- x\n\n- y\n\n[a]: https://a.example\n`;
    const whole = await drawWhole(page, text);
    assertSame(await drawInPieces(page, inPieces(text, 50)), whole);
    assert.equal(await page.getByRole('listitem').count(), 502);
    assert.equal(await page.locator('tbody tr').count(), 250);
    assert.equal(await page.getByRole('link').count(), 750);
    assert.deepEqual(await page.locator('ol').evaluateAll((lists) => lists.map((list) => list.getAttribute('start'))), [
      '5',
      '105',
      '205',
      '5',
      '105',
      '205',
    ]);
  });

  it('keeps the elements that only grow', async () => {
    const page = await browser.open();
    await drawOpen(page, 'One **two** thr', '1. a\n');
    const kept = await page.evaluate(async () => {
      await window.markdown.stream(['One **two** thr']);
      const strong = document.querySelector('strong');
      await window.markdown.append('ee\n\n- item\n\n  ```js\n  let a;\n');
      const button = document.querySelector('button');
      await window.markdown.append('  let b;\n  ```\n- next\n\nend\n\nend');
      return [strong === document.querySelector('strong'), button === document.querySelector('button')];
    });
    assert.deepEqual(kept, [true, true]);
  });

  it('adds links to text that is still being written when their definitions arrive at its end', async () => {
    const page = await browser.open();
    await drawOpen(page, 'See [the manual].\n\n', '# Next\n\n');
    assert.equal(await page.getByRole('link').count(), 0);
    await page.evaluate(() => window.markdown.append('[the manual]: https://a.example/m\n\nx\n'));
    assert.equal(
      await page.getByRole('link', { name: 'the manual' }).getAttribute('title'),
      'a.example\nhttps://a.example/m',
    );
  });

  it('decodes character references as HTML defines them', async () => {
    const page = await browser.open();
    await drawWhole(
      page,
      '&copy; &AMP; &notit; &nope; &#8212; &ngE; \\&copy; `&copy;` [a](https://a.example/?x&amp;y)',
    );
    const text = await page.locator('main p').textContent();
    assert.equal(text, '© & &notit; &nope; — ≧̸ &copy; &copy; a');
    await page.getByRole('link').click();
    assert.deepEqual(await calls(page), [['openLink', 'https://a.example/?x&y']]);
  });

  it('puts its headings below those of the page', async () => {
    const page = await browser.open();
    await drawWhole(page, '# a\n## b\n### c\n#### d\n##### e\n###### f\n');
    const levels = await page
      .getByRole('heading')
      .evaluateAll((headings) => headings.map((heading) => [heading.localName, heading.getAttribute('aria-level')]));
    assert.deepEqual(levels, [
      ['h3', null],
      ['h4', null],
      ['h5', null],
      ['h6', null],
      ['h6', '7'],
      ['h6', '8'],
    ]);
  });

  it("has no gap between its heading levels once it's complete", async () => {
    const page = await browser.open();
    await drawWhole(page, '### a\n### b\n# c\n\n> #### d\n\n###### e\n');
    const levels = await page
      .getByRole('heading')
      .evaluateAll((headings) => headings.map((each) => each.getAttribute('aria-level') ?? each.localName));
    assert.deepEqual(levels, ['3', '3', 'h3', '4', '5']);
  });

  it('names task checkboxes by their text and lets nobody check them', async () => {
    const page = await browser.open();
    await drawWhole(page, '- [x] write *tests*\n- [ ] rest\n\n1. [ ] loose\n\n2. b\n');
    const done = page.getByRole('checkbox', { name: 'write tests' });
    assert.deepEqual([await done.isChecked(), await done.isDisabled()], [true, true]);
    assert.equal(await page.getByRole('checkbox', { name: 'rest' }).isChecked(), false);
    assert.equal(await page.getByRole('checkbox', { name: 'loose' }).count(), 1);
    assert.equal(await page.locator('input').count(), 0, 'a browser keeps the state of each form control');
  });

  it('keeps the checkbox of a task whose link is defined later', async () => {
    const page = await browser.open();
    const pieces = ['- [x] see [a]\n\n', '# next\n\n', '[a]: https://a.example/\n'];
    assert.equal(await drawInPieces(page, pieces), await drawWhole(page, pieces.join('')));
    assert.equal(await page.getByRole('checkbox', { name: 'see a' }).isChecked(), true);
    assert.equal(await page.getByRole('link', { name: 'a' }).count(), 1);
  });

  it('scrolls wide tables and code sideways, by keyboard too, and never the page', async () => {
    const page = await browser.open({ width: 300 });
    const word = 'x'.repeat(400);
    const cells = Array.from({ length: 12 }, (_, index) => `column ${index}`).join(' | ');
    await drawWhole(
      page,
      `${word} https://a.example/${word}\n\n| ${cells} |\n${'|---'.repeat(12)}|\n\n\`\`\`\n${word}\n\`\`\`\n`,
    );
    const [pageWidth, ...regions] = await page.evaluate(() => [
      document.documentElement.scrollWidth,
      ...[...document.querySelectorAll('[role=group][tabindex]')].map(
        (region) => region.scrollWidth - region.clientWidth,
      ),
    ]);
    assert.equal(pageWidth, 300);
    assert.equal(regions.length, 2);
    assert.ok(regions.every((hidden) => hidden > 100));
    await page.getByRole('group', { name: 'Table' }).focus();
    await page.keyboard.press('ArrowRight');
    await page.waitForFunction(() => (document.querySelector('.md-table')?.scrollLeft ?? 0) > 0);
  });

  it('shows where a link leads if its text names another host', async () => {
    const page = await browser.open();
    await drawWhole(page, '[bank.example](https://thief.example/x) ![photo](https://pics.example/a.png)');
    assert.equal(await page.getByRole('link').first().textContent(), 'bank.example (thief.example)');
    await page.getByRole('link', { name: 'Image: photo (pics.example)' }).focus();
    await page.keyboard.press('Enter');
    assert.deepEqual(await calls(page), [['openLink', 'https://pics.example/a.png']]);
  });

  it('returns the source as it arrived', async () => {
    const page = await browser.open();
    await drawInPieces(page, ['a\r', '\nb\r', 'c\r']);
    assert.equal(await page.evaluate(() => window.markdown.source()), 'a\r\nb\rc\r');
    assert.equal(await page.locator('main p').textContent(), 'a\nb\nc');
  });
});
