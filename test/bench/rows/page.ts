import { type BenchRun, figure, type Figure, ratios, type RowSet, takeTurns } from '../figure.ts';
import { fillPlain, type Growth, growReply, replyMessage, showConversation, userMessage } from '../page/chatStream.ts';
import { charactersPerToken, documentOf } from '../page/documentOf.ts';
import { PageBench, traced } from '../page/pageBench.ts';

const lengths = [2000, 10_000, 50_000] as const;
/** One of everything that the document repeats. */
const windowTokens = 1000;
/** 120 tokens per second, in frames of 1/60 s. */
const charactersPerFrame = 2 * charactersPerToken;
/** Stop here: a renderer that needs seconds for a few frames has shown enough. */
const limitMs = 800;

const labels = {
  idle: 'an idle page',
  plain: 'plain text',
  chatIdle: 'the chat page, idle',
  chatPlain: 'the chat page, its reply as plain text',
  chat: 'Parlance, the whole chat page',
  parlance: 'Parlance, its Markdown view',
  unstyled: 'Parlance, its Markdown view, code without a grammar',
  'streaming-markdown': 'streaming-markdown',
  streamdown: 'streamdown',
  'memoized-blocks': 'lexed blocks, memoized react-markdown',
  'react-markdown': 'react-markdown',
  'markdown-it': 'markdown-it',
  'marked + DOMPurify': 'marked + DOMPurify',
} as const;
type Name = keyof typeof labels;
const names = Object.keys(labels) as Name[];
const peers = names.slice(7);
/** The frame without drawing, and the least that can be drawn, in the same surroundings. */
const idleOf = (name: Name): Name => (name.startsWith('chat') ? 'chatIdle' : 'idle');
const floorOf = (name: Name): Name => (name === 'chat' ? 'chatPlain' : 'plain');
const drawn = names.filter((name) => name !== 'idle' && name !== 'chatIdle');
const measuredAgainstFloor = drawn.filter((name) => name !== 'plain' && name !== 'chatPlain');

export const pageRows: RowSet = {
  name: 'page',
  title: 'The page: a reply that grows',
  method:
    'A reply of headings, paragraphs, lists, tables, quotes, and TypeScript grows by two tokens per frame, or ' +
    `120 per second, in Chromium, for ${windowTokens} tokens from each length on. Only CPU time counts: all ` +
    "tasks of the page's main thread, from a trace (script, style, layout, and paint together), minus that of " +
    'the same frames with nothing to draw. A whole reply is the sum over its length, with straight lines ' +
    'between the measured lengths. The floor is plain text in sections; for the whole chat page, the floor ' +
    'has the same messages from the host and the same page around it.',
  async run(bench) {
    const pages = await PageBench.open(true);
    try {
      return await measure(pages, bench);
    } finally {
      await pages.close();
    }
  },
};

async function measure(pages: PageBench, { rounds, say }: BenchRun): Promise<Figure[]> {
  const perFrame = new Map<number, Record<Name, number[]>>();
  for (const tokens of lengths) {
    say(`${tokens / 1000}k tokens`);
    perFrame.set(tokens, await takeTurns(names, rounds, (name) => frameMs(pages, name, tokens)));
  }
  const net = (name: Name, tokens: number): number[] => {
    const frames = perFrame.get(tokens);
    return (frames?.[name] ?? []).map((ms, round) => ms - (frames?.[idleOf(name)][round] ?? 0));
  };
  /** Milliseconds for a whole reply of this length, by round. */
  const whole = (name: Name, upTo: number): number[] =>
    net(name, 2000).map((_, round) => wholeMs(upTo, (tokens) => net(name, tokens)[round] ?? 0));
  const figures: Figure[] = [];
  for (const tokens of lengths) {
    const what = `${tokens / 1000}k tokens`;
    figures.push(
      ...drawn.map((name) => figure(`${what}: ${labels[name]}, a frame`, net(name, tokens), 'ms')),
      ...measuredAgainstFloor.map((name) =>
        figure(
          `${what}: ${labels[name]}, whole reply ÷ plain text`,
          ratios(whole(name, tokens), whole(floorOf(name), tokens)),
          '×',
          goalOverFloor(name, tokens),
        ),
      ),
      ...peers.map((name) =>
        figure(
          `${what}: Parlance's view ÷ ${labels[name]}, a frame`,
          ratios(net('parlance', tokens), net(name, tokens)),
          '×',
          goalOverPeer(name, tokens),
        ),
      ),
    );
  }
  for (const name of drawn) {
    const growth = ratios(whole(name, 50_000), whole(name, 2000)).map((times) => Math.log(times) / Math.log(25));
    const isOurs = name === 'chat' || name === 'parlance' || name === 'unstyled';
    figures.push(figure(`growth 2k → 50k: ${labels[name]}, exponent`, growth, '', isOurs ? 1.05 : undefined));
  }
  return figures;
}

function goalOverFloor(name: Name, tokens: number): number | undefined {
  if (tokens !== 50_000) return undefined;
  return name === 'unstyled' ? 1.8 : name === 'parlance' || name === 'chat' ? 2.5 : undefined;
}

function goalOverPeer(name: Name, tokens: number): number | undefined {
  if (name === 'react-markdown') return { 2000: 0.25, 10_000: 0.1, 50_000: 0.02 }[tokens];
  if (name === 'streamdown' || name === 'memoized-blocks') return tokens === 50_000 ? 0.2 : undefined;
  return undefined;
}

/** The sum over all frames up to a length, interpolated from a frame's cost at three lengths. */
function wholeMs(upTo: number, frameMsAt: (tokens: number) => number): number {
  const framesPerToken = charactersPerToken / charactersPerFrame;
  const [first, second] = lengths;
  const slope = (frameMsAt(second) - frameMsAt(first)) / (second - first);
  const atStart = Math.max(0, Math.min(frameMsAt(first), frameMsAt(first) - slope * first));
  let sum = ((atStart + frameMsAt(first)) / 2) * first;
  for (let index = 1; index < lengths.length; index += 1) {
    const [from, to] = [lengths[index - 1] ?? 0, lengths[index] ?? 0];
    if (to <= upTo) sum += ((frameMsAt(from) + frameMsAt(to)) / 2) * (to - from);
  }
  return sum * framesPerToken;
}

async function frameMs(pages: PageBench, name: Name, tokens: number): Promise<number> {
  const text = documentOf(tokens + windowTokens, 'reply', name === 'unstyled' ? 'text' : 'typescript');
  const start = text.slice(0, tokens * charactersPerToken);
  const pieces = text.slice(start.length).match(new RegExp(`[^]{1,${charactersPerFrame}}`, 'g')) ?? [];
  if (name === 'chat') return chatFrameMs(pages, start, pieces, 'markdown');
  if (name === 'chatPlain') return chatFrameMs(pages, start, pieces, 'plain');
  if (name === 'chatIdle') return chatFrameMs(pages, start, pieces, 'nothing');
  const page = await pages.openShell();
  try {
    await page.evaluate((chosen) => window.shell.open(chosen), name === 'unstyled' ? 'parlance' : name);
    await page.evaluate((sent) => window.shell.fill(sent), start);
    const { totalMs, result } = await traced(page, () =>
      page.evaluate(([sent, limit]) => window.shell.stream(sent, limit), [pieces, limitMs] as const),
    );
    check(name, await page.evaluate(() => window.shell.census()), start + pieces.slice(0, result.frames).join(''));
    return totalMs / result.frames;
  } finally {
    await page.close();
  }
}

async function chatFrameMs(
  pages: PageBench,
  start: string,
  pieces: readonly string[],
  growth: Growth,
): Promise<number> {
  const page = await pages.openChat('empty');
  try {
    await showConversation(page, [
      userMessage('u', 'Hello'),
      replyMessage('r', growth === 'plain' ? '' : start, 'running'),
    ]);
    if (growth === 'plain') await fillPlain(page, start);
    const { totalMs } = await traced(page, () => growReply(page, 'r', start.length, pieces, growth));
    return totalMs / pieces.length;
  } finally {
    await page.close();
  }
}

/** Whether the page has the whole text, whatever form the renderer gives it. */
function check(name: Name, seen: Readonly<Record<string, number>>, text: string): void {
  if (name === 'idle') return;
  const chars = seen['chars'] ?? 0;
  const headings = (text.match(/^## \w/gm) ?? []).length;
  const isWhole = chars > text.length * 0.85 && (name === 'plain' || Math.abs((seen['headings'] ?? 0) - headings) <= 1);
  if (!isWhole) throw new Error(`${labels[name]} did not draw the text: ${JSON.stringify(seen)}`);
}
