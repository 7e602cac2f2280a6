import type { Locator, Page } from 'playwright-core';
import { clickUntil, clickUntilReceived } from './clickUntil.ts';
import { listRow, type Row } from './row.ts';
import { tryUntil } from './tryUntil.ts';
import { waitUntil } from './waitUntil.ts';

/** VS Code's box at the top of the window, where commands ask for a text or a selection. */
export class QuickInput {
  readonly widget: Locator;
  readonly box: Locator;

  constructor(page: Page) {
    this.widget = page.locator('.quick-input-widget');
    this.box = this.widget.locator('input.input');
  }

  /** Waits for the box with this title. */
  async opened(title: string | RegExp): Promise<void> {
    await this.widget.locator('.quick-input-title', { hasText: title }).waitFor({ timeout: 60_000 });
  }

  async closed(): Promise<void> {
    await this.widget.waitFor({ state: 'hidden', timeout: 60_000 });
  }

  /** Closes it with Escape, wherever the focus is by now. */
  async dismiss(): Promise<void> {
    await this.box.waitFor({ timeout: 60_000 });
    await this.box.press('Escape');
    await this.closed();
  }

  /** Waits until the line below the box shows this: the prompt, or what is wrong with the text. */
  async says(words: string | RegExp): Promise<void> {
    await this.widget.locator('#quickInput_message', { hasText: words }).waitFor({ timeout: 60_000 });
  }

  /** A row, by words in its name: label, facts, and the line below them. */
  row(words: string | RegExp): Row {
    return listRow(this.widget, words);
  }

  /**
   * Clicks the first row with these words, or a later one, and waits until it's gone: the list has closed, or shows
   * what's next. That is sometimes slow, and another click would choose twice, so none is made once a row has got one.
   */
  async choose(words: string | RegExp, index = 0): Promise<void> {
    const row = this.row(words).nth(index);
    await this.widget.waitFor({ timeout: 60_000 });
    const isClicked = await this.#hearClick();
    await clickUntil(
      `the list to take the click on ${words}`,
      (tryClick) => tryClick(row),
      async () => !(await row.isVisible()) || isClicked(),
      1_000,
    );
    await row.waitFor({ state: 'hidden', timeout: 60_000 });
  }

  /** Whether a row gets a click from now on. None does if the list is drawn anew while the mouse button is down. */
  async #hearClick(): Promise<() => Promise<boolean>> {
    const heard = await this.widget.evaluateHandle((widget) => {
      const clicks = { isOnRow: false };
      const hear = ({ target }: Event): void => {
        clicks.isOnRow ||= target instanceof Element && target.closest('.monaco-list-row') !== null;
      };
      widget.addEventListener('click', hear, { capture: true });
      return clicks;
    });
    return () => heard.evaluate(({ isOnRow }) => isOnRow);
  }

  /** Waits until Enter would accept the row with these words. */
  async marked(words: string | RegExp): Promise<void> {
    await this.widget.locator('.monaco-list-row.focused').getByText(words).first().waitFor({ timeout: 60_000 });
  }

  /** Replaces the text in the box and presses Enter. The box might stay open to show what is wrong. */
  async enter(text: string): Promise<void> {
    await this.box.fill(text);
    await this.box.press('Enter');
  }

  /** Filters the list and accepts the first row with these words, once Enter would accept it. */
  async pick(words: string): Promise<void> {
    await this.box.fill(words);
    await this.marked(words);
    await this.box.press('Enter');
    await this.closed();
  }

  /**
   * Types a path into VS Code's file dialog. It reads folders while one types, and then writes into its own box, or
   * ignores Enter.
   */
  async enterPath(path: string): Promise<void> {
    await tryUntil('the path taken', async (limitMs) => {
      const soon = { timeout: limitMs };
      // It might close while it's typed into again.
      await this.box
        .fill(path, soon)
        .then(() => this.box.press('Enter', soon))
        .catch(() => undefined);
      await this.widget.waitFor({ state: 'hidden', ...soon });
      return true;
    });
  }

  /** Saves a file: waits until VS Code's dialog offers this name, and replaces it with a path. */
  async saveAs(offered: RegExp, path: string): Promise<void> {
    await waitUntil('the name that is offered', async () => offered.test(await this.box.inputValue()));
    await this.enterPath(path);
  }

  /** One of a row's buttons. */
  async pressRowButton(words: string | RegExp, button: string): Promise<void> {
    const row = this.row(words).first();
    await clickUntilReceived(`the button "${button}" of a row`, async (tryClick, limitMs) => {
      await row.hover({ timeout: limitMs });
      return tryClick(row.getByRole('button', { name: button }));
    });
  }
}
