import type { Locator, Page } from 'playwright-core';
import { waitUntil } from './waitUntil.ts';

/** Opens the context menu of something and chooses from it, by a path of its entries. */
export async function chooseFromMenu(page: Page, target: Locator, ...path: readonly string[]): Promise<void> {
  const menus = page.locator('.monaco-menu');
  await target.click({ button: 'right', timeout: 30_000 });
  for (const [place, name] of path.entries()) {
    const entry = menus.getByRole('menuitem', { name, exact: true });
    await entry.waitFor({ timeout: 10_000 });
    if (place < path.length - 1) {
      await entry.hover();
      continue;
    }
    // VS Code's menus hear no button for the first 100 ms, so that the click that opens one chooses nothing in it, and
    // nothing shows when that time is over: one that is still open has not heard the click.
    await waitUntil(`the menu to take the click on ${name}`, async () => {
      if (await entry.isVisible()) await entry.click({ timeout: 1_000 }).catch(() => undefined);
      return (await menus.count()) === 0;
    });
  }
}
