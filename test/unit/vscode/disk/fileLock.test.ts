import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { withFileLock } from '../../../../src/vscode/disk/fileLock.ts';
import { about, hurried, withFaults } from './faultyDisk.ts';

describe('A lock between windows', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parlance-lock-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it("that can't be released at first is released as soon as possible", async () => {
    const path = join(folder, 'a.lock');
    await hurried(async () => {
      await withFaults({ rm: about('a.lock', 'EIO') }, async () => {
        await withFileLock(path, () => Promise.resolve());
        assert.deepEqual(await readdir(folder), ['a.lock']);
      });
      while ((await readdir(folder)).length > 0) await wait(5);
    });
  });

  it("that couldn't get its owner's mark is deleted once it can no longer be another window's", async () => {
    const path = join(folder, 'a.lock');
    await hurried(async () => {
      await withFaults({ writeFile: () => 'EIO', readFile: about('a.lock', 'EIO') }, async () => {
        await assert.rejects(
          withFileLock(path, () => Promise.resolve()),
          { code: 'EIO' },
        );
        assert.deepEqual(await readdir(folder), ['a.lock']);
      });
      while ((await readdir(folder)).length > 0) await wait(5);
    });
  });

  it("isn't considered taken if a file has the name of its folder", async () => {
    const path = join(folder, 'file', 'a.lock');
    await writeFile(join(folder, 'file'), '');
    // The Windows error: there, a path through a file is merely missing.
    const missing = about('a.lock', 'ENOENT');
    await withFaults({ open: missing, readFile: missing, stat: missing }, () =>
      assert.rejects(
        withFileLock(path, () => Promise.resolve()),
        { code: 'ENOTDIR' },
      ),
    );
  });
});
