import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { ChatBrowser, drawn } from './chatBrowser.ts';
import { pageStates } from './pageStates.ts';
import { pseudoMarks } from './pseudoLanguage.ts';

/** What people and models wrote, names of files, models, hosts and keys, and what the host has translated itself. */
const data = [
  ...['.bubble', '.answer', '.model', '.model-id', '.chip-name', '.chip-size', '.thumbnail', '.problem', 'textarea'],
  ...['kbd', '.link', '.metric.notable', 'details p'],
].join(', ');
const host = 'inference.example';

/** Texts in view, and of names and tooltips, that are words and not in the language of the page. */
function untranslated(page: Page): Promise<readonly string[]> {
  return page.evaluate(
    ([dataOf, start, hostName]) => {
      const found: string[] = [];
      const look = (text: string | null, where: Element) => {
        if (text === null || !/[a-z]{3}/i.test(text) || text.includes(start) || text.includes(hostName)) return;
        // The name of a reply is its model's.
        if (where.closest(dataOf) !== null || where.matches('article.reply')) return;
        found.push(`${where.tagName.toLowerCase()}.${where.className}: ${text}`);
      };
      for (const element of document.querySelectorAll('main, main *')) {
        for (const name of ['aria-label', 'title', 'placeholder', 'alt']) look(element.getAttribute(name), element);
        for (const node of element.childNodes) if (node instanceof Text) look(node.data, element);
      }
      return found;
    },
    [data, pseudoMarks.start, host] as const,
  );
}

describe('The chat page in a language that is longer than English', () => {
  const browser = new ChatBrowser();

  for (const state of Object.keys(pageStates)) {
    it(`has no word that cannot be translated, and no control out of view: ${state}`, async () => {
      const page = await browser.open(state, { language: 'pseudo', viewport: { width: 300, height: 640 } });
      await drawn(page);
      // There all words are the host's: a problem.
      if (state !== 'wrongHost') assert.deepEqual(await untranslated(page), []);
      const outside = await page.evaluate(() =>
        [...document.querySelectorAll<HTMLElement>('button, textarea, input, h1, h2, .metrics')]
          .filter((each) => each.checkVisibility() && each.closest('pre, .visually-hidden') === null)
          .filter((each) => each.getBoundingClientRect().right > document.documentElement.clientWidth + 1)
          .map((each) => each.outerHTML.slice(0, 160)),
      );
      assert.deepEqual(outside, []);
    });
  }
});
