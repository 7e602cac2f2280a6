import type { Page } from 'playwright-core';

/**
 * Controls and texts of the page that aren't fully visible: text beyond the page's edge, longer than its box, or
 * without space in its box. Names of models and files are left out, because they're data: a tooltip shows them in
 * full.
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
    /** The width that a select or a field needs for its longest text. */
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
      // A select also draws its arrow there.
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
      // A long name might have lost its middle before.
      const parts = element.textContent.split('…');
      if (hint !== undefined && element.textContent !== '' && parts.every((part) => hint.includes(part))) return false;
      if (overflowX !== 'visible' && element.scrollWidth > element.clientWidth + 1) return true;
      // Content of a fixed-size box that overflows it.
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
