import type { Locator } from 'playwright-core';
import { attempts, inTime, tryUntil } from './tryUntil.ts';
import { waitUntil } from './waitUntil.ts';

// VS Code's own UI loses clicks. Only this file knows that, and why:
//
// - A tree or a list draws its rows anew when something in them changes. Between the mouse button's down and up, that
//   leaves no element that gets the click. A row that is pointed at loses its icons.
// - A list that is being filled or filtered moves its rows. The click lands on the one that has taken the place, or
//   between two.
// - The menu of a row isn't opened, or is closed again, if its tree is drawn anew at that moment. One that has just
//   opened ignores clicks.
// - A message slides in, is moved by the next one, and is hidden after a while. The Command Palette closes and opens.
//   Before the click, they're no longer where they were.
//
// A click isn't simply made again, because a page that is busy with what it has started answers too late, and then that
// would be started twice.

interface ClickOptions {
  readonly button?: 'right';
  readonly modifiers?: 'ControlOrMeta'[];
}

/** Clicks once, and says whether the page has received it. False also if there's nothing to click yet. */
export type TryClick = (target: Locator, options?: ClickOptions) => Promise<boolean>;

/** Brings the target into view, and clicks it. What it has to wait for on the way has `limitMs`, too. */
export type Attempt<Answer> = (tryClick: TryClick, limitMs: number) => Promise<Answer>;

/**
 * Clicks until VS Code has taken it, for what may be done twice: selecting a row, opening a menu or a page.
 * @param what for the error
 * @param attempt is made again if it returns false, and after `takenMs`
 * @param taken what shows that the click was taken. It's asked again and again, before another attempt too
 * @param takenMs when to make another attempt: nothing tells that a click was lost
 */
export async function clickUntil<Taken>(
  what: string,
  attempt: Attempt<boolean>,
  taken: () => Promise<Taken | false | undefined>,
  takenMs = 5_000,
): Promise<Taken> {
  const next = attempts((limitMs) => attempt(clicker(limitMs), limitMs));
  let isReceived = false;
  let againAtMs = 0;
  return waitUntil(what, async () => {
    const answer = isReceived ? await inTime(taken) : undefined;
    if (answer !== undefined && answer !== false) return answer;
    if (isReceived && performance.now() < againAtMs) return undefined;
    if ((await next()) !== true) return undefined;
    isReceived = true;
    againAtMs = performance.now() + takenMs;
    return undefined;
  });
}

/**
 * Clicks until the page has received it, for what must not be done twice: running a command, answering a message.
 * @param attempt returns {@link TryClick}'s answer, or something in place of true
 */
export function clickUntilReceived<Answer>(
  what: string,
  attempt: Attempt<Answer | false | undefined>,
): Promise<Answer> {
  return tryUntil(what, (limitMs) => attempt(clicker(limitMs), limitMs));
}

/** @param limitMs how long a click waits for its target, and for the page's answer */
function clicker(limitMs: number): TryClick {
  return (target, how) => clickOnce(target, limitMs, how);
}

async function clickOnce(target: Locator, limitMs: number, how: ClickOptions = {}): Promise<boolean> {
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
    await target.click({ ...how, timeout: limitMs });
    return true;
  } catch {
    // A page that is gone has received nothing.
    return await seen.evaluate(({ received }) => received).catch(() => false);
  }
}
