import { ServiceFactsFiles } from '../../../src/vscode/service/serviceFactsFiles.ts';
import { checkSet, type StoreUnderTest } from '../storeUnderTest.ts';
import { outcomeOf, waitForRetries } from './settling.ts';

interface Learning {
  readonly service: string;
  readonly model: string;
}

const services = ['https://one.example/v1', 'https://two.example/v1'];

/** The models that are known to report their tokens. */
export const serviceFacts: StoreUnderTest<Learning, readonly string[]> = {
  name: 'service facts',
  files: /^[0-9a-f]{16}\.support\.json$/,
  operation: (random) => ({ service: random.pick(services), model: random.uuid() }),
  open(setting) {
    const store = new ServiceFactsFiles(setting.folder, setting.report);
    return Promise.resolve({
      run: async ({ service, model }) => ({
        outcome: await outcomeOf(setting, async () => {
          store.learnedUsage(service, model, { is: 'given', at: 1 });
          await store.settled();
        }),
      }),
      settle: () => waitForRetries(() => store.settled()),
      close: () => store.settled(),
    });
  },
  async look({ folder, report }) {
    const store = new ServiceFactsFiles(folder, report);
    const facts = await Promise.all(services.map((service) => store.load(service)));
    return facts.flatMap(({ usageByModel = {} }) => Object.keys(usageByModel));
  },
  check: (done, seen) =>
    checkSet(done, {
      added: ({ model }) => model,
      removes: () => false,
      isThere: (item) => seen.includes(item),
    }),
};
