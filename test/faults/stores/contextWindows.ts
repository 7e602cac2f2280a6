import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LearnedWindows } from '../../../src/vscode/attachments/learnedWindows.ts';
import { checkSet, type StoreUnderTest } from '../storeUnderTest.ts';
import { outcomeOf, waitForRetries } from './settling.ts';

const file = 'contextWindows.json';

interface Learned {
  readonly model: string;
  readonly tokens: number;
}

/** The models whose context windows are known, with their tokens. */
export const contextWindows: StoreUnderTest<Learned, Readonly<Record<string, number>>> = {
  name: 'context windows',
  files: /^contextWindows\.json$/,
  operation: (random) => ({ model: random.uuid(), tokens: random.between(1000, 1_000_000) }),
  open(setting) {
    const store = new LearnedWindows(join(setting.folder, file), setting.report);
    return Promise.resolve({
      run: async ({ model, tokens }) => ({
        outcome: await outcomeOf(setting, async () => {
          store.learn(model, { tokens, isStated: false });
          await store.settled();
        }),
      }),
      settle: () => waitForRetries(() => store.settled()),
      close: () => store.settled(),
    });
  },
  async look({ folder, report }) {
    const path = join(folder, file);
    const store = new LearnedWindows(path, report);
    await store.load();
    const text = await readFile(path, 'utf8').catch(() => '');
    const models = [...text.matchAll(/"([0-9a-f-]{36})":/g)].map(([, model = '']) => model);
    return Object.fromEntries(models.map((model) => [model, store.of(model)?.tokens ?? 0]));
  },
  check: (done, seen) =>
    checkSet(done, {
      added: ({ model }) => model,
      removes: () => false,
      isThere: (item) => seen[item] === done.find(({ op }) => op.model === item)?.op.tokens,
    }),
  damaged: (random) => ({
    name: file,
    text: random.pick([`{"${random.uuid()}":`, JSON.stringify({ version: 99, value: random.uuid() })]),
  }),
};
