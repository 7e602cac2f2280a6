import { RequestLog } from '../../../src/core/requests/requestLog.ts';
import { LogSums } from '../../../src/vscode/requests/log/logSums.ts';
import { WithheldRequests } from '../../../src/vscode/requests/log/withheldRequests.ts';
import { LogStore } from '../../../src/vscode/requests/log/logStore.ts';
import {
  checkSet,
  type Done,
  filesWith,
  type FolderContents,
  type Setting,
  type StoreUnderTest,
} from '../storeUnderTest.ts';
import { waitForRetries } from './settling.ts';

/** Four requests per file, so that a schedule starts new files and doesn't drop any. */
const limits = { maxCount: 32, maxBytes: 100_000_000 };

type Logging =
  | { readonly type: 'log'; readonly id: string }
  | { readonly type: 'delete'; readonly id: string }
  | { readonly type: 'clear' }
  | { readonly type: 'sums' };

interface Seen {
  /** The kept response text, by ID. */
  readonly requests: Readonly<Record<string, string>>;
  readonly summed: number;
}

export const requests: StoreUnderTest<Logging, Seen> = {
  name: 'requests',
  files: /^(index\.json|deletedToday\.json|\d{15}\.(bodies\.)?jsonl)$/,
  operation(random, _window, before) {
    const logged = before.filter(({ op }) => op.type === 'log');
    const kind = random.next();
    if (kind < 0.15) return { type: 'sums' };
    if (kind < 0.2) return { type: 'clear' };
    const { op } = logged.length > 0 && kind < 0.4 ? random.pick(logged) : { op: undefined };
    if (op?.type === 'log') return { type: 'delete', id: op.id };
    return { type: 'log', id: random.uuid() };
  },
  open(setting) {
    const { writer, reports } = setting;
    const { store, digests } = storesIn(setting);
    // As a window does.
    const flush = async (): Promise<void> => {
      await store.flush();
      await digests.settled();
    };
    return Promise.resolve({
      run: async (op) => {
        const written = { writer, at: Date.now() };
        try {
          switch (op.type) {
            case 'log': {
              const { id } = op;
              const model = 'made/up';
              store.start(
                {
                  type: 'started',
                  id,
                  pid: process.pid,
                  operation: 'chat',
                  origin: { kind: 'chat' },
                  model,
                  ...written,
                },
                { method: 'POST', url: 'https://service.test/v1', body: { text: `question ${id}` } },
              );
              store.end({ type: 'ended', id, outcome: 'done', metrics: {}, ...written }, { text: `answer ${id}` });
              await store.flush();
              return { outcome: reports() > 0 ? 'unsaved' : 'saved' };
            }
            case 'delete':
              for (const name of await store.names()) await store.readNew(name);
              if (store.fileOf(op.id) === undefined) return { outcome: 'refused' };
              await store.delete([op.id], Date.now());
              return { outcome: 'saved' };
            case 'clear':
              await store.clear();
              return { outcome: 'saved' };
            case 'sums':
              await digests.recorded();
              return { outcome: 'saved' };
          }
        } catch {
          // Reported to the caller.
          return { outcome: 'refused' };
        }
      },
      settle: () => waitForRetries(flush),
      close: flush,
    });
  },
  async look(setting) {
    const { store, digests } = storesIn(setting);
    const log = new RequestLog();
    for (const name of await store.names()) for (const record of await store.read(name)) log.apply(record);
    const seen: Record<string, string> = {};
    for (const { id, end } of log.all()) {
      const text = (await store.bodies(id)).response?.['text'];
      seen[id] = end === undefined ? 'without an end' : typeof text === 'string' ? text : 'without an answer';
    }
    const sums = Object.values(await digests.recorded()).flatMap((models) => Object.values(models));
    return { requests: seen, summed: sums.reduce((sum, { requests: count }) => sum + count, 0) };
  },
  check(done, seen, folder) {
    const count = Object.keys(seen.requests).length;
    const wrong = seen.summed === count ? [] : [`The sums are of ${seen.summed} requests, and the log has ${count}`];
    const inLog = checkSet(done, {
      added: (op) => (op.type === 'log' ? op.id : undefined),
      removes: (op, item) => op.type === 'clear' || (op.type === 'delete' && op.id === item),
      isThere: (item) => seen.requests[item] === `answer ${item}`,
      isOnDisk: (item) => [...filesWith(folder, `question ${item}`), ...filesWith(folder, `answer ${item}`)].length > 0,
    });
    return [...wrong, ...inLog, ...leftOfDeleted(done, folder)];
  },
};

/** Even if the window that recorded it wrote the rest only after the deletion. */
function leftOfDeleted(done: readonly Done<Logging>[], folder: FolderContents): readonly string[] {
  const deleted = done.flatMap(({ op, outcome }) => (op.type === 'delete' && outcome === 'saved' ? [op.id] : []));
  // Only its own window knows what a killed one still wrote.
  const isKilled = (id: string): boolean =>
    done.some(({ op, isSettled }) => op.type === 'log' && op.id === id && !isSettled);
  return deleted
    .filter((id) => !isKilled(id) && filesWith(folder, ` ${id}`).length > 0)
    .map((id) => `${id} was deleted, and a part of it is on disk`);
}

function storesIn({ folder, writer, report }: Setting) {
  const digests: LogSums = new LogSums({
    folder,
    store: () => store,
    withheld: new WithheldRequests(folder, report),
    onError: report,
  });
  const store = new LogStore({
    folder,
    writer,
    limits: () => limits,
    sums: digests,
    onError: report,
  });
  return { store, digests };
}
