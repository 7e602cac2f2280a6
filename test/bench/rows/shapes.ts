import { figure, type Figure, median, type RowSet, takeTurns } from '../figure.ts';
import { charactersPerToken, documentOf, type Shape } from '../page/documentOf.ts';
import { PageBench } from '../page/pageBench.ts';

const tokens = 10_000;
const goals = { fence: 0.3, list: 0.6, table: 1 } satisfies Partial<Record<Shape, number>>;
const shapes = ['fence', 'list', 'table'] as const;

export const shapeRows: RowSet = {
  name: 'shapes',
  title: 'The page: one block of 10k tokens',
  method:
    'A reply that is one code fence (highlighted), one list or one table grows by two tokens a frame beyond 10k tokens: ' +
    'the mean of 300 render calls, by the page’s clock, and the 99th of a hundred.',
  async run({ rounds, say }) {
    const pages = await PageBench.open(true);
    try {
      const worst: Record<string, number[]> = {};
      say(shapes.join(', '));
      const means = await takeTurns(shapes, rounds, async (shape) => {
        const calls = await callsMs(pages, shape);
        (worst[shape] ??= []).push(calls.toSorted((a, b) => a - b)[Math.floor(calls.length * 0.99)] ?? 0);
        return calls.reduce((sum, each) => sum + each, 0) / calls.length;
      });
      return shapes.flatMap((shape): Figure[] => [
        figure(`one ${shape} of 10k tokens: a render`, means[shape], 'ms', goals[shape]),
        figure(`one ${shape} of 10k tokens: the 99th of a hundred renders`, [median(worst[shape] ?? [])], 'ms'),
      ]);
    } finally {
      await pages.close();
    }
  },
};

async function callsMs(pages: PageBench, shape: Shape): Promise<readonly number[]> {
  const text = documentOf(tokens + 600, shape);
  const start = text.slice(0, tokens * charactersPerToken);
  const pieces = text.slice(start.length).match(/[^]{1,8}/g) ?? [];
  const page = await pages.openShell();
  try {
    await page.evaluate(() => window.shell.open('parlance'));
    await page.evaluate((sent) => window.shell.fill(sent), start);
    const result = await page.evaluate((sent) => window.shell.stream(sent, 10_000), pieces);
    return result.callsMs;
  } finally {
    await page.close();
  }
}
