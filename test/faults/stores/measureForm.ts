import { join } from 'node:path';
import { measureDefaults } from '../../../src/core/measuring/measureDefaults.ts';
import { MeasureMemory } from '../../../src/vscode/measure/measureMemory.ts';
import { isBefore, mustHold, type StoreUnderTest } from '../storeUnderTest.ts';
import { outcomeOf, waitForRetries } from './settling.ts';

const file = 'measureForm.json';

/** The text in the form of Measure Models: the latest of any window. */
export const measureForm: StoreUnderTest<{ readonly text: string }, string> = {
  name: 'form of Measure Models',
  files: /^measureForm\.json$/,
  operation: (random) => ({ text: random.uuid() }),
  open(setting) {
    const store = new MeasureMemory(join(setting.folder, file), setting.report);
    return Promise.resolve({
      run: async ({ text }) => ({
        outcome: await outcomeOf(setting, () => store.keep({ ...measureDefaults, ownText: text })),
      }),
      settle: () => waitForRetries(() => store.settled()),
      close: () => store.settled(),
    });
  },
  look: async ({ folder, report }) => (await new MeasureMemory(join(folder, file), report).form()).ownText,
  check(done, seen) {
    const written = done.find(({ op }) => op.text === seen);
    if (written === undefined) return done.some(mustHold) ? [`Nobody wrote what is there: "${seen}"`] : [];
    // A text that couldn't be saved at first might be saved after a newer one.
    const later = done.find(
      (each) => each.outcome === 'saved' && written.outcome === 'saved' && isBefore(written, each),
    );
    return later === undefined ? [] : [`${seen} is there, although ${later.op.text} was saved after it`];
  },
  damaged: (random) => ({
    name: file,
    text: random.pick([`{"version":1,"value":{"ownText":"${random.uuid()}`, JSON.stringify({ version: 99, value: 1 })]),
  }),
};
