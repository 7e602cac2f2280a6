import type { Frame, Page } from 'playwright-core';
import { ChatDriver } from '../../ui/chatDriver.ts';
import { openWorkbench } from '../../ui/useWorkbench.ts';
import { waitUntil } from '../../ui/waitUntil.ts';
import type { WorkbenchPage } from '../../ui/workbenchPage.ts';
import { buildForUsers } from '../buildForUsers.ts';
import { figure, type Figure, median, type RowSet } from '../figure.ts';
import { HostMeter } from '../hostMeter.ts';
import { watchWords, wordsSeen } from '../page/wordWatch.ts';
import { startWordService, type WordService } from '../wordService.ts';

const rates = [50, 500] as const;
const seconds = 5;
const chats = 10;
const ours = { root: '[role=log]', answers: 'article.reply .answer' };
const native = { root: '.interactive-session', answers: '.interactive-response' };

export const wholeWayRows: RowSet = {
  name: 'whole-way',
  title: "The whole way: from the service's write to the frame",
  method:
    'The real workbench in Chromium, its extension host, and a service that writes numbered words at a steady ' +
    `pace for ${seconds} seconds. A word has arrived when it's in the page's document, in the frame that ` +
    "shows it. A reply in Parlance's chat and one in VS Code's own Chat view, which asks the same service " +
    `through @parlance, take turns; the clock is the machine's. Then ${chats} chats in tabs stream at 50 ` +
    "words per second each, and the one in front is watched; the CPU is that of the extension host's process.",
  async run({ rounds, say }) {
    buildForUsers();
    await using cleanup = new AsyncDisposableStack();
    const service = await startWordService();
    cleanup.defer(() => service.close());
    say('opening the workbench');
    const settings = {
      'parlance.services': [{ baseUrl: service.baseUrl }],
      'parlance.chat.model': service.model,
      'chat.disableAIFeatures': false,
      'workbench.editor.enablePreview': false,
    };
    const workbench = await openWorkbench({ settings }, cleanup);
    const { page } = workbench;
    // In a tab, because VS Code's own view replaces ours in the side bar.
    const chat = await newChatInTab(workbench);
    const askOurs = (): Promise<void> => chat.send('Count');
    await workbench.runCommand('Chat: Open Chat');
    const askNative = (): Promise<void> => askInNativeChat(page);
    const figures: Figure[] = [];
    service.seconds = seconds;
    for (const rate of rates) {
      say(`${rate} words a second`);
      service.rate = rate;
      const delays: Record<'ours' | 'native', number[][]> = { ours: [], native: [] };
      for (let round = 0; round < rounds; round += 1) {
        delays.ours.push(await delaysOf(chat.frame, ours, service, askOurs));
        delays.native.push(await delaysOf(page, native, service, askNative));
      }
      for (const [name, of] of [
        ['ours', 'Parlance'],
        ['native', "VS Code's Chat view"],
      ] as const) {
        const what = `${rate} tokens a second, ${of}: write to frame`;
        figures.push(
          figure(`${what}, median`, delays[name].map(median), 'ms'),
          figure(
            `${what}, p95`,
            delays[name].map((each) => each.toSorted((a, b) => a - b)[Math.floor(each.length * 0.95)] ?? Number.NaN),
            'ms',
          ),
        );
      }
    }
    say(`${chats} chats at once`);
    figures.push(...(await tenChats(workbench, service)));
    return figures;
  },
};

async function newChatInTab(workbench: WorkbenchPage): Promise<ChatDriver> {
  await workbench.runCommand('Parlance: Open Chat in Editor');
  return waitUntil('an empty chat in a new tab', async () => {
    for (const frame of await workbench.chatFrames()) {
      if ((await frame.getByRole('article').count()) === 0) return new ChatDriver(workbench, frame);
    }
    return undefined;
  });
}

/** The latency of each word, in milliseconds. */
async function delaysOf(
  frame: Frame | Page,
  { root, answers }: { readonly root: string; readonly answers: string },
  service: WordService,
  ask: () => Promise<void>,
): Promise<number[]> {
  const number = service.replies.length;
  await watchWords(frame, root, answers, number);
  await ask();
  const reply = await waitUntil('a request', () => service.replies[number]);
  await waitUntil('the end of a reply', () => reply.isOver, 60_000);
  const seen = await waitUntil(
    'the last word on the page',
    async () => {
      const times = await wordsSeen(frame);
      return times.length === reply.writtenAt.length ? times : undefined;
    },
    60_000,
  );
  return reply.writtenAt.map((at, index) => (seen[index] ?? Number.NaN) - at);
}

async function askInNativeChat(page: Page): Promise<void> {
  await page.locator('.interactive-session .interactive-input-part .monaco-editor').first().click();
  await page.keyboard.insertText('@parlance Count');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Enter');
}

/** They can only be asked one after another, so each continues until all have been observed. */
async function tenChats(workbench: WorkbenchPage, service: WordService): Promise<Figure[]> {
  service.rate = 50;
  service.seconds = Infinity;
  const before = service.replies.length;
  const meter = new HostMeter(workbench.server.extensionHosts());
  for (let chat = 1; chat <= chats; chat += 1) {
    const driver = await newChatInTab(workbench);
    if (chat === chats) await watchWords(driver.frame, ours.root, ours.answers, before + chats - 1);
    await driver.send('Count');
    await waitUntil('its request', () => service.replies.length === before + chat);
    if (chat < chats) continue;
    const reply = service.replies.at(-1);
    await waitUntil('its beginning', () => (reply?.writtenAt.length ?? 0) > 50, 60_000);
    const cpuBefore = meter.cpuMs();
    const from = reply?.writtenAt.length ?? 0;
    await waitUntil('some hundred words', () => (reply?.writtenAt.length ?? 0) > from + 500, 60_000);
    const cpuMs = meter.cpuMs() - cpuBefore;
    const to = reply?.writtenAt.length ?? 0;
    const wallMs = (reply?.writtenAt[to - 1] ?? 0) - (reply?.writtenAt[from] ?? 0);
    const seen = await waitUntil('the words on the page', async () => {
      const times = await wordsSeen(driver.frame);
      return times.length >= to ? times : undefined;
    });
    service.stop();
    await waitUntil('the end of all', () => service.replies.every(({ isOver }) => isOver));
    const delays = (reply?.writtenAt ?? []).slice(from, to).map((at, index) => (seen[from + index] ?? 0) - at);
    return [
      figure(
        `${chats} chats at 50 tokens a second: write to frame of the one in front, median`,
        [median(delays)],
        'ms',
      ),
      figure(
        `${chats} chats at 50 tokens a second: CPU of the extension host`,
        [(cpuMs / wallMs) * 100],
        '% of a core',
      ),
    ];
  }
  return [];
}
