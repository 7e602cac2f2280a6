import type { Page } from 'playwright-core';
import { drawn } from '../drawn.ts';
import { type PageServer, servePage } from './pageServer.ts';
import type { ThemeName } from './themes.ts';
import { WatchedPages } from './watchedPages.ts';

/** A page with a recording host, in a real browser. Call it inside a `describe`: it adds hooks to that suite. */
export class RecordingBrowser {
  readonly pages = new WatchedPages();
  readonly #width: number;
  #server: PageServer | undefined;

  /** @param width CSS pixels, by default for each page */
  constructor(name: 'compare' | 'media', width: number) {
    this.#width = width;
    before('serve the page', async () => {
      this.#server = await servePage(name);
    });
    after('close the server', async () => {
      await this.#server?.close();
    });
  }

  /** Opens the page in one of the states of `compareStates.ts` or `mediaStates.ts`, and resolves when that is drawn. */
  async open(state: string, width = this.#width, theme: ThemeName = 'dark'): Promise<Page> {
    if (this.#server === undefined) throw new Error('The page is not served yet');
    const page = await this.pages.take({ width, height: 700 });
    await page.goto(this.#server.url(state, theme));
    await page.getByRole('main').waitFor();
    await drawn(page.locator('body'));
    return page;
  }
}
