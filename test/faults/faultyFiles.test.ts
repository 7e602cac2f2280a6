import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { noFaults } from './faultPlan.ts';
import { FaultyFiles } from './faultyFiles.ts';

describe('The disk with faults', () => {
  let root: string;
  before(async () => (root = await realpath(await mkdtemp(join(tmpdir(), 'parlance-faulty-')))));
  after(() => rm(root, { recursive: true, force: true }));

  it('writes once and whole after the faults have cleared, even at the call that would have been the last', async () => {
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

  it('is idle while a retry from an earlier schedule hangs, but not while one of its own calls does', async () => {
    let resume: (() => void) | undefined;
    const paused = Promise.withResolvers<void>();
    const faulty = new FaultyFiles(root, () => {
      paused.resolve();
      return new Promise((resolve) => (resume = resolve));
    });
    const folders = [join(root, 'earlier'), join(root, 'now')] as const;
    faulty.begin(folders[1], noFaults, 0);
    await mkdir(folders[1]);
    faulty.begin(folders[1], { ...noFaults, pauses: [1] }, 0);
    void stat(folders[0]);
    await faulty.idle();

    void mkdir(join(folders[1], 'inner'));
    await paused.promise;
    let isIdle = false;
    const idle = faulty.idle().then(() => (isIdle = true));
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    assert.equal(isIdle, false);
    resume?.();
    await idle;
    assert.deepEqual((await readdir(folders[1])).sort(), ['inner']);
  });
});
