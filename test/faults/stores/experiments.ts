import { readdir } from 'node:fs/promises';
import { systemClock } from '../../../src/api/clock.ts';
import type { Experiment } from '../../../src/core/experiments/experiment.ts';
import type { ExperimentRunFacts } from '../../../src/core/experiments/experimentLog.ts';
import { ExperimentStore } from '../../../src/vscode/experiments/experimentStore.ts';
import type { ExperimentFile } from '../../../src/vscode/experiments/experimentFile.ts';
import { checkSet, filesWith, type Setting, type StoreUnderTest } from '../storeUnderTest.ts';
import { waitForRetries, waitUntil } from './settling.ts';

type Trial =
  /** A question to two models, asked at once. */
  | { readonly type: 'ask'; readonly id: string }
  /** Sends what hasn't been sent yet. */
  | { readonly type: 'goOn'; readonly id: string }
  | { readonly type: 'remove'; readonly id: string };

interface Attempt {
  readonly request: string;
  /** It can be sent again: it never was, or it was refused. */
  readonly isOpen: boolean;
  readonly text?: string | undefined;
}

interface Sent {
  readonly run: ExperimentRunFacts | undefined;
  /** A killed window had sent one of the requests, and nobody knows its reply. It's never sent again. */
  readonly isTaken: boolean;
}

type Seen = Readonly<Record<string, readonly Attempt[]>>;

const models = ['a', 'b'];

export const experiments: StoreUnderTest<Trial, Seen> = {
  name: 'experiments',
  files: /^comparison-[0-9a-f-]{36}\.jsonl$/,
  operation(random, _window, before) {
    const asked = before.filter(({ op }) => op.type === 'ask');
    if (asked.length === 0 || random.chance(0.35)) return { type: 'ask', id: `comparison-${random.uuid()}` };
    // The other window continues what this one might be in the middle of.
    const { op } = asked.at(-1) ?? random.pick(asked);
    return {
      type: random.pick(['goOn', 'goOn', 'goOn', 'remove']),
      id: random.chance(0.6) ? op.id : random.pick(asked).op.id,
    };
  },
  open(setting) {
    const { folder, reports } = setting;
    const store = storeIn(setting);
    const files: ExperimentFile[] = [];
    const send = async (id: string): Promise<Sent | undefined> => {
      const started = await store.start(id, {
        clock: systemClock,
        newId: () => crypto.randomUUID(),
        modelOf: () => undefined,
        send: ({ request }) =>
          Promise.resolve({ outcome: 'done', wasSent: true, text: `reply ${id} of ${request.model.id}` }),
      });
      if (started === undefined) return undefined;
      const { run, file } = started;
      files.push(file);
      await store.ended(run.id);
      return {
        run: file.log.runs().find((each) => each.id === run.id),
        isTaken: file.log.attempts().some((attempt) => attempt.run !== run.id && attempt.end === undefined),
      };
    };
    return Promise.resolve({
      run: async ({ type, id }) => {
        try {
          if (type === 'remove') return { outcome: (await store.remove(id)) ? 'saved' : 'refused' };
          if (type === 'ask') await store.create(question(id));
          const sent = await send(id);
          // Ended early, because nothing is sent before it's on disk: its file says so.
          if (sent?.run === undefined || sent.run.end?.reason === 'disk' || sent.isTaken) return { outcome: 'refused' };
          return { outcome: reports() > 0 ? 'unsaved' : 'saved' };
        } catch {
          // Reported to the caller.
          return { outcome: 'refused' };
        }
      },
      settle: async () => {
        await waitForRetries(() => Promise.all(files.map((file) => file.flush())));
        // A lock that couldn't be deleted is removed automatically, except a killed window's.
        await waitUntil(async () => !(await readdir(folder)).some((name) => name.endsWith('.lock')));
        return true;
      },
      close: () => store.stop(),
    });
  },
  async look(setting) {
    const store = storeIn(setting);
    const seen: Record<string, readonly Attempt[]> = {};
    for (const { experiment } of await store.list()) {
      const { log } = await store.open(experiment.id);
      seen[experiment.id] = log
        .attempts()
        .map(({ request, end }) => ({ request, isOpen: end?.isOpen === true, text: end?.text }));
    }
    return seen;
  },
  check(done, seen, folder) {
    const wrong: string[] = [];
    for (const [id, attempts] of Object.entries(seen)) {
      const sent = Map.groupBy(
        attempts.filter(({ isOpen }) => !isOpen),
        ({ request }) => request,
      );
      for (const [request, each] of sent)
        if (each.length > 1) wrong.push(`${request} of ${id} was sent ${each.length} times`);
    }
    const texts = checkSet(done, {
      added: ({ type, id }) => (type === 'ask' ? id : undefined),
      removes: ({ type, id }, item) => type === 'remove' && id === item,
      isThere: (item) =>
        models.every((model) => seen[item]?.some(({ text }) => text === `reply ${item} of ${model}`) === true),
      isOnDisk: (item) => filesWith(folder, item).length > 0,
    });
    return [...wrong, ...texts];
  },
};

function question(id: string): Experiment {
  return {
    id,
    kind: 'comparison',
    prompts: [{ id: 'p', messages: [{ role: 'user', content: `question ${id}` }] }],
    models: models.map((model) => ({ id: model })),
    repeats: 1,
    order: 'allAtOnce',
    concurrency: [1],
    warmUp: 0,
    hasUniquePrefix: false,
    keepsReplies: true,
    limits: {},
  };
}

function storeIn({ folder, report }: Setting): ExperimentStore {
  return new ExperimentStore({ folder, onError: report, onUnsaved: report });
}
