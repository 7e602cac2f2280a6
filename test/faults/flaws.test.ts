import assert from 'node:assert/strict';
import { FaultRuns } from './faultRuns.ts';
import { flawedStores } from './stores.ts';

const stores = await flawedStores();

/** The text that describes each flaw. */
const found: Readonly<Record<string, RegExp>> = {
  'overwrites what the other window saved': /was reported as saved in window . and is not there/,
  'takes a file that can’t be read for an empty one': /was reported as saved in window . and is not there/,
  'leaves its temporary file': /items\.json\.\S+\.tmp was left behind/,
  'says that something is saved before it is': /was reported as saved in window . and is not there/,
  'fails and tells nobody': /Nobody was told/,
  'reports what it can’t save and forgets it': /was reported as unsaved in window . and is not there/,
  'writes over the file in place': /items\.json is damaged|is not there/,
  'throws a damaged file away': /The damaged file that was there before is lost/,
  'rejects where nobody handles it': /Nothing may throw here/,
};

describe('The fault suite', () => {
  let runs: FaultRuns;
  before(async () => (runs = await FaultRuns.start()));
  after(() => runs[Symbol.asyncDispose]());

  for (const [at, store] of stores.entries()) {
    it(`finds a store that ${store.name}`, async () => {
      const seeds = function* (): Generator<number> {
        for (let number = 0; number < 1000; number += 1) yield number * stores.length + at;
      };
      const failures = await runs.run({
        stores,
        seeds: seeds(),
        enough: 1,
        isFailure: (words) => (found[store.name] ?? /$^/).test(words),
      });
      assert.equal(failures.size > 0, true);
    });
  }
});
