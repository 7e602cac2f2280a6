import type { Locator } from 'playwright-core';

/**
 * Clicks something, and says whether its page received the click. A page that is busy with what the click has started
 * answers too late, and another click would do that twice.
 * @param limitMs how long to wait for the target, and for the page's answer
 */
export async function tookClick(target: Locator, limitMs: number): Promise<boolean> {
  const seen = await target
    .evaluateHandle(
      ({ ownerDocument }) => {
        const clicks = { received: false };
        const take = () => void (clicks.received = true);
        // Not on the window: there Playwright stops a click that would hit something else.
        ownerDocument.addEventListener('mouseup', take, { capture: true, once: true });
        return clicks;
      },
      undefined,
      { timeout: limitMs },
    )
    .catch(() => undefined);
  if (seen === undefined) return false;
  try {
    await target.click({ timeout: limitMs });
    return true;
  } catch {
    // A page that is gone has received nothing.
    return await seen.evaluate(({ received }) => received).catch(() => false);
  }
}
