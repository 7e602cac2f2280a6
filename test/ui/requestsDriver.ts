import type { Frame, Locator } from 'playwright-core';
import { chooseFromMenu } from './contextMenu.ts';
import { clickRow, treeRow, type Row } from './row.ts';
import { waitUntil } from './waitUntil.ts';
import type { WorkbenchPage } from './workbenchPage.ts';

/** The Requests view, as a user uses it. */
export class RequestsDriver {
  readonly #workbench: WorkbenchPage;

  private constructor(workbench: WorkbenchPage) {
    this.#workbench = workbench;
  }

  static async open(workbench: WorkbenchPage): Promise<RequestsDriver> {
    await workbench.runCommand('Parlance: Show Requests');
    const driver = new RequestsDriver(workbench);
    await driver.view.first().waitFor({ timeout: 60_000 });
    return driver;
  }

  get view(): Locator {
    return this.#workbench.page.locator('.part.sidebar .pane-body');
  }

  /** The rows whose screen reader text contains these words. */
  row(words: string | RegExp): Row {
    return treeRow(this.view, words);
  }

  /** Selects from a row's menu, by the path of an entry. */
  async choose(row: Locator, ...path: readonly string[]): Promise<void> {
    await chooseFromMenu(this.#workbench.page, row, ...path);
  }

  /** Presses a button in the view's title, which is visible while it's pointed at. */
  async pressTitleButton(name: string): Promise<void> {
    const { page } = this.#workbench;
    const pane = page.locator('.part.sidebar .pane', { has: page.locator('.pane-header[aria-label*="Requests"]') });
    await pane.hover();
    await pane.getByRole('button', { name }).first().click();
  }

  /** The text of the focused editor, its lines as they're drawn. */
  async editorText(): Promise<string> {
    const lines = await this.#workbench.page.locator('.editor-group-container.active .view-line').allInnerTexts();
    // VS Code draws spaces as no-break spaces.
    return lines.join('\n').replaceAll('\u00a0', ' ');
  }

  /** The page about a request, once it contains these words. */
  async requestPage(words: string | RegExp): Promise<Frame> {
    return waitUntil(`the page about a request with ${words}`, () => this.#pageAbout(words));
  }

  /** The page that compares two replies. Words don't tell it apart: a request's page has them on its buttons. */
  async comparison(): Promise<Frame> {
    return waitUntil('the comparison of two replies', () => this.#pageWith('#parlance-request main:has(.comparison)'));
  }

  async #pageAbout(words: string | RegExp): Promise<Frame | undefined> {
    return this.#pageWith('#parlance-request main:not(:has(.comparison))', words);
  }

  async #pageWith(selector: string, words: string | RegExp = ''): Promise<Frame | undefined> {
    for (const frame of this.#workbench.page.frames()) {
      const shown = frame.locator(selector, { hasText: words });
      if ((await shown.count().catch(() => 0)) > 0) return frame;
    }
    return undefined;
  }

  /** Opens the page about a request with a click on its row, once it contains these words. */
  async openPage(row: Row, words: string | RegExp): Promise<Frame> {
    return clickRow(row, `the page about a request with ${words}, opened by a click`, () => this.#pageAbout(words));
  }

  /** The usage page, once it has drawn something. */
  async usagePage(): Promise<Frame> {
    return waitUntil('the usage page', () => this.#pageWith('#parlance-usage h2, #parlance-usage .note'));
  }
}
