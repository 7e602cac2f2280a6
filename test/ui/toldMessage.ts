import { errors, type Frame, type Locator, type Page } from 'playwright-core';
import type { HostDriver } from '../workbench/hostDriver.ts';
import { clickUntilReceived } from './clickUntil.ts';
import { waitUntil } from './waitUntil.ts';

/** About as long as VS Code shows a notification. */
const hiddenAfterMs = 10_000;

/** A message to the user: in a chat or a comparison that's in view, otherwise VS Code's notification. */
export class ToldMessage {
  readonly #page: Page;
  readonly #frames: () => Promise<readonly Frame[]>;
  readonly #driver: Pick<HostDriver, 'run'>;
  readonly #text: string | RegExp;

  /** @param driver for VS Code's list of notifications: it shows no fourth toast within 800 ms of the first */
  constructor(
    page: Page,
    frames: () => Promise<readonly Frame[]>,
    driver: Pick<HostDriver, 'run'>,
    text: string | RegExp,
  ) {
    this.#page = page;
    this.#frames = frames;
    this.#driver = driver;
    this.#text = text;
  }

  /** Where it can be seen now, if it can. */
  async find(): Promise<Locator | undefined> {
    const shown = await this.#frames();
    const places = [
      // The newest is the last one.
      ...shown.map((frame) => frame.locator('.note').filter({ hasText: this.#text }).last()),
      this.#page.locator('.notification-list-item').filter({ hasText: this.#text }).first(),
    ];
    for (const place of places) if (await place.isVisible().catch(() => false)) return place;
    return undefined;
  }

  /** Whether it can be seen now. Tests assert this: Node takes minutes and gigabytes to print a locator. */
  async isShown(): Promise<boolean> {
    return (await this.find()) !== undefined;
  }

  /** @param limitMs how long to wait for it */
  async shown(limitMs = 60_000): Promise<Locator> {
    return waitUntil(`the message ${String(this.#text)}`, this.#finder(), limitMs);
  }

  /**
   * Finds it where it can be seen, and later in VS Code's list too. VS Code hides a notification after about ten seconds,
   * which a busy machine can spend on opening the chat that the test waits for first.
   */
  #finder(): () => Promise<Locator | undefined> {
    const started = performance.now();
    return async () => {
      const shown = await this.find();
      const isLate = performance.now() - started > hiddenAfterMs;
      if (shown !== undefined || !isLate) return shown;
      await this.#driver.run('notifications.showList');
      return this.find();
    };
  }

  async dismiss(): Promise<void> {
    const shown = await this.shown();
    const dismiss = shown.getByRole('button', { name: 'Dismiss' });
    if ((await dismiss.count()) > 0) await dismiss.click();
    else await this.#driver.run('notifications.clearAll');
    await this.gone();
  }

  async gone(): Promise<void> {
    await waitUntil(`the end of the message ${String(this.#text)}`, async () => !(await this.isShown()));
  }

  async innerText(): Promise<string> {
    return (await this.shown()).innerText();
  }

  /**
   * Presses one of its buttons, and resolves once the message has been taken away: the same message might come again,
   * and a click on the old one would do nothing. It might be redrawn first, or be only in VS Code's list.
   */
  async press(button: string): Promise<void> {
    const find = this.#finder();
    const what = `the message ${String(this.#text)} with the button ${button}`;
    const pressed = await clickUntilReceived(what, async (tryClick, limitMs) => {
      const shown = await find();
      if (shown === undefined) {
        if ((await this.#frames()).length === 0) await this.#driver.run('notifications.showList');
        return undefined;
      }
      const place = shown.getByRole('button', { name: button });
      const element = await place.elementHandle({ timeout: limitMs });
      return (await tryClick(place)) && element;
    });
    // Not the message itself: VS Code's list uses its rows for other messages too, each with new buttons.
    await pressed.waitForElementState('hidden').catch((error: unknown) => {
      // A page that is gone has taken the message along.
      if (error instanceof errors.TimeoutError) throw error;
    });
  }
}
