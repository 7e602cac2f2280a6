import type { Locator, Page } from 'playwright-core';
import { tookClick } from './tookClick.ts';
import { waitUntil } from './waitUntil.ts';

const ignoredMs = 150;

/** Opens the context menu of an item and selects an entry, by its path. */
export function chooseFromMenu(page: Page, target: Locator, ...path: readonly string[]): Promise<void> {
  return choose(page, () => target.click({ button: 'right', timeout: 60_000 }), path);
}

/** Opens the menu in the title of a view in the side bar, and selects an entry. */
export function chooseFromTitle(page: Page, view: string, entry: string): Promise<void> {
  const header = page.locator(`.part.sidebar .pane-header[aria-label*="${view}"]`);
  const openMenu = async (): Promise<void> => {
    await header.hover({ timeout: 60_000 });
    await header.getByRole('button', { name: /More Actions/ }).click({ timeout: 5_000 });
  };
  return choose(page, openMenu, [entry]);
}

/** Opens the menu in the title of a part of the window with one view or tab, and selects an entry. */
export function chooseFromPart(page: Page, part: string, entry: string): Promise<void> {
  const more = page
    .locator(part)
    .getByRole('button', { name: /More Actions/ })
    .first();
  return choose(page, () => more.click({ timeout: 5_000 }), [entry]);
}

async function choose(page: Page, openMenu: () => Promise<void>, path: readonly string[]): Promise<void> {
  const menus = page.locator('.monaco-menu');
  // An entry with a key has it in its name.
  const entryOf = (text: string): Locator =>
    menus.getByRole('menuitem', { name: new RegExp(`^${RegExp.escape(text)}(\\W+(Ctrl|Alt|Shift|F\\d).*)?$`) });
  const open = async (): Promise<boolean> => {
    await openMenu();
    for (const [place, name] of path.entries()) {
      await entryOf(name).waitFor({ timeout: 5_000 });
      if (place < path.length - 1) await entryOf(name).hover({ timeout: 5_000 });
    }
    return true;
  };
  // VS Code closes the menu of a row, or doesn't open it, if the tree is redrawn at that moment.
  const opened = async (): Promise<void> => {
    await waitUntil(
      `the menu with ${path.join(', ')}`,
      () =>
        open().catch(async () => {
          await page.keyboard.press('Escape');
          return false;
        }),
      60_000,
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
  await waitUntil(
    `the menu to take the click on ${path.at(-1)}`,
    async () => {
      if ((await menus.count()) === 0) {
        if (!isClicked) await opened();
        return isClicked;
      }
      if (await entry.isVisible()) {
        isClicked = await tookClick(entry, 1_000);
        // Another click would reach what is behind a menu that closes at this moment, and close what it opened.
        if (isClicked)
          await menus
            .first()
            .waitFor({ state: 'detached', timeout: 3_000 })
            .catch(() => undefined);
      }
      return false;
    },
    60_000,
  );
}
