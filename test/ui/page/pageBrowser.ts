import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { type PageLanguage, type PageName, type PageServer, servePage } from './pageServer.ts';
import { giveBack, takePage } from './sharedBrowser.ts';
import { setTheme, type ThemeName } from './themes.ts';

interface OpenOptions {
  readonly width?: number;
  readonly theme?: ThemeName;
  readonly language?: PageLanguage;
}

const height = 700;

/** One of the pages in a real browser. Call it inside a `describe`: it adds hooks to that suite. */
export class PageBrowser {
  readonly #open: Page[] = [];
  readonly #errors: string[] = [];
  #server: PageServer | undefined;
  #lookedAt: { readonly page: Page; readonly state: string } | undefined;

  constructor(name: PageName) {
    before('serve the page', async () => {
      this.#server = await servePage(name);
    });
    afterEach('no page had an error', async () => {
      await Promise.all(this.#open.splice(0).map((page) => giveBack(page)));
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
    this.#lookedAt = undefined;
    const page = await this.#take(width);
    await page.goto(this.#server.url(state, theme, language));
    await page.getByRole('heading').first().waitFor({ state: 'attached' });
    return page;
  }

  /**
   * The page in one of its states, dark and in English, as the previous test left it if that only looked at this state
   * too. For tests that change nothing.
   */
  async look(state: string, width = 420): Promise<Page> {
    if (this.#lookedAt?.state === state) {
      const page = await this.#take(width);
      if (page === this.#lookedAt.page) {
        await setTheme(page, 'dark');
        return page;
      }
    }
    const page = await this.open(state, { width });
    this.#lookedAt = { page, state };
    return page;
  }

  /** What went wrong in the open pages so far. For tests that want it to. */
  takeErrors(): readonly string[] {
    return this.#errors.splice(0);
  }

  async #take(width: number): Promise<Page> {
    const page = await takePage({ width, height });
    this.#open.push(page);
    page.on('pageerror', ({ message }) => this.#errors.push(message));
    return page;
  }
}
