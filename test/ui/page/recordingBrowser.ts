import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { type PageServer, servePage } from './pageServer.ts';
import { giveBack, takePage } from './sharedBrowser.ts';
import type { ThemeName } from './themes.ts';

/** A page with a recording host, in a real browser. Call it inside a `describe`: it adds hooks to that suite. */
export class RecordingBrowser {
  readonly #open: Page[] = [];
  readonly #width: number;
  #server: PageServer | undefined;

  /** @param width CSS pixels, by default for each page */
  constructor(name: 'compare' | 'media', width: number) {
    this.#width = width;
    before('serve the page', async () => {
      this.#server = await servePage(name);
    });
    afterEach('no page had an error', async () => {
      const errors = await Promise.all(
        this.#open.map((page) =>
          page.evaluate((key) => [...window[key].errors, ...window[key].failed], `${name}Host` as const),
        ),
      );
      await Promise.all(this.#open.splice(0).map((page) => giveBack(page)));
      assert.deepEqual(errors.flat(), []);
    });
    after('close the server', async () => {
      await this.#server?.close();
    });
  }

  /** Opens the page in one of the states of `compareStates.ts` or `mediaStates.ts`. */
  async open(state: string, width = this.#width, theme: ThemeName = 'dark'): Promise<Page> {
    if (this.#server === undefined) throw new Error('The page is not served yet');
    const page = await takePage({ width, height: 700 });
    this.#open.push(page);
    await page.goto(this.#server.url(state, theme));
    await page.getByRole('main').waitFor();
    return page;
  }
}
