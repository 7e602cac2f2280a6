import type { Locator, Page } from 'playwright-core';
import { clickUntil, type Attempt } from './clickUntil.ts';
import { longestAttemptMs } from './tryUntil.ts';

const ignoredMs = 150;

/** Opens the context menu of an item and selects an entry, by its path. */
export function chooseFromMenu(page: Page, target: Locator, ...path: readonly string[]): Promise<void> {
  return choose(page, (tryClick) => tryClick(target, { button: 'right' }), path);
}

/** Opens the menu in the title of a view in the side bar, and selects an entry. */
export function chooseFromTitle(page: Page, view: string, entry: string): Promise<void> {
  const header = page.locator(`.part.sidebar .pane-header[aria-label*="${view}"]`);
  const openMenu: Attempt<boolean> = async (tryClick, limitMs) => {
    await header.hover({ timeout: limitMs });
    return tryClick(header.getByRole('button', { name: /More Actions/ }));
  };
  return choose(page, openMenu, [entry]);
}

/** Opens the menu in the title of a part of the window with one view or tab, and selects an entry. */
export function chooseFromPart(page: Page, part: string, entry: string): Promise<void> {
  const more = page
    .locator(part)
    .getByRole('button', { name: /More Actions/ })
    .first();
  return choose(page, (tryClick) => tryClick(more), [entry]);
}

async function choose(page: Page, openMenu: Attempt<boolean>, path: readonly string[]): Promise<void> {
  const menus = page.locator('.monaco-menu');
  // An entry with a key has it in its name.
  const entryOf = (text: string): Locator =>
    menus.getByRole('menuitem', { name: new RegExp(`^${RegExp.escape(text)}(\\W+(Ctrl|Alt|Shift|F\\d).*)?$`) });
  const isOpen = async (): Promise<boolean> => {
    for (const [place, name] of path.entries()) {
      if (!(await entryOf(name).isVisible())) return false;
      if (place < path.length - 1) await entryOf(name).hover({ timeout: longestAttemptMs });
    }
    return true;
  };
  const opened = async (): Promise<void> => {
    await clickUntil(
      `the menu with ${path.join(', ')}`,
      async (tryClick, limitMs) => {
        // Another menu, or this one without the entry.
        if ((await menus.count()) > 0) await page.keyboard.press('Escape');
        return openMenu(tryClick, limitMs);
      },
      isOpen,
    );
    // VS Code's menus ignore clicks for the first 100 ms, so that the click that opens one selects nothing. Nothing
    // shows when that time is over, and if a redrawn tree closes the menu after an ignored click, it looks as if the
    // menu had taken the click. The page itself waits: if it's busy, VS Code's timer is late, but still earlier than
    // one that was started after it.
    await page.evaluate((ms) => new Promise((done) => setTimeout(done, ms)), ignoredMs);
  };
  await opened();
  const entry = entryOf(path.at(-1) ?? '');
  let isClicked = false;
  await clickUntil(
    `the menu to take the click on ${path.at(-1)}`,
    async (tryClick) => {
      if (!isClicked && (await menus.count()) === 0) await opened();
      if (await entry.isVisible()) isClicked = (await tryClick(entry)) || isClicked;
      return isClicked;
    },
    // Another click would reach what is behind a menu that closes at this moment, and close what it opened.
    async () => (await menus.count()) === 0,
    3_000,
  );
}
