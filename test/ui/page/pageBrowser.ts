import assert from 'node:assert/strict';
import type { Browser, Page } from 'playwright-core';
import { type PageLanguage, type PageName, type PageServer, servePage } from './pageServer.ts';
import { sharedBrowser } from './sharedBrowser.ts';
import type { ThemeName } from './themes.ts';

interface OpenOptions {
  readonly width?: number;
  readonly theme?: ThemeName;
  readonly language?: PageLanguage;
  /** A page that is already open, to be reused: a new one costs a process. */
  readonly reuse?: Page | undefined;
}

/** One of the pages in a real browser. Call it inside a `describe`: it adds hooks to that suite. */
export class PageBrowser {
  readonly #open: Page[] = [];
  readonly #errors: string[] = [];
  #server: PageServer | undefined;
  #browser: Browser | undefined;

  constructor(name: PageName) {
    before('open the browser', async () => {
      this.#browser = await sharedBrowser();
      this.#server = await servePage(name);
    });
    afterEach('no page had an error', async () => {
      await Promise.all(this.#open.splice(0).map((page) => page.close()));
      assert.deepEqual(this.#errors.splice(0), []);
    });
    after('close the server', async () => {
      await this.#server?.close();
    });
  }

  /** Opens the page in one of its states, and resolves when that is drawn. */
  async open(state: string, options: OpenOptions = {}): Promise<Page> {
    const { width = 420, theme = 'dark', language = 'en' } = options;
    if (this.#server === undefined) throw new Error('The page is not served yet');
    const page = options.reuse ?? (await this.#newPage());
    await page.setViewportSize({ width, height: 700 });
    await page.goto(this.#server.url(state, theme, language));
    await page.getByRole('heading').first().waitFor({ state: 'attached' });
    return page;
  }

  async #newPage(): Promise<Page> {
    if (this.#browser === undefined) throw new Error('The browser is not open');
    const page = await this.#browser.newPage();
    this.#open.push(page);
    page.on('pageerror', ({ message }) => this.#errors.push(message));
    return page;
  }
}
