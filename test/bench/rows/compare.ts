import type { Page } from 'playwright-core';
import type { CompareReplyView, CompareSnapshot } from '../../../src/shared/protocol/compareProtocol.ts';
import { figure, type RowSet } from '../figure.ts';
import { growReply, replyMessage, settled, showConversation, userMessage } from '../page/chatStream.ts';
import { charactersPerToken, documentOf } from '../page/documentOf.ts';
import { PageBench, traced } from '../page/pageBench.ts';

const columnCount = 4;
const tokensPerSecond = 200;
const framesPerSecond = 60;
const seconds = 10;
const model = 'bench/model';

export const compareRows: RowSet = {
  name: 'compare',
  title: 'The comparison page: four columns at 200 tokens per second each',
  method:
    'The real comparison page, 1,400 pixels wide, at 60 frames per second. For ten seconds, each of four ' +
    'columns grows by a sixtieth of 200 tokens of Markdown per frame, with the race above them. Tasks are CPU ' +
    'time of the main thread, from a trace. Late frames are counted by the clock, beside those of the same ' +
    'page with nothing to draw. The heap is read after a garbage collection, beside that of a chat page with ' +
    'one such reply.',
  async run({ rounds, say }) {
    const pages = await PageBench.open(false);
    const length = Math.round((tokensPerSecond / framesPerSecond) * charactersPerToken);
    const text = documentOf(Math.ceil(tokensPerSecond * seconds * 1.1)).slice(0, length * framesPerSecond * seconds);
    const pieces = text.match(new RegExp(`[^]{1,${length}}`, 'g')) ?? [];
    const values: Record<'late' | 'lateIdle' | 'task' | 'frame' | 'heap' | 'chatHeap', number[]> = {
      late: [],
      lateIdle: [],
      task: [],
      frame: [],
      heap: [],
      chatHeap: [],
    };
    try {
      for (let round = 0; round < rounds; round += 1) {
        say(`round ${round + 1}`);
        const page = await pages.openCompare('empty');
        await page.evaluate((snapshot) => window.compareHost.send({ type: 'snapshot', snapshot }), fourColumns());
        const idle = pieces.slice(0, framesPerSecond * 5).map(() => '');
        values.lateIdle.push(lateShare(await growColumns(page, idle)));
        const paced = await traced(page, () => growColumns(page, pieces));
        values.late.push(lateShare(paced.result));
        values.task.push(paced.longestMs);
        values.frame.push(paced.longestFrameMs);
        values.heap.push(await heapOf(page));
        await page.close();
        const chat = await pages.openChat('empty');
        await showConversation(chat, [userMessage('u', 'Hello'), replyMessage('r', '', 'running')]);
        await growReply(chat, 'r', 0, pieces);
        await settled(chat);
        values.chatHeap.push(await heapOf(chat));
        await chat.close();
      }
      const ratio = values.heap.map((heap, round) => heap / (values.chatHeap[round] ?? Number.NaN));
      const more = values.late.map((late, round) => late - (values.lateIdle[round] ?? 0));
      return [
        figure('longest task', values.task, 'ms', 16),
        figure('longest render call', values.frame, 'ms'),
        figure('frames later than 20 ms', values.late, '%'),
        figure('nothing to draw: frames later than 20 ms', values.lateIdle, '%'),
        figure('late frames above those of an idle page', more, '%', 0),
        figure('heap', values.heap, 'MB'),
        figure('heap of a chat with one such reply', values.chatHeap, 'MB'),
        figure('heap ÷ that of a chat', ratio, '×', 2),
      ];
    } finally {
      await pages.close();
    }
  },
};

function fourColumns(): CompareSnapshot {
  const ids = Array.from({ length: columnCount }, (_, index) => `c${index}`);
  const reply = (columnId: string): CompareReplyView => ({
    role: 'assistant',
    id: `r-${columnId}`,
    columnId,
    turnId: 't',
    at: Date.now(),
    model: `${model}-${columnId}`,
    text: '',
    reasoning: '',
    state: 'running',
    metrics: {},
  });
  return {
    comparisonId: '8f1a4c6e-5d0b-4c3f-9a53-1f6d8a1c7e20',
    title: 'Hello',
    columns: ids.map((id) => ({ id, model: `${model}-${id}`, place: '', options: {}, defaults: {} })),
    turns: [{ id: 't', text: 'Hello', attachments: [], order: 'allAtOnce', columns: ids }],
    replies: ids.map(reply),
    setup: { options: {}, order: 'allAtOnce', isBlind: false },
    defaults: { stream: true },
    blindStage: 'off',
    tags: { last: '', known: [] },
    draft: '',
    estimate: {},
    attachments: { items: [], conversationTokens: 0, maxPictureEdge: 0, folder: '' },
    notes: [],
  };
}

/** Lets each column grow by one piece a frame, as the host sends it; the time between frames, in milliseconds. */
function growColumns(page: Page, pieces: readonly string[]): Promise<number[]> {
  return page.evaluate(
    async ({ texts, count }) => {
      const frame = (): Promise<number> => new Promise((resolve) => requestAnimationFrame(resolve));
      const gapsMs: number[] = [];
      let offset = 0;
      let last = await frame();
      for (const text of texts) {
        const grown = text === '' ? 0 : count;
        for (let column = 0; column < grown; column += 1) {
          const replyId = `r-c${column}`;
          window.compareHost.send({ type: 'replyGrew', replyId, part: 'text', offset, text, pieces: 3 });
        }
        offset += text.length;
        const now = await frame();
        gapsMs.push(now - last);
        last = now;
      }
      await frame();
      return gapsMs;
    },
    { texts: pieces, count: columnCount },
  );
}

function lateShare(gaps: readonly number[]): number {
  return (gaps.filter((gap) => gap > 20).length / Math.max(1, gaps.length)) * 100;
}

/** In MB, after garbage collection. */
async function heapOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  return usedSize / 2 ** 20;
}
