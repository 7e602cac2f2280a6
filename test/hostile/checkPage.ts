import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { drawInPieces, drawWhole } from '../ui/page/markdownBrowser.ts';

const elements = new Set(
  'div p h3 h4 h5 h6 ul ol li blockquote pre code span button table thead tbody tr th td a strong em del br hr'.split(
    ' ',
  ),
);
const attributes = new Set(
  'class role tabindex title aria-label aria-level aria-checked aria-disabled aria-pressed aria-hidden type data-action scope colspan start'.split(
    ' ',
  ),
);

const safe = /^(https?:\/\/|mailto:)/;

interface Found {
  readonly calls: readonly (readonly string[])[];
  readonly violations: readonly string[];
  readonly elements: readonly string[];
  readonly attributes: readonly string[];
}

/**
 * Draws each text both whole and in pieces, clicks everything, and checks that nothing ran, nothing was requested, only
 * Markdown's own elements were created, and links lead only to the web or to a mail address.
 */
export async function checkPage(page: Page, texts: readonly string[]): Promise<void> {
  // Everything that colors need is already loaded.
  await drawWhole(page, '```html\n<p>\n```\n');
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  for (let from = 0; from < texts.length; from += 40) {
    const some = texts.slice(from, from + 40);
    const streamed = await drawInPieces(page, some.join('\n\n').match(/[^]{1,13}/g) ?? []);
    const whole = await drawWhole(page, some.join('\n\n'));
    assert.equal(streamed, whole, `from ${from} on`);
    const each = await page.evaluate(drawAndClick, some);
    for (const [index, found] of each.entries()) {
      const text = some[index];
      const calls = found.calls.filter(([name, href = '']) => name !== 'openLink' || !safe.test(href));
      assert.deepEqual([calls, found.violations], [[], []], text);
      assert.deepEqual(
        found.elements.filter((name) => !elements.has(name)),
        [],
        text,
      );
      assert.deepEqual(
        found.attributes.filter((name) => !attributes.has(name)),
        [],
        text,
      );
    }
  }
  assert.deepEqual(requests, []);
  assert.equal(page.context().pages().length, 1);
}

/** In the page. */
async function drawAndClick(texts: readonly string[]): Promise<readonly Found[]> {
  const found: Found[] = [];
  for (const text of texts) {
    await window.markdown.complete([text]);
    window.markdown.calls.length = 0;
    const all = [...document.querySelectorAll<HTMLElement>('main *')];
    for (const element of all) {
      if (element.localName !== 'button') element.click();
      element.dispatchEvent(new MouseEvent('auxclick', { bubbles: true, cancelable: true, button: 1 }));
      element.dispatchEvent(new MouseEvent('mouseover', { bubbles: true }));
    }
    found.push({
      calls: [...window.markdown.calls],
      violations: [...window.markdown.violations],
      elements: [...new Set(all.map(({ localName }) => localName))],
      attributes: [...new Set(all.flatMap((element) => element.getAttributeNames()))],
    });
  }
  return found;
}
