import assert from 'node:assert/strict';
import { appendFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { resultsFolder } from '../workbench/folders.ts';
import { FaultRuns } from './faultRuns.ts';
import { allStores } from './stores.ts';

const count = Number(process.env['PARLANCE_SCHEDULES'] ?? 2000);
const seed = process.env['PARLANCE_SEED'];

const stores = await allStores();

/** A run can take an hour: its results so far exist even if it's ended early. */
async function note(words: string): Promise<void> {
  await mkdir(resultsFolder, { recursive: true });
  await appendFile(join(resultsFolder, 'faults.txt'), `${words}\n`);
}

describe('Stores on a disk with faults, in two windows', () => {
  let runs: FaultRuns;
  before(async () => (runs = await FaultRuns.start()));
  after(() => runs[Symbol.asyncDispose]());

  for (const [index, store] of stores.entries()) {
    it(`${store.name}: what was reported as saved exists, what was deleted doesn't, and nothing is damaged`, async function () {
      const share = Math.ceil(count / stores.length);
      // A seed includes the name of its store.
      const all =
        seed === undefined ? Array.from({ length: share }, (_, at) => at * stores.length + index) : [Number(seed)];
      const seeds = all.filter((each) => each % stores.length === index);
      if (seeds.length === 0) this.skip();
      const failures = await runs.run({ stores, seeds, enough: 3, onFailure: note });
      await note(`${store.name}: ${seeds.length} schedules, ${failures.size} failed`);
      const words = [...failures.values(), 'Run one again: PARLANCE_SEED=<seed> npm test -- --only faults'];
      assert.equal(failures.size, 0, words.join('\n\n'));
    });
  }
});
