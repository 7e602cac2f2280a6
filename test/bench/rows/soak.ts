import assert from 'node:assert/strict';
import { ChatDriver } from '../../ui/chatDriver.ts';
import { openWorkbench } from '../../ui/useWorkbench.ts';
import { waitUntil } from '../../ui/waitUntil.ts';
import { buildForUsers } from '../buildForUsers.ts';
import { type Figure, figure, median, type RowSet } from '../figure.ts';
import { HostMeter } from '../hostMeter.ts';
import { startWordService } from '../wordService.ts';

const replySeconds = 20;
const rate = 50;

export const soakRows: RowSet = {
  name: 'soak',
  title: 'Streaming for a long time',
  method:
    `The real workbench, with replies of ${replySeconds} seconds at ${rate} words per second, one after ` +
    "another in one chat: for `--minutes N`, 3 by default, or 30 to show a flat line. The extension host's " +
    'CPU and memory are read at the end of each reply; memory in use is what a garbage collection leaves. The ' +
    'first third, in which caches fill, is compared with the last. What the process takes has no goal: when V8 ' +
    'collects garbage by itself depends on how much memory the machine has and on how busy it is.',
  async run({ minutes, say }) {
    buildForUsers();
    const { figures, faults } = await streamForLong(minutes, say);
    assert.deepEqual(faults, []);
    return figures;
  },
};

interface LongStream {
  readonly figures: readonly Figure[];
  /** What went wrong in Parlance meanwhile. */
  readonly faults: readonly string[];
}

/**
 * Streams replies in the workbench, from what was built last.
 * @param say gets a line of progress now and then
 * @returns CPU and memory of the extension host in the first third and in the last; what misses its goal says so
 */
export async function streamForLong(minutes: number, say: (line: string) => void): Promise<LongStream> {
  await using cleanup = new AsyncDisposableStack();
  const service = await startWordService();
  cleanup.defer(() => service.close());
  service.rate = rate;
  service.seconds = replySeconds;
  say('opening the workbench');
  const settings = { 'parlance.services': [{ baseUrl: service.baseUrl }], 'parlance.chat.model': service.model };
  const workbench = await openWorkbench({ settings }, cleanup);
  const chat = await ChatDriver.open(workbench);
  const meter = new HostMeter(workbench.server.extensionHosts());
  const cpu: number[] = [];
  const taken: number[] = [];
  const inUse: number[] = [];
  const replies = Math.max(6, Math.round((minutes * 60) / replySeconds));
  let before = meter.cpuMs();
  let since = performance.now();
  for (let reply = 0; reply < replies; reply += 1) {
    await chat.send('Count');
    await waitUntil('the end of a reply', () => service.replies[reply]?.isOver === true, 120_000);
    await chat.lastReply.and(chat.frame.locator('[data-state=done]')).waitFor();
    const now = meter.cpuMs();
    cpu.push(((now - before) / (performance.now() - since)) * 100);
    taken.push(meter.residentMegabytes());
    inUse.push((await workbench.driver.memoryInUse()) / 1e6);
    before = meter.cpuMs();
    since = performance.now();
    if (reply % 3 === 2) say(`${Math.round(((reply + 1) * replySeconds) / 6) / 10} minutes`);
  }
  const third = Math.floor(replies / 3);
  const growth = median(inUse.slice(-third)) / median(inUse.slice(0, third));
  const streaming = `streaming for ${minutes} minutes:`;
  const figures = [
    figure(`${streaming} CPU of the extension host, first third`, cpu.slice(0, third), '% of a core'),
    figure(`${streaming} CPU of the extension host, last third`, cpu.slice(-third), '% of a core'),
    figure(`${streaming} memory that the extension host takes, first third`, taken.slice(0, third), 'MB'),
    figure(`${streaming} memory that the extension host takes, last third`, taken.slice(-third), 'MB'),
    figure(`${streaming} memory in use in the extension host, first third`, inUse.slice(0, third), 'MB'),
    figure(`${streaming} memory in use in the extension host, last third`, inUse.slice(-third), 'MB'),
    figure(`${streaming} memory in use, last third ÷ first`, [growth], '×', 1.1),
  ];
  const faults = await workbench.takeSettledFaults();
  if (faults.length > 0) say(`see ${await workbench.keepEvidence('soak')}`);
  return { figures, faults };
}
