import type { Frame, Locator } from 'playwright-core';
import { QuickInput } from './quickInput.ts';
import { waitUntil } from './waitUntil.ts';
import type { WorkbenchPage } from './workbenchPage.ts';

/** A comparison, as a user uses it. Its frame is gone once it's hidden or reloaded. */
export class CompareDriver {
  readonly frame: Frame;
  readonly #workbench: WorkbenchPage;

  private constructor(workbench: WorkbenchPage, frame: Frame) {
    this.#workbench = workbench;
    this.frame = frame;
  }

  /** @param models by their IDs; absent for those that Parlance selects */
  static async open(workbench: WorkbenchPage, models?: readonly string[]): Promise<CompareDriver> {
    // An earlier comparison stays in view until its tab has closed, or the new one covers it.
    const earlier = workbench.page.frames();
    if (models === undefined) await workbench.runCommand('Parlance: Compare Models…');
    else await workbench.driver.run('parlance.compareModels', { models });
    return CompareDriver.inView(workbench, earlier);
  }

  /** The only comparison in view, in a frame that isn't one of the earlier ones. */
  static async inView(workbench: WorkbenchPage, earlier: readonly Frame[] = []): Promise<CompareDriver> {
    const frame = await waitUntil(
      'a comparison in view',
      async () => {
        for (const each of workbench.page.frames().filter((one) => !earlier.includes(one))) {
          const isThere = each.locator('.compare').isVisible();
          // A comparison that has disappeared isn't in view.
          if (await isThere.catch(() => false)) return each;
        }
        return undefined;
      },
      60_000,
    );
    return new CompareDriver(workbench, frame);
  }

  get message(): Locator {
    return this.frame.getByRole('textbox', { name: 'Message', exact: true });
  }

  get area(): Locator {
    return this.#workbench.page.locator('.part.editor');
  }

  button(name: string | RegExp): Locator {
    return this.frame.getByRole('button', { name });
  }

  /** By the model's name. */
  column(model: string): Locator {
    return this.frame.getByRole('region', { name: model, exact: true });
  }

  row(model: string): Locator {
    return this.frame.locator('.race-row').filter({ hasText: model });
  }

  async models(): Promise<readonly string[]> {
    return this.frame.locator('.column-name').allTextContents();
  }

  async send(text: string): Promise<void> {
    await this.message.fill(text);
    // Enter does nothing until all replies have ended.
    await this.button('Send').waitFor({ timeout: 60_000 });
    await this.message.press('Enter');
  }

  /** Selects from the list that a click opened. */
  async choose(model: string): Promise<void> {
    const list = new QuickInput(this.#workbench.page);
    await list.opened('Select Model');
    await list.box.fill(model);
    await list.choose(model);
  }
}
