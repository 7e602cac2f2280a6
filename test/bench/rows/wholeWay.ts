import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { Frame } from 'playwright-core';
import { ChatDriver } from '../../ui/chatDriver.ts';
import { openWorkbench } from '../../ui/useWorkbench.ts';
import { buildForUsers } from '../buildForUsers.ts';
import { eventOf } from '../client/workload.ts';
import { figure, type Figure, median, type RowSet } from '../figure.ts';

const rates = [50, 500] as const;
const seconds = 5;

declare global {
  interface Window {
    /** When each numbered word was first on the page, in milliseconds since 1970. */
    seenAt: number[];
  }
}

export const wholeWayRows: RowSet = {
  name: 'whole-way',
  title: 'The whole way: from the service’s write to the frame',
  method:
    'The real workbench in Chromium, its extension host, and a service that writes numbered words at a steady pace for ' +
    `${seconds} seconds. A word has arrived when it is drawn into the chat page, in the frame that shows it. One reply is ` +
    'one round; the clock is that of the machine. The frame alone is up to 16.7 ms of it, 8 on average.',
  async run({ rounds, say }) {
    buildForUsers();
    await using cleanup = new AsyncDisposableStack();
    const service = await startWordService();
    cleanup.defer(() => service.close());
    say('opening the workbench');
    const workbench = await openWorkbench({ settings: { 'parlance.service.baseUrl': service.baseUrl } }, cleanup);
    const chat = await ChatDriver.open(workbench);
    const figures: Figure[] = [];
    for (const rate of rates) {
      say(`${rate} words a second`);
      const middle: number[] = [];
      const late: number[] = [];
      for (let round = 0; round < rounds; round += 1) {
        await chat.frame.locator('textarea').first().waitFor();
        await watchWords(chat.frame);
        service.rate = rate;
        await chat.ask('Count');
        const seen = await chat.frame.evaluate(() => window.seenAt);
        if (seen.length < service.writtenAt.length) throw new Error('words are missing on the page');
        const delays = service.writtenAt.map((at, index) => (seen[index] ?? Number.NaN) - at).toSorted((a, b) => a - b);
        middle.push(median(delays));
        late.push(delays[Math.floor(delays.length * 0.95)] ?? Number.NaN);
      }
      figures.push(
        figure(`${rate} tokens a second: write to frame, median`, middle, 'ms'),
        figure(`${rate} tokens a second: write to frame, 95 of a hundred`, late, 'ms'),
      );
    }
    return figures;
  },
};

async function watchWords(frame: Frame): Promise<void> {
  await frame.evaluate(() => {
    const log = document.querySelector('[role=log]');
    if (log === null) throw new Error('no transcript');
    const before = log.querySelectorAll('article').length;
    window.seenAt = [];
    new MutationObserver((_records, observer) => {
      const article = [...log.querySelectorAll('article.reply')].at(-1);
      if (log.querySelectorAll('article').length === before || article === undefined) return;
      const last = [...(article.querySelector('.answer')?.textContent.slice(-200) ?? '').matchAll(/w(\d+)\./g)].at(
        -1,
      )?.[1];
      if (last === undefined) return;
      const now = performance.timeOrigin + performance.now();
      while (window.seenAt.length <= Number(last)) window.seenAt.push(now);
      if (article instanceof HTMLElement && article.dataset['state'] === 'done') observer.disconnect();
    }).observe(log, { subtree: true, childList: true, characterData: true });
  });
}

interface WordService {
  readonly baseUrl: string;
  /** Words a second of the next reply. */
  rate: number;
  /** When each word of the last reply was written, in milliseconds since 1970. */
  writtenAt: number[];
  close(): Promise<void>;
}

async function startWordService(): Promise<WordService> {
  const server: Server = createServer((request, response) => {
    request.resume();
    if (request.method === 'POST') void writeWords(response, service);
    else response.end(JSON.stringify({ data: [{ id: 'local/writer' }] }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('The service has no port');
  const service: WordService = {
    baseUrl: `http://127.0.0.1:${address.port}/v1`,
    rate: 50,
    writtenAt: [],
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return service;
}

async function writeWords(response: ServerResponse, service: WordService): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const { rate } = service;
  const writtenAt: number[] = [];
  service.writtenAt = writtenAt;
  const started = performance.now();
  for (let index = 0; index < rate * seconds; index += 1) {
    const wait = started + (index * 1000) / rate - performance.now();
    if (wait > 1) await pause(wait);
    writtenAt.push(performance.timeOrigin + performance.now());
    response.write(eventOf(index % 40 === 39 ? `w${index}.\n\n` : `w${index}. `));
  }
  response.end('data: [DONE]\n\n');
}
