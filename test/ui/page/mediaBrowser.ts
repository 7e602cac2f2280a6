import assert from 'node:assert/strict';
import type { Browser, Page } from 'playwright-core';
import type { ToMediaHost } from '../../../src/shared/mediaProtocol.ts';
import type { UnnumberedMedia } from './fakeMediaHost.ts';
import { type PageServer, servePage } from './pageServer.ts';
import { sharedBrowser } from './sharedBrowser.ts';
import type { ThemeName } from './themes.ts';

/** The media page in a real browser. Call it inside a `describe`: it adds hooks to that suite. */
export class MediaBrowser {
  readonly #open: Page[] = [];
  #server: PageServer | undefined;
  #browser: Browser | undefined;

  constructor() {
    before('open the browser', async () => {
      this.#browser = await sharedBrowser();
      this.#server = await servePage('media');
    });
    afterEach('no page had an error', async () => {
      const errors = await Promise.all(
        this.#open.map((page) => page.evaluate(() => [...window.mediaHost.errors, ...window.mediaHost.failed])),
      );
      await Promise.all(this.#open.splice(0).map((page) => page.context().close()));
      assert.deepEqual(errors.flat(), []);
    });
    after('close the server', async () => {
      await this.#server?.close();
    });
  }

  /** Opens the page in one of the states of `mediaStates.ts`. */
  async open(state: string, width = 420, theme: ThemeName = 'dark'): Promise<Page> {
    if (this.#browser === undefined || this.#server === undefined) throw new Error('The browser is not open');
    const page = await this.#browser.newPage({ viewport: { width, height: 700 } });
    this.#open.push(page);
    await page.goto(this.#server.url(state, theme));
    await page.getByRole('main').waitFor();
    return page;
  }
}

export function tell(page: Page, message: UnnumberedMedia): Promise<void> {
  return page.evaluate((sent) => window.mediaHost.send(sent), message);
}

/** Everything that the page has sent of this type, oldest first. */
export async function told<T extends ToMediaHost['type']>(
  page: Page,
  type: T,
): Promise<readonly Extract<ToMediaHost, { type: T }>[]> {
  const posted = await page.evaluate(() => window.mediaHost.posted);
  return posted.filter((message): message is Extract<ToMediaHost, { type: T }> => message.type === type);
}
