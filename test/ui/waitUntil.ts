import { setTimeout as pause } from 'node:timers/promises';

/**
 * Asks again until the answer is neither false nor undefined, and returns it. VS Code replaces the frame of a webview
 * when it's reloaded, moved, or restored, so a frame that is detached while it's asked only means: not yet.
 * @throws {Error} naming `what` if that doesn't happen within `limitMs`.
 */
export async function waitUntil<T>(
  what: string,
  ask: () => Promise<T | false | undefined> | T | false | undefined,
  limitMs = 60_000,
): Promise<T> {
  const end = performance.now() + limitMs;
  for (;;) {
    let detached: unknown;
    try {
      const answer = await ask();
      if (answer !== false && answer !== undefined) return answer;
    } catch (error) {
      if (!isDetached(error)) throw error;
      detached = error;
    }
    if (performance.now() > end) throw new Error(`Waited ${limitMs / 1000} s for ${what}`, { cause: detached });
    await pause(30);
  }
}

function isDetached(error: unknown): boolean {
  return error instanceof Error && /frame (was|has been|got) detached/i.test(error.message);
}
