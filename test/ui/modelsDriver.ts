import type { Locator, Page } from 'playwright-core';
import { QuickInput } from './quickInput.ts';
import { waitUntil } from './waitUntil.ts';
import type { WorkbenchPage } from './workbenchPage.ts';

/** The Models view in the side bar, as a user uses it. */
export class ModelsDriver {
  readonly pane: Locator;
  readonly #workbench: WorkbenchPage;

  private constructor(workbench: WorkbenchPage) {
    this.#workbench = workbench;
    const { page } = workbench;
    this.pane = page.locator('.part.sidebar .pane', { has: page.locator('.pane-header[aria-label^="Models"]') });
  }

  static async open(workbench: WorkbenchPage): Promise<ModelsDriver> {
    await workbench.runCommand('Parlance: Show Models');
    const driver = new ModelsDriver(workbench);
    await driver.makeRoom();
    await driver.pane.waitFor({ timeout: 20_000 });
    return driver;
  }

  /** Closes the views below and makes the window higher: VS Code draws only the rows that have room. */
  async makeRoom(): Promise<void> {
    await this.#workbench.resizeTo(1280, 1400);
    for (const other of ['Requests', 'Media']) {
      const header = this.#page.locator(`.part.sidebar .pane-header[aria-label^="${other}"]`);
      await header.waitFor({ timeout: 20_000 });
      if ((await header.getAttribute('aria-expanded')) === 'true') await header.click();
    }
  }

  get #page(): Page {
    return this.#workbench.page;
  }

  /** Rows by what a screen reader says of them: a model's id, its kind, its state. */
  row(words: string | RegExp): Locator {
    return this.pane.getByRole('treeitem', { name: words });
  }

  /** What the view says above its rows. */
  get message(): Locator {
    return this.pane.locator('.message');
  }

  /** What an empty view says. */
  get welcome(): Locator {
    return this.pane.locator('.welcome-view');
  }

  /** Presses a button of the view's title, which shows them while it is pointed at. */
  async pressTitleButton(name: string): Promise<void> {
    await this.pane.hover();
    await this.#page.locator('.part.sidebar').getByRole('button', { name }).first().click();
  }

  async openGroup(name: string): Promise<void> {
    const group = this.row(new RegExp(`^${name}, `));
    await group.waitFor({ timeout: 20_000 });
    if ((await group.getAttribute('aria-expanded')) === 'false') await group.click();
    await group.and(this.pane.locator('[aria-expanded=true]')).waitFor();
  }

  /** Presses one of the icons that a row shows when it is pointed at. */
  async pressIcon(words: string | RegExp, icon: string): Promise<void> {
    const row = this.row(words).first();
    await waitUntil(`the icon "${icon}"`, async () => {
      try {
        await row.hover({ timeout: 2_000 });
        await row.getByRole('button', { name: icon }).click({ timeout: 2_000 });
        return true;
      } catch {
        // The rows were drawn again, and this one stands elsewhere now.
        return false;
      }
    });
  }

  /** What a screen reader says of the rows in view, from the top. */
  async rowNames(): Promise<readonly string[]> {
    return this.pane
      .getByRole('treeitem')
      .evaluateAll((rows) =>
        rows
          .toSorted((one, other) => Number(one.getAttribute('data-index')) - Number(other.getAttribute('data-index')))
          .map((row) => row.getAttribute('aria-label') ?? ''),
      );
  }

  /** Types into the filter box, which stays open. */
  async filter(text: string): Promise<QuickInput> {
    await this.#workbench.runCommand('Parlance: Filter Models');
    const input = new QuickInput(this.#page);
    await input.opened('Filter Models');
    await input.box.fill(text);
    return input;
  }
}
