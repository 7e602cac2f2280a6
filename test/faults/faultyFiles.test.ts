import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { noFaults } from './faultPlan.ts';
import { FaultyFiles } from './faultyFiles.ts';

describe('The disk with faults', () => {
  let root: string;
  before(async () => (root = await realpath(await mkdtemp(join(tmpdir(), 'parlance-faulty-')))));
  after(() => rm(root, { recursive: true, force: true }));

  it('writes once and whole after the faults have cleared, also at the call that would have been the last', async () => {
    const faulty = new FaultyFiles(root, () => Promise.resolve());
    for (let seed = 0; seed < 5; seed += 1) {
      const folder = join(root, String(seed));
      faulty.begin(folder, noFaults, seed);
      await mkdir(folder);
      // Opening the file is the first call, writing to it the second.
      faulty.begin(folder, { ...noFaults, killAt: 2 }, seed);
      faulty.clear();
      await writeFile(join(folder, 'file'), 'a whole text');
      assert.equal(await readFile(join(folder, 'file'), 'utf8'), 'a whole text');
    }
  });
});
