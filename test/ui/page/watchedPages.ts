import type { BrowserContextOptions, Page, ViewportSize } from 'playwright-core';
import { failOnFaults } from '../../workbench/failOnFaults.ts';
import { hearPageErrors } from '../../workbench/hearPageErrors.ts';
import { waitUntil } from '../waitUntil.ts';
import { isMissingFile } from './missingFile.ts';
import { giveBack, takePage } from './sharedBrowser.ts';

/**
 * The pages that a suite's tests open. An error in one fails the test in which it happens. Create it inside a `describe`:
 * it adds a hook to that suite.
 */
export class WatchedPages {
  readonly #open: Page[] = [];
  readonly #errors: string[] = [];

  constructor() {
    failOnFaults('no page had an error', () => this.#close());
  }

  /** Until the end of the test. @param own options of a new page that only this test has */
  async take(viewport: ViewportSize, own?: BrowserContextOptions): Promise<Page> {
    const page = await takePage(viewport, own);
    this.#open.push(page);
    hearPageErrors(page, (error, url) => {
      if (!isMissingFile(url)) this.#errors.push(error);
    });
    return page;
  }

  /**
   * For a test that wants an error: resolves when there's one that matches, which then doesn't fail the test.
   * @throws {Error} if none comes within `limitMs`
   */
  async takeError(words: RegExp, limitMs = 60_000): Promise<void> {
    await waitUntil(
      `an error in a page: ${words}`,
      () => {
        const place = this.#errors.findIndex((error) => words.test(error));
        return place !== -1 && this.#errors.splice(place, 1).length > 0;
      },
      limitMs,
    );
  }

  /** @returns what went wrong in them. */
  async #close(): Promise<readonly string[]> {
    const pages = this.#open.splice(0);
    await Promise.all(pages.map((page) => afterItsTask(page)));
    await Promise.all(pages.map((page) => giveBack(page)));
    return this.#errors.splice(0);
  }
}

/** Errors that the page had before are known then. Works if a test has stopped the page's clock, and timers with it. */
async function afterItsTask(page: Page): Promise<void> {
  const task = () =>
    new Promise((resolve) => {
      const { port1, port2 } = new MessageChannel();
      port1.addEventListener('message', () => resolve(undefined));
      port1.start();
      port2.postMessage(undefined);
    });
  // A test might have closed it.
  await page.evaluate(task).catch(() => undefined);
}
