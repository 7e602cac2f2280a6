import type { Page } from 'playwright-core';
import { drawn } from '../drawn.ts';
import { type PageLanguage, type PageName, type PageServer, servePage } from './pageServer.ts';
import { setTheme, type ThemeName } from './themes.ts';
import { WatchedPages } from './watchedPages.ts';

interface OpenOptions {
  readonly width?: number;
  readonly theme?: ThemeName;
  readonly language?: PageLanguage;
}

const height = 700;

/** One of the pages in a real browser. Call it inside a `describe`: it adds hooks to that suite. */
export class PageBrowser {
  readonly pages = new WatchedPages();
  #server: PageServer | undefined;
  #lookedAt: { readonly page: Page; readonly state: string } | undefined;

  constructor(name: PageName) {
    before('serve the page', async () => {
      this.#server = await servePage(name);
    });
    after('close the server', async () => {
      await this.#server?.close();
    });
  }

  /** Opens the page in one of its states, and resolves when that is drawn. */
  async open(state: string, options: OpenOptions = {}): Promise<Page> {
    const { width = 420, theme = 'dark', language = 'en' } = options;
    if (this.#server === undefined) throw new Error('The page is not served yet');
    this.#lookedAt = undefined;
    const page = await this.pages.take({ width, height });
    await page.goto(this.#server.url(state, theme, language));
    await page.getByRole('heading').first().waitFor({ state: 'attached' });
    await drawn(page.locator('body'));
    return page;
  }

  /**
   * The page in one of its states, dark and in English, as the previous test left it if that only looked at this state
   * too. For tests that change nothing.
   */
  async look(state: string, width = 420): Promise<Page> {
    if (this.#lookedAt?.state === state) {
      const page = await this.pages.take({ width, height });
      if (page === this.#lookedAt.page) {
        await setTheme(page, 'dark');
        return page;
      }
    }
    const page = await this.open(state, { width });
    this.#lookedAt = { page, state };
    return page;
  }
}
