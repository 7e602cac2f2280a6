import type { BrowserContextOptions, Page } from 'playwright-core';
import type { ToHost } from '../../../src/shared/protocol/chatProtocol.ts';
import type { Unnumbered } from './fakeHost.ts';
import { type HeldScripts, type PageLanguage, type PageServer, servePage } from './pageServer.ts';
import { setTheme, type ThemeName } from './themes.ts';
import { WatchedPages } from './watchedPages.ts';

interface OpenOptions extends Omit<BrowserContextOptions, 'viewport'> {
  /** 420 × 640 by default, as wide as a side bar. */
  readonly viewport?: { readonly width: number; readonly height: number };
  /** True for a clock that the test advances. */
  readonly ownClock?: boolean;
  readonly theme?: ThemeName;
  readonly language?: PageLanguage;
}

const sideBar = { width: 420, height: 640 };

/** The chat page in a real browser. Call it inside a `describe`: it adds hooks to that suite. */
export class ChatBrowser {
  readonly pages: WatchedPages;
  #server: PageServer | undefined;
  #held: HeldScripts | undefined;
  #opened = 0;
  #lookedAt: { readonly page: Page; readonly state: string } | undefined;

  constructor() {
    before('serve the page', async () => {
      this.#server = await servePage();
    });
    afterEach('release the scripts', () => {
      this.#held?.release();
      this.#held = undefined;
    });
    this.pages = new WatchedPages();
    after('close the server', async () => {
      await this.#server?.close();
    });
  }

  /** Opens the page in one of the states of `pageStates.ts`. */
  async open(state: string, options: OpenOptions = {}): Promise<Page> {
    const { theme = 'dark', ownClock = false, language = 'en', viewport = sideBar, ...others } = options;
    if (this.#server === undefined) throw new Error('The page is not served yet');
    this.#lookedAt = undefined;
    // A clock stays with its page.
    const needsOwn = ownClock || Object.keys(others).length > 0;
    const page = await this.pages.take(viewport, needsOwn ? others : undefined);
    if (ownClock) await page.clock.install();
    // Each page has its own memory across reloads.
    this.#opened += 1;
    await page.goto(`${this.#server.url(state, theme, language)}&visit=${this.#opened}`);
    // The transcript appears with the first snapshot, the composer from the start.
    await page.getByRole(state.startsWith('loading') ? 'main' : 'log').waitFor();
    if (this.#held === undefined) await page.evaluate(() => window.fakeHost.loaded());
    return page;
  }

  /**
   * The page in one of its states, dark and fully drawn, as the previous test left it if that only looked at this state
   * too. For tests that change nothing.
   */
  async look(state: string): Promise<Page> {
    if (this.#lookedAt?.state === state) {
      const page = await this.pages.take(sideBar);
      if (page === this.#lookedAt.page) {
        await setTheme(page, 'dark');
        return page;
      }
    }
    const page = await this.open(state);
    await drawn(page);
    this.#lookedAt = { page, state };
    return page;
  }

  /**
   * Holds back the scripts that a page asks for from now on, until they're released. The server does it: a page that is
   * already open might not know about a route of the browser's yet.
   * @param names which ones, by the names of their files; all by default
   */
  holdScripts(names?: RegExp): HeldScripts {
    if (this.#server === undefined) throw new Error('The page is not served yet');
    this.#held = this.#server.holdScripts(names);
    return this.#held;
  }
}

/**
 * From now on, time only passes when the test says so; nothing is drawn in a frame before that. A page's own clock runs
 * on its own until then, and a busy machine needs seconds for what a test does.
 */
export async function stopClock(page: Page): Promise<void> {
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 20_000);
}

export function send(page: Page, message: Unnumbered): Promise<void> {
  return page.evaluate((sent) => window.fakeHost.send(sent), message);
}

/** What the page sent, except `ready` and drafts. */
export async function intentions(page: Page): Promise<readonly ToHost[]> {
  const posted = await page.evaluate(() => window.fakeHost.posted);
  return posted
    .filter(({ type }) => !['ready', 'draftChanged', 'composing', 'focusMoved'].includes(type))
    .map((message) => comparable(message));
}

/** Without the version of the draft, which differs each time. */
function comparable(message: ToHost): ToHost {
  if (message.type !== 'ask') return message;
  const { version: _version, ...ask } = message;
  return ask;
}

/** Waits until the page has sent a message of this type, and returns the last one. */
export async function nextOf(page: Page, type: ToHost['type']): Promise<ToHost | undefined> {
  await page.waitForFunction((wanted) => window.fakeHost.posted.some((message) => message.type === wanted), type);
  const last = await page.evaluate(
    (wanted) => window.fakeHost.posted.findLast((message) => message.type === wanted),
    type,
  );
  return last && comparable(last);
}

/** Everything that the page has sent of this type, oldest first. */
export async function postedOf(page: Page, type: ToHost['type']): Promise<readonly ToHost[]> {
  const posted = await page.evaluate(() => window.fakeHost.posted);
  return posted.filter((message) => message.type === type);
}

/** Confirms that the last posted draft has been saved. */
export async function saveDraft(page: Page): Promise<void> {
  const draft = await nextOf(page, 'draftChanged');
  if (draft?.type !== 'draftChanged') throw new Error('No draft was posted');
  await send(page, { type: 'draftSaved', conversationId: draft.conversationId, version: draft.version });
}

export function forgetPosted(page: Page): Promise<void> {
  return page.evaluate(() => {
    window.fakeHost.posted.length = 0;
  });
}

/** Two frames: by then, everything has been drawn. */
export function drawn(page: Page): Promise<void> {
  return page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        requestAnimationFrame(() => requestAnimationFrame(() => resolve()));
      }),
  );
}

/** Distance of the transcript from its end, in pixels. */
export function distanceFromEnd(page: Page): Promise<number> {
  return page.getByRole('log').evaluate((log) => log.scrollHeight - log.clientHeight - log.scrollTop);
}
