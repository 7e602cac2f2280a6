import type { Page } from 'playwright-core';

/** How much of a page keeps moving after the user asked for less motion, for each way to ask. */
export async function movingStill(page: Page): Promise<{ readonly bySystem: number; readonly byVsCode: number }> {
  await page.waitForFunction(() => document.getAnimations().some(({ playState }) => playState === 'running'));
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const bySystem = await moving(page);
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  // What VS Code does for `workbench.reduceMotion`.
  await page.evaluate(() => document.body.classList.add('vscode-reduce-motion'));
  return { bySystem, byVsCode: await moving(page) };
}

/** An animation that is running may end; one without an end never does. */
async function moving(page: Page): Promise<number> {
  const count = () => document.getAnimations().filter(({ playState }) => playState === 'running').length;
  for (let look = 0; look < 50 && (await page.evaluate(count)) > 0; look += 1) {
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
  }
  return page.evaluate(count);
}
