import type { Browser } from 'playwright-core';
import { atWorkerEnd } from '../../workbench/atWorkerEnd.ts';
import { findBrowser, launchBrowser } from '../../workbench/browser.ts';
import { cacheFolder } from '../../workbench/folders.ts';

let opened: Promise<Browser> | undefined;

/** The browser that all page tests of this worker process share; each opens its own pages in it. */
export function sharedBrowser(): Promise<Browser> {
  opened ??= open();
  return opened;
}

async function open(): Promise<Browser> {
  const browser = await launchBrowser(await findBrowser(cacheFolder, console.log));
  atWorkerEnd(() => browser.close());
  return browser;
}
