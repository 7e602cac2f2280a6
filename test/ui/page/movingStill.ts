import type { Page } from 'playwright-core';

/** How much of a page that moves goes on after the person asked for less motion, in each way there is to ask. */
export async function movingStill(page: Page): Promise<{ readonly bySystem: number; readonly byVsCode: number }> {
  await page.waitForFunction(() => document.getAnimations().some(({ playState }) => playState === 'running'));
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const bySystem = await moving(page);
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  // What VS Code does for `workbench.reduceMotion`.
  await page.evaluate(() => document.body.classList.add('vscode-reduce-motion'));
  return { bySystem, byVsCode: await moving(page) };
}

function moving(page: Page): Promise<number> {
  return page.evaluate(() => document.getAnimations().filter(({ playState }) => playState === 'running').length);
}
