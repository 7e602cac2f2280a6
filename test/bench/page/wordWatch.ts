import type { Frame, Page } from 'playwright-core';

declare global {
  interface Window {
    /** When each word of the watched reply first appeared on the page, in milliseconds since 1970. */
    seenAt: number[];
    wordWatch?: MutationObserver;
  }
}

/** Records from now on when each word of a reply appears in the last element that `answers` selects. */
export async function watchWords(frame: Frame | Page, root: string, answers: string, reply: number): Promise<void> {
  await frame.evaluate(
    ({ rootSelector, answerSelector, number }) => {
      const container = document.querySelector(rootSelector);
      if (container === null) throw new Error(`Nothing is ${rootSelector}`);
      const word = new RegExp(`r${number}w(\\d+)\\.`, 'g');
      window.seenAt = [];
      window.wordWatch?.disconnect();
      window.wordWatch = new MutationObserver(() => {
        const answer = [...container.querySelectorAll(answerSelector)].at(-1);
        const last = [...(answer?.textContent.slice(-400) ?? '').matchAll(word)].at(-1)?.[1];
        if (last === undefined) return;
        const now = performance.timeOrigin + performance.now();
        while (window.seenAt.length <= Number(last)) window.seenAt.push(now);
      });
      window.wordWatch.observe(container, { subtree: true, childList: true, characterData: true });
    },
    { rootSelector: root, answerSelector: answers, number: reply },
  );
}

export function wordsSeen(frame: Frame | Page): Promise<readonly number[]> {
  return frame.evaluate(() => window.seenAt);
}
