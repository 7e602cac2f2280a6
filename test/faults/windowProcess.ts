// A window in a process of its own, with faults between its stores and the disk.
import { FaultyFiles } from './faultyFiles.ts';
import { noFaults } from './faultPlan.ts';
import { atUsualPace, speedUpClock } from './scaledClock.ts';
import type { OpenStore, Setting } from './storeUnderTest.ts';
import { flawedStores, stores } from './stores.ts';
import type { FromWindow, ToWindow } from './windowMessages.ts';

const root = process.argv[2] ?? '';
let resume: (() => void) | undefined;
const faulty = new FaultyFiles(root, (call) => {
  send({ type: 'paused', call });
  return new Promise((resolve) => (resume = resolve));
});
speedUpClock();

let store: OpenStore<unknown> | undefined;
let reports: string[] = [];

function send(message: FromWindow): void {
  process.send?.(message);
}

function settingOf(folder: string, writer: string): Setting {
  const mine: string[] = [];
  reports = mine;
  return { folder, writer, report: (error) => mine.push(wordsOf(error)), reports: () => mine.length };
}

function storeNamed(name: string) {
  const found = [...stores, ...flawedStores].find((each) => each.name === name);
  if (found === undefined) throw new Error(`No store ${name}`);
  return found;
}

async function answer(message: ToWindow): Promise<FromWindow | undefined> {
  switch (message.type) {
    case 'open':
      atUsualPace();
      faulty.begin(message.folder, message.plan, message.seed);
      store = await storeNamed(message.store).open(settingOf(message.folder, message.writer));
      return { type: 'opened' };
    case 'run':
      return { type: 'ran', ...(await store!.run(message.op)) };
    case 'resume':
      resume?.();
      return undefined;
    case 'settle': {
      faulty.clear();
      const isSaved = await store!.settle();
      return { type: 'settled', isSaved, trace: faulty.trace, reports };
    }
    case 'close':
      await store?.close();
      store = undefined;
      return { type: 'closed' };
    case 'look': {
      atUsualPace();
      faulty.begin(message.folder, noFaults, 0);
      const seen = await storeNamed(message.store).look(settingOf(message.folder, 'reader'));
      return { type: 'seen', seen, reports };
    }
  }
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}

function broke(error: unknown): void {
  send({ type: 'broke', error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
}

async function take(message: ToWindow): Promise<void> {
  try {
    const reply = await answer(message);
    if (reply !== undefined) send(reply);
  } catch (error) {
    broke(error);
  }
}

process.on('message', (message: ToWindow) => void take(message));
process.on('unhandledRejection', broke);
process.on('uncaughtException', broke);
process.on('disconnect', () => process.exit(0));
send({ type: 'ready' });
