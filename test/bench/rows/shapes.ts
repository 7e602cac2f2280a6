import { figure, type Figure, median, ratios, type RowSet, takeTurns } from '../figure.ts';
import { charactersPerToken, documentOf, type Shape } from '../page/documentOf.ts';
import { PageBench, traced } from '../page/pageBench.ts';

const tokens = 10_000;
const goals = { fence: 0.3, list: 0.6, table: 1 } satisfies Partial<Record<Shape, number>>;
const shapes = ['fence', 'list', 'table'] as const;
const highlighters = ['parlance', 'highlight.js'] as const;
const writtenParts = ['codeParts', 'mathParts'] as const;
const partsTokens = { before: 2000, more: 600 };
const linesBefore = 200;
const linesMore = 100;

export const shapeRows: RowSet = {
  name: 'shapes',
  title: 'The page: one block of 10k tokens',
  method:
    'A reply that is one code fence (highlighted), one list, or one table grows by two tokens per frame ' +
    "beyond 10k tokens: the mean of 300 render calls by the page's clock, and the 99th percentile. Then a " +
    `block of ${linesBefore} lines of TypeScript grows by ${linesMore}, a line per frame, highlighted as it ` +
    "grows, beside highlight.js on the whole block: CPU time of the page's main thread, from a trace. Then a " +
    'reply of 2k tokens grows by 600, in paragraphs with four-line code or formulas between them: CPU time ' +
    'per frame, including all typesetting.',
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
      say('a growing block of code');
      const growing = await takeTurns(highlighters, rounds, (name) => growingLineMs(pages, name));
      const block = 'a growing block of code, a line:';
      const colored = [
        figure(`${block} Parlance`, growing.parlance, 'ms'),
        figure(`${block} highlight.js`, growing['highlight.js'], 'ms'),
        figure(`${block} Parlance ÷ highlight.js`, ratios(growing.parlance, growing['highlight.js']), '×'),
      ];
      say('paragraphs with code, and with formulas');
      const parts = await takeTurns(writtenParts, rounds, (shape) => partsFrameMs(pages, shape));
      const math = [
        figure('paragraphs with code: a frame', parts.codeParts, 'ms'),
        figure('paragraphs with formulas: a frame', parts.mathParts, 'ms'),
        figure('formulas ÷ code: a frame', ratios(parts.mathParts, parts.codeParts), '×', 1),
      ];
      const each = shapes.flatMap((shape): Figure[] => [
        figure(`one ${shape} of 10k tokens: a render`, means[shape], 'ms', goals[shape]),
        figure(`one ${shape} of 10k tokens: p99 of its renders`, [median(worst[shape] ?? [])], 'ms'),
      ]);
      return [...each, ...colored, ...math];
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

async function growingLineMs(pages: PageBench, name: (typeof highlighters)[number]): Promise<number> {
  const [fence = '', ...lines] = documentOf((linesBefore + linesMore) * 40, 'fence').split(/(?<=\n)/);
  const start = fence + lines.slice(0, linesBefore).join('');
  const pieces = lines.slice(linesBefore, linesBefore + linesMore);
  const page = await pages.openShell();
  try {
    await page.evaluate((chosen) => window.shell.open(chosen), name);
    await page.evaluate((sent) => window.shell.fill(sent), start);
    const { totalMs, result } = await traced(page, () =>
      page.evaluate((sent) => window.shell.stream(sent, 20_000), pieces),
    );
    const { chars = 0 } = await page.evaluate(() => window.shell.census());
    if (chars < start.length + pieces.join('').length - 100) throw new Error(`${name} did not draw the code`);
    return totalMs / result.frames;
  } finally {
    await page.close();
  }
}

/** Everything that a reply costs while it grows, until it reaches its final look. */
async function partsFrameMs(pages: PageBench, shape: (typeof writtenParts)[number]): Promise<number> {
  const text = documentOf(partsTokens.before + partsTokens.more, shape);
  const start = text.slice(0, partsTokens.before * charactersPerToken);
  const pieces = text.slice(start.length).match(/[^]{1,8}/g) ?? [];
  const page = await pages.openShell();
  const settle = () =>
    page.evaluate(async () => {
      while ((window.shell.census()['untypeset'] ?? 0) > 1) await new Promise((resolve) => setTimeout(resolve, 20));
    });
  try {
    await page.evaluate(() => window.shell.open('parlance'));
    await page.evaluate((sent) => window.shell.fill(sent), start);
    await settle();
    const { totalMs, result } = await traced(page, async () => {
      const streamed = await page.evaluate((sent) => window.shell.stream(sent, 20_000), pieces);
      await settle();
      return streamed;
    });
    const { formulas = 0, code = 0 } = await page.evaluate(() => window.shell.census());
    if ((shape === 'mathParts' ? formulas : code) < 10) throw new Error(`The ${shape} were not drawn`);
    return totalMs / result.frames;
  } finally {
    await page.close();
  }
}
