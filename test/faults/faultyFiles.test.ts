import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, mkdtempDisposable, readdir, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
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

  it('kills the process in the middle of a write, even if the faults clear at that moment', async () => {
    await using other = await mkdtempDisposable(join(await realpath(tmpdir()), 'parlance-killed-'));
    const script = join(other.path, 'killed.mjs');
    const folder = join(other.path, 'folder');
    const source = `
      import { mkdir, open, writeFile } from 'node:fs/promises';
      const handle = await open(process.execPath);
      const prototype = Object.getPrototypeOf(handle);
      await handle.close();
      const { write } = prototype;
      prototype.write = async function (...given) {
        const written = await write.apply(this, given);
        faulty.clear();
        return written;
      };
      const { FaultyFiles } = await import(${JSON.stringify(new URL('faultyFiles.ts', import.meta.url).href)});
      await mkdir(${JSON.stringify(folder)});
      const faulty = new FaultyFiles(${JSON.stringify(other.path)}, async () => {});
      // Opening the file is the first call, writing to it the second.
      faulty.begin(${JSON.stringify(folder)}, { failures: [], shortWrites: 0, pauses: [], killAt: 2 }, 3);
      await writeFile(${JSON.stringify(join(folder, 'file'))}, 'a whole text');`;
    await writeFile(script, source);
    const { signal, stderr } = spawnSync(process.execPath, [script], { encoding: 'utf8' });
    assert.equal(signal, 'SIGKILL', stderr);
    assert.ok('a whole text'.startsWith(await readFile(join(folder, 'file'), 'utf8')));
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
