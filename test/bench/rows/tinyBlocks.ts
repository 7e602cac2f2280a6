import { figure, type Figure, type RowSet } from '../figure.ts';
import { growReply, replyMessage, settled, showConversation, userMessage } from '../page/chatStream.ts';
import { PageBench, traced } from '../page/pageBench.ts';

/** 240 to 600 KB each. */
const texts: Readonly<Record<string, string>> = {
  '100k headings': '# a\n'.repeat(100_000),
  '50k checkboxes': '- [ ] a\n'.repeat(50_000),
  '30k rows': `| a | b |\n|---|---|\n${'| c | d |\n'.repeat(30_000)}`,
};

export const tinyBlockRows: RowSet = {
  name: 'tiny-blocks',
  title: 'The page: hostile replies of tiny blocks',
  method:
    'The real chat page at 60 frames per second draws a reply of nothing but tiny blocks, in messages of 4 KB, one per ' +
    'frame. Tasks are CPU time of the main thread, from a trace.',
  async run({ rounds, say }) {
    const pages = await PageBench.open(false);
    const figures: Figure[] = [];
    try {
      for (const [name, text] of Object.entries(texts)) {
        const longest: number[] = [];
        const total: number[] = [];
        for (let round = 0; round < rounds; round += 1) {
          say(`${name}, round ${round + 1}`);
          const page = await pages.openChat('empty');
          await showConversation(page, [userMessage('u', 'Hello'), replyMessage('r', '', 'running')]);
          const { longestMs, totalMs } = await traced(page, async () => {
            await growReply(page, 'r', 0, text.match(/[^]{1,4000}/g) ?? []);
            await settled(page);
          });
          longest.push(longestMs);
          total.push(totalMs / 1000);
          await page.close();
        }
        figures.push(figure(`${name}: longest task`, longest, 'ms', 50), figure(`${name}: all tasks`, total, 's'));
      }
      return figures;
    } finally {
      await pages.close();
    }
  },
};
