import type { Locator } from 'playwright-core';

/**
 * Waits until the page has drawn everything in here. It draws piece by piece, in animation frames: a chart once its width
 * is known, a text even after its reply has ended.
 */
export async function drawn(place: Locator): Promise<void> {
  await place.evaluate(
    (element, { quietFrames, hiddenMs }) =>
      new Promise<void>((resolve) => {
        let quiet = 0;
        const watching = new MutationObserver(() => (quiet = 0));
        const end = (): void => {
          watching.disconnect();
          resolve();
        };
        // A page that nobody sees has no frames, so it draws nothing.
        let hidden = setTimeout(end, hiddenMs);
        const frame = (): void => {
          clearTimeout(hidden);
          quiet += 1;
          if (quiet > quietFrames) return end();
          hidden = setTimeout(end, hiddenMs);
          requestAnimationFrame(frame);
        };
        watching.observe(element, { childList: true, characterData: true, subtree: true });
        requestAnimationFrame(frame);
      }),
    { quietFrames: 3, hiddenMs: 2_000 },
  );
}
