import type { Locator, Page } from 'playwright-core';
import { waitUntil } from './waitUntil.ts';

/** VS Code's box at the top of the window, where commands ask for a text or a choice. */
export class QuickInput {
  readonly widget: Locator;
  readonly box: Locator;

  constructor(page: Page) {
    this.widget = page.locator('.quick-input-widget');
    this.box = this.widget.locator('input.input');
  }

  /** Waits for the box with this title. */
  async opened(title: string | RegExp): Promise<void> {
    await this.widget.locator('.quick-input-title', { hasText: title }).waitFor({ timeout: 20_000 });
  }

  async closed(): Promise<void> {
    await this.widget.waitFor({ state: 'hidden', timeout: 20_000 });
  }

  /** Waits until the line below the box says this: the prompt, or what is wrong with the text. */
  async says(words: string | RegExp): Promise<void> {
    await this.widget.locator('#quickInput_message', { hasText: words }).waitFor({ timeout: 20_000 });
  }

  /** A row, by words of its name: label, facts and the line below them. */
  row(words: string | RegExp): Locator {
    return this.widget.getByRole('option', { name: words });
  }

  /** Waits until Enter would take the row with these words. */
  async marked(words: string | RegExp): Promise<void> {
    await this.widget.locator('.monaco-list-row.focused').getByText(words).first().waitFor({ timeout: 20_000 });
  }

  /** Replaces the text in the box and presses Enter. The box may stay open, to say what is wrong with it. */
  async enter(text: string): Promise<void> {
    await this.box.fill(text);
    await this.box.press('Enter');
  }

  /** Sifts the list and takes the first row with these words, once it is the one that Enter takes. */
  async pick(words: string): Promise<void> {
    await this.box.fill(words);
    await this.marked(words);
    await this.box.press('Enter');
    await this.closed();
  }

  /** Gives VS Code's box for files a path. It reads folders in the meantime, and then writes into its own box. */
  async enterPath(path: string): Promise<void> {
    await waitUntil('the path taken', async () => {
      await this.enter(path);
      return this.widget.waitFor({ state: 'hidden', timeout: 2_000 }).then(
        () => true,
        () => false,
      );
    });
  }

  /** One of the buttons that a row shows beside its facts. */
  async pressRowButton(words: string | RegExp, button: string): Promise<void> {
    const row = this.row(words).first();
    await row.hover();
    await row.getByRole('button', { name: button }).click();
  }
}
