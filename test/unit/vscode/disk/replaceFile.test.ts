import assert from 'node:assert/strict';
import { mkdir, mkdtemp, open, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { processMark } from '../../../../src/vscode/disk/processMark.ts';
import { replaceFile } from '../../../../src/vscode/disk/replaceFile.ts';
import { sweepTemporaryFiles } from '../../../../src/vscode/disk/sweepTemporaryFiles.ts';
import { about, firstCalls, hurried, withFaults } from './faultyDisk.ts';
import { inAnotherProcess } from './inAnotherProcess.ts';

describe('Replacing a file', () => {
  let folder: string;
  let path: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parlance-disk-'));
    path = join(folder, 'deep', 'file.json');
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const names = () => readdir(join(folder, 'deep'));

  it('creates the folder and leaves nothing but the file', async () => {
    await replaceFile(path, 'one');
    await replaceFile(path, new Uint8Array([0x74, 0x77, 0x6f]));
    assert.equal(await readFile(path, 'utf8'), 'two');
    assert.deepEqual(await names(), ['file.json']);
  });

  for (const code of ['EPERM', 'EBUSY', 'EACCES']) {
    it(`waits for a program that locks the file: ${code}`, async () => {
      await replaceFile(path, 'old');
      await hurried(() => withFaults({ rename: firstCalls(12, code) }, () => replaceFile(path, 'new')));
      assert.equal(await readFile(path, 'utf8'), 'new');
      assert.deepEqual(await names(), ['file.json']);
    });
  }

  it("waits for a program that is reading the file, which Windows doesn't let anyone replace", async () => {
    await replaceFile(path, 'old');
    const reader = await open(path, 'r');
    let isReplaced = false;
    const replaced = replaceFile(path, 'new').then(() => (isReplaced = true));
    if (process.platform === 'win32') {
      // Time for a few failing attempts.
      await new Promise((resolve) => setTimeout(resolve, 300));
      assert.equal(isReplaced, false);
    } else await replaced;
    assert.equal(await reader.readFile('utf8'), 'old');
    await reader.close();
    await replaced;
    assert.equal(await readFile(path, 'utf8'), 'new');
    assert.deepEqual(await names(), ['file.json']);
  });

  for (const call of ['open', 'writeFile', 'datasync', 'rename'] as const) {
    it(`leaves the old file and no temporary one if ${call} keeps failing`, async () => {
      await replaceFile(path, 'old');
      const fault = call === 'open' ? about('.tmp', 'EACCES') : () => 'EACCES';
      await hurried(() =>
        withFaults({ [call]: fault }, () => assert.rejects(replaceFile(path, 'a secret thought'), { code: 'EACCES' })),
      );
      assert.equal(await readFile(path, 'utf8'), 'old');
      assert.deepEqual(await names(), ['file.json']);
    });
  }

  it("deletes the temporary file later if it can't be deleted at once", async () => {
    await hurried(async () => {
      await withFaults({ rename: () => 'ENOSPC', rm: () => 'EPERM' }, async () => {
        await assert.rejects(replaceFile(path, 'a secret thought'), { code: 'ENOSPC' });
        assert.equal((await names()).length, 1);
      });
    });
    // The next attempt is in 30 seconds; accelerated, in 0.3.
    while ((await names()).length > 0) await new Promise((resolve) => setTimeout(resolve, 20));
  });

  it('writes again if the folder is deleted while it writes', async () => {
    let renames = 0;
    await withFaults(
      {
        rename: () => {
          renames += 1;
          return renames === 1 ? 'ENOENT' : undefined;
        },
      },
      () => replaceFile(path, 'still here'),
    );
    assert.equal(await readFile(path, 'utf8'), 'still here');
    assert.deepEqual(await names(), ['file.json']);
  });

  it('leaves what a killed window was writing to the sweep, which leaves that of live ones', async () => {
    const child = inAnotherProcess(
      ['replaceFile from replaceFile'],
      `
      async function* slowly() { yield Buffer.from('a secret thought'); console.log('writing'); await new Promise((r) => setTimeout(r, 60_000)); }
      await replaceFile(${JSON.stringify(path)}, slowly());
      `,
    );
    const writing = async () => (await names().catch(() => [])).length === 1;
    while (!(await writing())) await new Promise((resolve) => setTimeout(resolve, 20));
    const errors: unknown[] = [];
    await sweepTemporaryFiles(folder, (error) => errors.push(error));
    assert.equal((await names()).length, 1);
    child.kill();
    await child.done;
    await sweepTemporaryFiles(folder, (error) => errors.push(error));
    assert.deepEqual(await names(), []);
    assert.deepEqual(errors, []);
  });

  it("continues the sweep if one file can't be deleted, and leaves everything that isn't a temporary file", async () => {
    await mkdir(join(folder, 'deep'));
    // The process with this name is gone: its start time differs.
    const dead = processMark().replace(/-[0-9a-z]+-/, '-1-');
    const elsewhere = '1-1-abcdef';
    const files = [`a.${dead}.1.tmp`, `b.${dead}.2.tmp`, `old.${elsewhere}.1.tmp`, 'old.lock.0123456789ab'];
    const kept = [
      'x.tmp',
      'x.json',
      'x.lock',
      'new.lock.0123456789ab',
      `new.${elsewhere}.1.tmp`,
      `own.${processMark()}.9.tmp`,
    ];
    for (const name of [...files, ...kept]) await writeFile(join(folder, 'deep', name), 'x');
    for (const name of files.slice(2)) await utimes(join(folder, 'deep', name), 1, 1);
    const errors: unknown[] = [];
    await hurried(() =>
      withFaults({ rm: about(files[0] ?? '', 'EBUSY') }, () =>
        sweepTemporaryFiles(folder, (error) => errors.push(error)),
      ),
    );
    assert.deepEqual((await names()).toSorted(), [files[0] ?? '', ...kept].toSorted());
    assert.equal(errors.length, 1);
  });
});
