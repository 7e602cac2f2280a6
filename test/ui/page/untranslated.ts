import type { Page } from 'playwright-core';
import { pseudoMarks } from './pseudoLanguage.ts';

/**
 * Visible texts, names, and tooltips of a page in the pseudo language that contain words outside that language.
 * @param data selector of texts that people, models, and services wrote.
 * @param named selector of elements whose name, but not content, is data.
 */
export function untranslated(page: Page, data: string, named = 'none'): Promise<readonly string[]> {
  return page.evaluate(
    ([dataOf, start, namedAfter]) => {
      const found: string[] = [];
      const look = (text: string | null, where: Element) => {
        if (text === null || !/[a-z]{3}/i.test(text) || text.includes(start)) return;
        if (where.closest(dataOf) !== null) return;
        found.push(`${where.tagName.toLowerCase()}.${where.getAttribute('class') ?? ''}: ${text}`);
      };
      for (const element of document.querySelectorAll('main, main *')) {
        if (!element.matches(namedAfter)) {
          for (const name of ['aria-label', 'title', 'placeholder', 'alt']) look(element.getAttribute(name), element);
        }
        for (const node of element.childNodes) if (node instanceof Text) look(node.data, element);
      }
      return found;
    },
    [data, pseudoMarks.start, named] as const,
  );
}
