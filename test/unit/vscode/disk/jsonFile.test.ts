import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import * as v from 'valibot';
import { type FileTrouble, JsonFile } from '../../../../src/vscode/disk/jsonFile.ts';
import { processMark } from '../../../../src/vscode/disk/processMark.ts';
import { about, firstCalls, hurried, withFaults } from './faultyDisk.ts';
import { inAnotherProcess } from './inAnotherProcess.ts';

describe('A JSON file', () => {
  let folder: string;
  let path: string;
  const troubles: FileTrouble[] = [];

  const schema = v.object({ names: v.array(v.string()) });
  const open = (version = 1) =>
    new JsonFile({ path, version, schema, empty: { names: [] }, onTrouble: (trouble) => troubles.push(trouble) });
  const add = (name: string) => (value: { names: readonly string[] }) => ({ names: [...value.names, name] });
  const onDisk = async () => (await open().read()).names;
  const kinds = () => troubles.map(({ kind }) => kind);

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parlance-json-'));
    path = join(folder, 'deep', 'file.json');
    troubles.length = 0;
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it("is empty only if there's no file", async () => {
    assert.deepEqual(await open().read(), { names: [] });
    assert.deepEqual(await open().update(add('one')), { names: ['one'] });
    assert.deepEqual(await onDisk(), ['one']);
    assert.deepEqual(await readdir(join(folder, 'deep')), ['file.json']);
    assert.deepEqual(troubles, []);
  });

  it('is deleted when its value is empty again', async () => {
    const [here, there] = [open(), open()];
    await here.update(add('one'));
    await here.update(() => ({ names: [] }));
    assert.deepEqual(await readdir(join(folder, 'deep')), []);
    await there.update(add('two'));
    assert.deepEqual((await here.read()).names, ['two']);
    assert.deepEqual(troubles, []);
  });

  it('changes what another window has written in the meantime', async () => {
    const [here, there] = [open(), open()];
    await Promise.all([here.read(), there.read()]);
    await here.update(add('here'));
    await there.update(add('there'));
    assert.deepEqual(await onDisk(), ['here', 'there']);
  });

  it('keeps the changes of two processes that write at the same moment', async () => {
    const writer = (name: string) =>
      inAnotherProcess(
        ['JsonFile from jsonFile'],
        `
        const v = await import('valibot');
        const file = new JsonFile({ path: ${JSON.stringify(path)}, version: 1, schema: v.object({ names: v.array(v.string()) }), empty: { names: [] }, onTrouble: (trouble) => console.log(trouble) });
        for (let i = 0; i < 60; i += 1) await file.update((value) => ({ names: [...value.names, '${name}' + i] }));
        `,
      );
    const printed = await Promise.all([writer('a').done, writer('b').done, writer('c').done]);
    assert.deepEqual(printed, ['', '', '']);
    const names = await onDisk();
    assert.equal(new Set(names).size, 180);
    assert.deepEqual(await readdir(join(folder, 'deep')), ['file.json']);
  });

  for (const code of ['EBUSY', 'EPERM', 'EACCES', 'EIO']) {
    it(`is neither empty nor written to while it can't be read: ${code}`, async () => {
      await open().update(add('old'));
      const before = await readFile(path, 'utf8');
      const file = open();
      await hurried(() =>
        withFaults({ readFile: about('file.json', code) }, async () => {
          assert.deepEqual(await file.read(), { names: [] });
          assert.deepEqual(kinds(), ['unreadable']);
          // The change applies here but isn't on disk.
          assert.deepEqual(await file.update(add('new')), { names: ['new'] });
          assert.deepEqual(kinds(), ['unreadable', 'unsaved']);
        }),
      );
      assert.equal(await readFile(path, 'utf8'), before);
      await file.settled();
      assert.deepEqual(await onDisk(), ['old', 'new']);
    });

    it(`is read a moment later: ${code}`, async () => {
      await open().update(add('old'));
      await hurried(() =>
        withFaults({ readFile: firstCalls(8, code) }, async () =>
          assert.deepEqual(await open().read(), { names: ['old'] }),
        ),
      );
      assert.deepEqual(troubles, []);
    });
  }

  it('saves a change automatically once the disk works', async () => {
    const file = open();
    await hurried(async () => {
      await withFaults({ rename: () => 'EROFS' }, async () => {
        await file.update(add('one'));
        await file.update(add('two'));
      });
      assert.deepEqual(kinds(), ['unsaved']);
      while ((await onDisk()).length < 2) await new Promise((resolve) => setTimeout(resolve, 100));
    });
    // The lock is released after the file is in place.
    await file.settled();
    assert.deepEqual(await onDisk(), ['one', 'two']);
    assert.deepEqual(await readdir(join(folder, 'deep')), ['file.json']);
  });

  const damages = [
    '',
    '{',
    'null',
    '[]',
    '{"version":1}',
    '{"version":1,"value":{"names":[1]}}',
    '{"names":["more"],"other":1}',
    '\0\0\0\0',
  ];
  for (const damage of damages) {
    it(`is renamed as a whole if it's damaged: ${JSON.stringify(damage)}`, async () => {
      await open().update(add('old'));
      await writeFile(path, damage);
      const file = open();
      assert.deepEqual(await file.read(), { names: [] });
      assert.deepEqual(await file.update(add('new')), { names: ['new'] });
      assert.deepEqual(kinds(), ['damaged']);
      const [trouble] = troubles;
      assert.ok(trouble?.kind === 'damaged');
      assert.equal(await readFile(trouble.keptAs, 'utf8'), damage);
      assert.deepEqual(await onDisk(), ['new']);
    });
  }

  it('is read as 0.1.0 wrote it, without a version, and gets one with the next change', async () => {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, '{"names":["old"]}');
    const file = open();
    assert.deepEqual(await file.read(), { names: ['old'] });
    await file.update(add('new'));
    assert.deepEqual(JSON.parse(await readFile(path, 'utf8')), { version: 1, value: { names: ['old', 'new'] } });
    assert.deepEqual(troubles, []);
  });

  it("isn't replaced if a damaged file can't be renamed", async () => {
    await open().update(add('old'));
    await writeFile(path, '{');
    const file = open();
    await hurried(() =>
      withFaults({ rename: about(/file\.json$/, 'EBUSY') }, async () => {
        assert.deepEqual(await file.read(), { names: [] });
        await file.update(add('new'));
      }),
    );
    assert.deepEqual(kinds(), ['unreadable', 'unsaved']);
    assert.equal(await readFile(path, 'utf8'), '{');
    await file.settled();
    assert.deepEqual(kinds(), ['unreadable', 'unsaved', 'damaged']);
    assert.deepEqual(await onDisk(), ['new']);
  });

  it('of a newer version is left alone until something changes, and is then renamed as a whole', async () => {
    const newer = open(2);
    await newer.update(add('newer'));
    const before = await readFile(path, 'utf8');
    const file = open();
    assert.deepEqual(await file.read(), { names: [] });
    assert.deepEqual(await file.read(), { names: [] });
    assert.deepEqual(troubles, [{ kind: 'newer', path }]);
    assert.deepEqual(await newer.read(), { names: ['newer'] });
    await file.update(add('old'));
    const trouble = troubles[1];
    assert.ok(trouble?.kind === 'newer' && trouble.keptAs !== undefined);
    assert.equal(await readFile(trouble.keptAs, 'utf8'), before);
    assert.deepEqual(await onDisk(), ['old']);
  });

  it("isn't blocked by a window that was killed while it had the lock", async () => {
    await open().update(add('old'));
    const child = inAnotherProcess(
      ['withFileLock from fileLock'],
      `await withFileLock(${JSON.stringify(`${path}.lock`)}, () => new Promise((r) => { console.log('held'); setTimeout(r, 60_000); }));`,
    );
    assert.equal(await child.line(), 'held');
    const lock = () => readFile(`${path}.lock`, 'utf8').catch(() => 'none');
    const ofChild = await lock();
    let tries = 0;
    const tried = Promise.withResolvers<void>();
    const countTries = ([file]: readonly unknown[]): undefined => {
      tries += file === `${path}.lock` ? 1 : 0;
      if (tries > 20) tried.resolve();
    };
    await withFaults({ open: countTries }, async () => {
      const updates = Promise.all(['a', 'b', 'c', 'd'].map((name) => open().update(add(name))));
      await Promise.race([tried.promise, updates]);
      assert.deepEqual([await lock(), await onDisk()], [ofChild, ['old']], 'nobody may pass while it lives');
      child.kill();
      await updates;
    });
    assert.deepEqual((await onDisk()).toSorted(), ['a', 'b', 'c', 'd', 'old']);
    assert.deepEqual(await readdir(join(folder, 'deep')), ['file.json']);
  });

  it("isn't blocked by a lock without an owner, or by one whose owner only seems to be alive", async () => {
    await open().update(add('old'));
    await writeFile(`${path}.lock`, '');
    await open().update(add('nameless'));
    await writeFile(`${path}.lock`, `${processMark().replace(/^\d+-[0-9a-z]+/, `${process.ppid}-1`)}.x`);
    await hurried(async () => {
      // An attempt that waits 20 seconds without success is repeated.
      const file = open();
      await file.update(add('stuck'));
      await file.settled();
    });
    assert.deepEqual(await onDisk(), ['old', 'nameless', 'stuck']);
    assert.deepEqual(await readdir(join(folder, 'deep')), ['file.json']);
  });

  it('starts over if its lock was taken away while it was stopped', async () => {
    await open().update(add('old'));
    let written = 0;
    const file = open();
    await withFaults(
      {
        datasync: () => {
          written += 1;
          if (written > 1) return undefined;
          // In this turn, before it looks at its lock again.
          writeFileSync(`${path}.lock`, `${processMark()}.another`);
          setTimeout(() => void rm(`${path}.lock`), 100);
          return undefined;
        },
      },
      () => file.update(add('mine')),
    );
    assert.ok(written > 1, "it wasn't written twice");
    assert.deepEqual(await onDisk(), ['old', 'mine']);
    assert.deepEqual(await readdir(join(folder, 'deep')), ['file.json']);
  });
});
