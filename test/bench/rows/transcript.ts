import type { Page } from 'playwright-core';
import type { MessageView } from '../../../src/shared/chat.ts';
import { figure, ratios, type RowSet, takeTurns } from '../figure.ts';
import { replyMessage, showConversation, userMessage } from '../page/chatStream.ts';
import { documentOf } from '../page/documentOf.ts';
import { PageBench, traced } from '../page/pageBench.ts';

/** What the host sends for a conversation of any length. */
const sentMessages = 30;

export const transcriptRows: RowSet = {
  name: 'transcript',
  title: 'The page: long conversations',
  method:
    'Conversations of 1,000 and 10,000 messages, every second one a reply of about 120 tokens. Opening draws ' +
    'what the host sends first, the newest 30; plain DOM draws all 10,000 with the same Markdown view into ' +
    'one page. For scrolling and appending, the page has all messages. CPU time of the main thread, from a ' +
    'trace.',
  async run({ rounds, say }) {
    const pages = await PageBench.open(false);
    try {
      say('open');
      const open = await takeTurns(['window', 'plain'] as const, rounds, (name) => openMs(pages, name));
      say('scroll and append');
      const scroll = await takeTurns(['1000', '10000'] as const, rounds, (count) => scrollMs(pages, Number(count)));
      const append = await takeTurns(['1000', '10000'] as const, rounds, (count) => appendMs(pages, Number(count)));
      return [
        figure('10,000 messages: open', open.window, 'ms'),
        figure('10,000 messages: open as plain DOM', open.plain, 'ms'),
        figure('10,000 messages: open ÷ plain DOM', ratios(open.window, open.plain), '×', 0.02),
        figure('1,000 messages: a scrolled frame', scroll['1000'], 'ms'),
        figure('10,000 messages: a scrolled frame', scroll['10000'], 'ms'),
        figure('a scrolled frame, 10,000 ÷ 1,000', ratios(scroll['10000'], scroll['1000']), '×', 1.2),
        figure('1,000 messages: append one', append['1000'], 'ms'),
        figure('10,000 messages: append one', append['10000'], 'ms', 1),
      ];
    } finally {
      await pages.close();
    }
  },
};

function messagesOf(count: number): MessageView[] {
  const text = documentOf(count * 10);
  return Array.from({ length: count }, (_, index) => {
    const part = text.slice((index * 20) % (text.length - 600)).slice(0, index % 2 === 0 ? 80 : 480);
    return index % 2 === 0 ? userMessage(`m${index}`, part) : replyMessage(`m${index}`, part);
  });
}

async function openMs(pages: PageBench, name: 'window' | 'plain'): Promise<number> {
  const messages = messagesOf(10_000);
  const page = name === 'window' ? await pages.openChat('empty') : await pages.openShell();
  try {
    const { totalMs } = await traced(page, () =>
      name === 'window'
        ? showConversation(page, messages.slice(-sentMessages), true)
        : page.evaluate(
            (texts) => window.shell.openAll(texts),
            messages.map(({ text }) => text),
          ),
    );
    return totalMs;
  } finally {
    await page.close();
  }
}

async function openWith(pages: PageBench, count: number): Promise<Page> {
  const page = await pages.openChat('empty');
  await showConversation(page, messagesOf(count));
  return page;
}

async function scrollMs(pages: PageBench, count: number): Promise<number> {
  const page = await openWith(pages, count);
  const frames = 240;
  try {
    const { totalMs } = await traced(page, () =>
      page.evaluate(async (steps) => {
        const log = document.querySelector('[role=log]');
        for (let step = 0; step < steps; step += 1) {
          log?.dispatchEvent(new WheelEvent('wheel', { deltaY: -120 }));
          log?.scrollBy(0, -120);
          await new Promise((resolve) => requestAnimationFrame(resolve));
        }
      }, frames),
    );
    return totalMs / frames;
  } finally {
    await page.close();
  }
}

async function appendMs(pages: PageBench, count: number): Promise<number> {
  const page = await openWith(pages, count);
  try {
    // The page's own work, without the frame that shows it, which is the same for any length.
    return await page.evaluate(async () => {
      const times: number[] = [];
      for (let index = 0; index < 40; index += 1) {
        const before = performance.now();
        window.fakeHost.send({
          type: 'messageAdded',
          message: { role: 'user', id: `new${index}`, at: 0, text: 'One more question' },
        });
        times.push(performance.now() - before);
        await new Promise((resolve) => requestAnimationFrame(resolve));
      }
      return times.toSorted((a, b) => a - b)[20] ?? 0;
    });
  } finally {
    await page.close();
  }
}
