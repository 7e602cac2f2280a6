import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { atWorkerEnd } from '../../workbench/atWorkerEnd.ts';
import { findBrowser, launchBrowser } from '../../workbench/browser.ts';
import { cacheFolder } from '../../workbench/folders.ts';

interface Size {
  readonly width: number;
  readonly height: number;
}

let opened: Promise<Browser> | undefined;
/** The page that tests take turns with, once one has been opened. */
let shared: Page | undefined;
let isTaken = false;

/** The browser that all tests of this worker process share; each opens its own pages in it. */
function sharedBrowser(): Promise<Browser> {
  opened ??= open();
  return opened;
}

async function open(): Promise<Browser> {
  const browser = await launchBrowser(await findBrowser(cacheFolder, console.log));
  atWorkerEnd(() => browser.close());
  return browser;
}

/**
 * A page that loads what a test asks for next. Tests take turns with one page, because the process of a new one costs
 * more than most tests; a second page at the same time is a new one.
 * @param own options of a new page that only this test has
 */
export async function takePage(viewport: Size, own?: BrowserContextOptions): Promise<Page> {
  const browser = await sharedBrowser();
  if (isTaken || own !== undefined) return newPage(browser, { viewport, ...own });
  isTaken = true;
  if (shared === undefined || shared.isClosed()) shared = await newPage(browser, { viewport });
  await shared.setViewportSize(viewport);
  return shared;
}

async function newPage(browser: Browser, options: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext(options);
  // Only for what hangs: the usual half a minute can be too short on a busy machine.
  context.setDefaultTimeout(60_000);
  return context.newPage();
}

/**
 * Before the server of the page that it shows is closed: its document might still be loading, and whoever takes it next
 * would hear of what it then doesn't get.
 */
export async function leaveSharedPage(): Promise<void> {
  if (shared?.isClosed() === false) await shared.goto('about:blank');
}

/** After the test that took it. */
export async function giveBack(page: Page): Promise<void> {
  if (page !== shared) return page.context().close();
  page.removeAllListeners();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.emulateMedia({ reducedMotion: null, colorScheme: null, forcedColors: null });
  // Beyond the page, so that nothing of the next one is under the pointer.
  await page.mouse.move(-10, -10);
  isTaken = false;
}
