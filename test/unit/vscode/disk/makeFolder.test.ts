import assert from 'node:assert/strict';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeFolder } from '../../../../src/vscode/disk/makeFolder.ts';
import { withFaults } from './faultyDisk.ts';

describe('A new folder', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parlance-folders-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('is created with its parents, and the second time too', async () => {
    await makeFolder(join(folder, 'a', 'b'));
    await makeFolder(join(folder, 'a', 'b'));
    assert.ok((await stat(join(folder, 'a', 'b'))).isDirectory());
  });

  // What Node's own `mkdir` does on a read-only disk: test/hostile/workbenchDisk.test.ts has a real one.
  it("fails with the system's reason if Node reports a read-only disk as a missing folder", async () => {
    const ofReadOnlyDisk = ([, options]: readonly unknown[]) =>
      Object(options).recursive === true ? 'ENOENT' : 'EROFS';
    await withFaults({ mkdir: ofReadOnlyDisk }, () =>
      assert.rejects(makeFolder(join(folder, 'a', 'b')), { code: 'EROFS' }),
    );
  });

  it('is created step by step if it was reported missing for a moment', async () => {
    const onlyOnce = ([, options]: readonly unknown[]) => (Object(options).recursive === true ? 'ENOENT' : undefined);
    await withFaults({ mkdir: onlyOnce }, () => makeFolder(join(folder, 'a', 'b', 'c')));
    assert.ok((await stat(join(folder, 'a', 'b', 'c'))).isDirectory());
  });

  it('fails if a file is in the way', async () => {
    await writeFile(join(folder, 'a'), '');
    await assert.rejects(makeFolder(join(folder, 'a', 'b')), { code: 'ENOTDIR' });
  });
});
