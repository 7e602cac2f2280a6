import { KeptColumns } from '../../../src/vscode/compare/keptColumns.ts';
import { checkSet, filesWith, type StoreUnderTest } from '../storeUnderTest.ts';
import { outcomeOf, waitForRetries } from './settling.ts';

interface Keeping {
  readonly comparison: string;
  /** Undefined if the comparison is deleted. */
  readonly systemPrompt?: string;
}

const comparisons = ['k1', 'k2'];

/** The system prompt in the only column of each comparison: the latest of any window. */
export const comparedColumns: StoreUnderTest<Keeping, readonly string[]> = {
  name: 'columns of comparisons',
  files: /^k[12]\.json$/,
  operation(random, _window, before) {
    const comparison = random.pick(comparisons);
    const isDeleted = before.length > 0 && random.chance(0.25);
    return { comparison, ...(!isDeleted && { systemPrompt: random.uuid() }) };
  },
  open(setting) {
    const store = new KeptColumns(setting.folder, setting.report);
    return Promise.resolve({
      run: async ({ comparison, systemPrompt }) => ({
        outcome: await outcomeOf(setting, () =>
          systemPrompt === undefined
            ? store.remove(comparison)
            : store.keep(comparison, [{ id: 'c', model: 'm', options: { systemPrompt } }]),
        ),
      }),
      settle: () => waitForRetries(() => store.settled()),
      close: () => store.settled(),
    });
  },
  async look({ folder, report }) {
    const store = new KeptColumns(folder, report);
    const columns = (await Promise.all(comparisons.map((each) => store.read(each)))).flatMap((each) => each ?? []);
    return columns.map(({ options }) => options?.systemPrompt ?? '');
  },
  check: (done, seen, folder) =>
    checkSet(done, {
      added: ({ systemPrompt }) => systemPrompt,
      // Later columns replace earlier ones.
      removes: ({ comparison, systemPrompt }, item) =>
        systemPrompt !== item && done.some(({ op }) => op.comparison === comparison && op.systemPrompt === item),
      isThere: (item) => seen.includes(item),
      isOnDisk: (item) => filesWith(folder, item).length > 0,
    }),
  damaged: (random) => ({
    name: 'k1.json',
    text: random.pick([`{"version":1,"value":[{"id":"${random.uuid()}`, JSON.stringify({ version: 99, value: 1 })]),
  }),
};
