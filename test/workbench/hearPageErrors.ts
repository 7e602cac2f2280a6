import type { Page } from 'playwright-core';

/**
 * Hears of each error in a page, in its frames, and in its workers: exceptions, rejections that nobody handles, and what
 * is written to the console as an error, by a script or by the browser.
 * @param tell gets for example `pageerror TypeError: … at …`, or `error Failed to load resource … http://…`, and the URL
 * that the console names, if any
 */
export function hearPageErrors(page: Page, tell: (fault: string, url: string) => void): void {
  page.on('pageerror', (error) => tell(`pageerror ${exceptionText(error)}`, ''));
  page.on('console', (message) => {
    const { url } = message.location();
    if (message.type() === 'error') tell(`error ${message.text()} ${url}`, url);
  });
}

/** The stack of a page's exception, which contains its words; those alone if it has none, as for a thrown string. */
export function exceptionText(error: Error): string {
  return error.stack === undefined || error.stack === '' ? String(error) : error.stack;
}
