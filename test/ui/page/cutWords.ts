import type { Page } from 'playwright-core';

/**
 * Controls and words of the page that a user doesn't see whole: what reaches beyond the page, what is longer than
 * its box, and what its box lets no room for. Left out are names of models and files, which are data: their box
 * has the whole of them as a tooltip.
 */
export function cutWords(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const scrolls = (element: Element): boolean => ['auto', 'scroll'].includes(getComputedStyle(element).overflowX);
    const isInScroller = (element: Element): boolean => {
      for (let at = element.parentElement; at !== null && at !== document.body; at = at.parentElement) {
        if (scrolls(at) && at.scrollWidth > at.clientWidth) return true;
      }
      return false;
    };
    /** The width that a choice or a field would need for its longest words. */
    const wanted = (element: Element): number => {
      const { font, letterSpacing } = getComputedStyle(element);
      const pen = document.createElement('canvas').getContext('2d');
      if (pen === null) throw new Error('Nothing to measure with');
      pen.font = font;
      pen.letterSpacing = letterSpacing;
      const texts =
        element instanceof HTMLSelectElement
          ? [...element.selectedOptions].map(({ text }) => text)
          : element instanceof HTMLInputElement
            ? [element.placeholder]
            : [];
      return Math.max(0, ...texts.map((text) => pen.measureText(text).width));
    };
    const room = (element: Element): number => {
      const { paddingLeft, paddingRight } = getComputedStyle(element);
      // A choice draws its arrow there too.
      const arrow = element instanceof HTMLSelectElement ? 16 : 0;
      return element.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight) - arrow;
    };
    const isCut = (element: HTMLElement): boolean => {
      const box = element.getBoundingClientRect();
      if (!isInScroller(element) && (box.right > document.documentElement.clientWidth + 1 || box.left < -1))
        return true;
      if (wanted(element) > room(element) + 1) return true;
      const { overflowX } = getComputedStyle(element);
      if (element.matches('textarea, input') || scrolls(element)) return false;
      const hint = element.closest<HTMLElement>('[title]')?.title;
      if (hint !== undefined && element.textContent !== '' && hint.includes(element.textContent)) return false;
      if (overflowX !== 'visible' && element.scrollWidth > element.clientWidth + 1) return true;
      // What is held in a box of its own size and runs out of it.
      return element.matches('button, summary, dd, dt') && element.scrollWidth > element.clientWidth + 1;
    };
    const what = 'button, select, input, textarea, summary, label, h1, h2, h3, p, dt, dd, th, td, span, div';
    return [...document.querySelectorAll<HTMLElement>(`main :is(${what})`)]
      .filter((each) => each.checkVisibility() && each.closest('.visually-hidden, [aria-hidden=true]') === null)
      .filter((each) => each.innerText !== '' || each.matches('button, select, input, textarea'))
      .filter((each) => isCut(each))
      .map((each) => each.outerHTML.slice(0, 160));
  });
}
