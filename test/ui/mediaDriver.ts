import type { Frame, Locator } from 'playwright-core';
import { waitUntil } from './waitUntil.ts';
import type { WorkbenchPage } from './workbenchPage.ts';

/** A form with its results, or Media, as a user uses it. Its frame is gone once it's hidden or reloaded. */
export class MediaDriver {
  readonly frame: Frame;

  private constructor(frame: Frame) {
    this.frame = frame;
  }

  static async openForm(workbench: WorkbenchPage, command: string): Promise<MediaDriver> {
    await workbench.runCommand(command);
    return MediaDriver.inView(workbench, '.media.studio');
  }

  static async openGallery(workbench: WorkbenchPage): Promise<MediaDriver> {
    await workbench.runCommand('Parlance: Show Media');
    return MediaDriver.inView(workbench, '.media:not(.studio)');
  }

  /** The only page in view with this element. */
  static async inView(workbench: WorkbenchPage, selector: string): Promise<MediaDriver> {
    const frame = await waitUntil(
      `a page with ${selector} in view`,
      async () => {
        for (const each of workbench.page.frames()) {
          // A page that has disappeared isn't in view.
          if (
            await each
              .locator(selector)
              .isVisible()
              .catch(() => false)
          )
            return each;
        }
        return undefined;
      },
      60_000,
    );
    return new MediaDriver(frame);
  }

  field(name: string): Locator {
    return this.frame.getByLabel(name, { exact: true });
  }

  button(name: string): Locator {
    return this.frame.getByRole('button', { name, exact: true });
  }

  get cards(): Locator {
    return this.frame.locator('.card');
  }

  /** The newest card in this state. */
  card(state: 'running' | 'done' | 'stopped' | 'failed' | 'unknown'): Locator {
    return this.frame.locator(`.card[data-state=${state}]`).first();
  }

  /** Fills the fields and presses the button. */
  async generate(fields: Readonly<Record<string, string>>, button = 'Generate Video'): Promise<void> {
    for (const [name, value] of Object.entries(fields)) await this.field(name).fill(value);
    await this.button(button).click();
  }
}

/**
 * Plays the video of a card, muted, until its time has advanced.
 * @returns its length in seconds.
 */
export async function playFilm(card: Locator): Promise<number> {
  const video = card.locator('video');
  await video.waitFor({ timeout: 60_000 });
  await waitUntil("the video's length", () => video.evaluate((each: HTMLVideoElement) => each.readyState >= 1));
  await video.evaluate((each: HTMLVideoElement) => {
    each.muted = true;
    return each.play();
  });
  await waitUntil('a video that moves', () => video.evaluate((each: HTMLVideoElement) => each.currentTime > 0.2));
  return video.evaluate((each: HTMLVideoElement) => each.duration);
}
