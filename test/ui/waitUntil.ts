import { setTimeout as pause } from 'node:timers/promises';

/**
 * Asks again until the answer is neither false nor undefined, and returns it.
 * @throws {Error} naming `what` if that doesn't happen within `limitMs`.
 */
export async function waitUntil<T>(
  what: string,
  ask: () => Promise<T | false | undefined> | T | false | undefined,
  limitMs = 20_000,
): Promise<T> {
  const end = performance.now() + limitMs;
  for (;;) {
    const answer = await ask();
    if (answer !== false && answer !== undefined) return answer;
    if (performance.now() > end) throw new Error(`Waited ${limitMs / 1000} s for ${what}`);
    await pause(30);
  }
}
