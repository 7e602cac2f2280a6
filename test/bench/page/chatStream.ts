import type { Page } from 'playwright-core';
import type { MessageView, ReplyView, UserMessageView } from '../../../src/shared/chat.ts';
import type { ChatSnapshot } from '../../../src/shared/protocol/chatProtocol.ts';

const model = 'bench/model';

export function userMessage(id: string, text: string): UserMessageView {
  return { role: 'user', id, at: 0, text };
}

export function replyMessage(id: string, text: string, state: ReplyView['state'] = 'done'): ReplyView {
  return { role: 'assistant', id, at: Date.now(), model, text, reasoning: '', state, metrics: {} };
}

export async function showConversation(page: Page, messages: readonly MessageView[], hasOlder = false): Promise<void> {
  const snapshot: ChatSnapshot = {
    conversationId: 'bench',
    title: 'Bench',
    messages,
    hasOlder,
    options: { model },
    defaults: { stream: true },
    draft: '',
    connection: { state: 'ready', host: 'inference.example' },
    suggestions: [],
    attachments: { items: [], conversationTokens: 0, maxPictureEdge: 0, folder: '' },
  };
  await page.evaluate((sent) => window.fakeHost.send({ type: 'snapshot', snapshot: sent }), snapshot);
  await settled(page);
}

/** Waits until the page has been unchanged for half a second. */
export async function settled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const log = document.querySelector('[role=log]');
    const length = (): number => (log?.textContent.length ?? 0) + (log?.querySelectorAll('*').length ?? 0);
    for (let last = -1, same = 0; same < 5;) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      same = length() === last ? same + 1 : 0;
      last = length();
    }
  });
}

/** The work of a frame: a message that makes the reply grow, the same message with plain text, or nothing. */
export type Growth = 'markdown' | 'plain' | 'nothing';

/** Lets the last reply grow by one piece per frame. Returns the times between frames, in milliseconds. */
export async function growReply(
  page: Page,
  replyId: string,
  offset: number,
  pieces: readonly string[],
  growth: Growth = 'markdown',
): Promise<number[]> {
  return page.evaluate(
    async ({ id, from, texts, how }) => {
      const frame = (): Promise<number> => new Promise((resolve) => requestAnimationFrame(resolve));
      const log = document.querySelector('[role=log]');
      const answer = [...(log?.querySelectorAll('.reply .answer') ?? [])].at(-1);
      let section: HTMLElement | undefined;
      let sectionChars = 0;
      const addPlain = (text: string): void => {
        if (section === undefined || sectionChars > 4000) {
          section = document.createElement('div');
          Object.assign(section.style, { whiteSpace: 'pre-wrap', overflowWrap: 'anywhere', contain: 'content' });
          answer?.append(section);
          sectionChars = 0;
        }
        section.append(text);
        sectionChars += text.length;
        if (log !== null) log.scrollTop = log.scrollHeight;
      };
      const gapsMs: number[] = [];
      let at = from;
      let last = await frame();
      for (const text of texts) {
        // A missing reply takes the same path through the page but draws nothing.
        const replyTo = how === 'markdown' ? id : 'none';
        if (how !== 'nothing') {
          window.fakeHost.send({ type: 'replyGrew', replyId: replyTo, part: 'text', offset: at, text });
        }
        if (how === 'plain') addPlain(text);
        at += text.length;
        const now = await frame();
        gapsMs.push(now - last);
        last = now;
      }
      await frame();
      return gapsMs;
    },
    { id: replyId, from: offset, texts: pieces, how: growth },
  );
}

/** Fills the last reply with plain text, one frame per 4,000 characters. */
export async function fillPlain(page: Page, text: string): Promise<void> {
  await growReply(page, 'none', 0, text.match(/[^]{1,4000}/g) ?? [], 'plain');
}
