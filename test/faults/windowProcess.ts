// A window in its own process, with faults between its stores and the disk.
import { FaultyFiles } from './faultyFiles.ts';
import { sweepTemporaryFiles } from '../../src/vscode/disk/sweepTemporaryFiles.ts';
import { noFaults } from './faultPlan.ts';
import { beginAgain, setPace, speedUpClock } from './scaledClock.ts';
import type { OpenStore, Setting } from './storeUnderTest.ts';
import { storeNamed } from './stores.ts';
import type { FromWindow, ToWindow } from './windowMessages.ts';

const root = process.argv[2] ?? '';
/** Paused calls: two might have started at the same time. */
let standing: (() => void)[] = [];
const faulty = new FaultyFiles(root, (call) => {
  send({ type: 'paused', call });
  return new Promise((resolve) => void standing.push(resolve));
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

async function answer(message: ToWindow): Promise<FromWindow | undefined> {
  switch (message.type) {
    case 'open':
      beginAgain();
      faulty.begin(message.folder, message.plan, message.seed);
      store = await (await storeNamed(message.store)).open(settingOf(message.folder, message.writer));
      return { type: 'opened' };
    case 'run':
      setPace(message.isAlone);
      return { type: 'ran', ...(await store!.run(message.op)) };
    case 'resume':
      setPace(message.isAlone);
      for (const each of standing) each();
      standing = [];
      return undefined;
    case 'settle': {
      faulty.clear();
      const isSaved = await store!.settle();
      // A lock that couldn't be deleted is deleted later, and nothing waits for that.
      await faulty.idle();
      return { type: 'settled', isSaved, trace: faulty.trace, reports };
    }
    case 'close':
      await store?.close();
      store = undefined;
      return { type: 'closed' };
    case 'look': {
      beginAgain();
      faulty.begin(message.folder, noFaults, 0);
      const setting = settingOf(message.folder, 'reader');
      // As each window does when it starts.
      await sweepTemporaryFiles(message.folder, setting.report);
      const seen = await (await storeNamed(message.store)).look(setting);
      return { type: 'seen', seen, reports };
    }
  }
}

function wordsOf(error: unknown): string {
  if (error instanceof Error) return `${error.name}: ${error.message}`;
  return JSON.stringify(error, (_key, value: unknown) => (value instanceof Error ? wordsOf(value) : value));
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
