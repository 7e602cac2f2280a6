import { figure, type RowSet } from '../figure.ts';
import { growReply, replyMessage, settled, showConversation, userMessage } from '../page/chatStream.ts';
import { documentOf } from '../page/documentOf.ts';
import { PageBench, traced } from '../page/pageBench.ts';

export const frameRows: RowSet = {
  name: 'frames',
  title: 'The page: frames',
  method:
    'The real chat page at 60 frames per second. Paced: two tokens per frame for ten seconds, starting at 10k ' +
    'tokens. Flood: 10k tokens in messages of 4 KB, one per frame. Tasks and frames are CPU time of the main ' +
    'thread, from a trace. Late frames are counted by the clock, beside those of the same page with nothing ' +
    "to draw, to show which ones are the machine's own.",
  async run({ rounds, say }) {
    const pages = await PageBench.open(false);
    const text = documentOf(11_200);
    const start = text.slice(0, 40_000);
    const values: Record<'late' | 'lateIdle' | 'frame' | 'task' | 'floodTask' | 'floodFrame' | 'heap', number[]> = {
      late: [],
      lateIdle: [],
      frame: [],
      task: [],
      floodTask: [],
      floodFrame: [],
      heap: [],
    };
    const lateShare = (gaps: readonly number[]): number =>
      (gaps.filter((gap) => gap > 20).length / Math.max(1, gaps.length)) * 100;
    try {
      for (let round = 0; round < rounds; round += 1) {
        say(`round ${round + 1}`);
        const page = await pages.openChat('empty');
        await showConversation(page, [userMessage('u', 'Hello'), replyMessage('r', start, 'running')]);
        const pieces = text.slice(start.length).match(/[^]{1,8}/g) ?? [];
        values.lateIdle.push(
          lateShare(
            await growReply(
              page,
              'none',
              0,
              Array.from({ length: 300 }, () => ''),
            ),
          ),
        );
        const paced = await traced(page, () => growReply(page, 'r', start.length, pieces));
        values.late.push(lateShare(paced.result));
        values.frame.push(paced.longestFrameMs);
        values.task.push(paced.longestMs);
        await page.close();

        const flooded = await pages.openChat('empty');
        await showConversation(flooded, [userMessage('u', 'Hello'), replyMessage('r', '', 'running')]);
        const flood = await traced(flooded, async () => {
          await growReply(flooded, 'r', 0, start.match(/[^]{1,4000}/g) ?? []);
          await settled(flooded);
        });
        values.floodTask.push(flood.longestMs);
        values.floodFrame.push(flood.longestFrameMs);
        const session = await flooded.context().newCDPSession(flooded);
        await session.send('HeapProfiler.collectGarbage');
        const { usedSize } = await session.send('Runtime.getHeapUsage');
        values.heap.push(usedSize / 2 ** 20);
        await flooded.close();
      }
      return [
        figure('paced: longest render call', values.frame, 'ms', 8),
        figure('paced: longest task', values.task, 'ms'),
        figure('paced: frames later than 20 ms', values.late, '%', 0),
        figure('nothing to draw: frames later than 20 ms', values.lateIdle, '%'),
        figure('flood: longest task', values.floodTask, 'ms', 16),
        figure('flood: longest render call', values.floodFrame, 'ms'),
        figure('heap after 10k tokens', values.heap, 'MB'),
      ];
    } finally {
      await pages.close();
    }
  },
};
