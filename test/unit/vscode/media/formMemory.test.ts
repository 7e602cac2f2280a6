import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FormValues } from '../../../../src/shared/media.ts';
import type { FileTrouble } from '../../../../src/vscode/disk/jsonFile.ts';
import { FormMemory } from '../../../../src/vscode/media/formMemory.ts';
import { inAnotherProcess } from '../disk/inAnotherProcess.ts';
import { about, hurried, withFaults } from '../disk/faultyDisk.ts';

describe('What forms remember', () => {
  let folder: string;
  let path: string;
  const troubles: FileTrouble[] = [];
  const open = () => new FormMemory(path, (trouble) => troubles.push(trouble), assert.ifError);

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parlance-forms-'));
    path = join(folder, 'media', 'forms.json');
    troubles.length = 0;
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const file = (id: string) => ({ kind: 'file', id, name: 'a.png', mediaType: 'image/png', sizeBytes: 9 }) as const;
  const values: FormValues = { texts: { prompt: 'A kite', duration: '5' }, inputs: { image: file('one') } };

  it('is available in the next window, separately for each kind', async () => {
    await open().keep('video', values);
    assert.deepEqual(await open().values('video'), values);
    assert.deepEqual(await open().values('image'), { texts: {}, inputs: {} });
  });

  it('has presets by name, without the prompt, and deletes them on request', async () => {
    const memory = open();
    await memory.savePreset('video', 'Wide', values);
    await memory.savePreset('video', 'prototype', { texts: { fps: '1' }, inputs: { audio: file('two') } });
    const other = open();
    assert.deepEqual(await other.presetNames('video'), ['prototype', 'Wide']);
    await other.savePreset('video', 'Wide', values);
    assert.deepEqual(await other.preset('video', 'Wide'), { texts: { duration: '5' }, inputs: values.inputs });
    assert.equal(await other.preset('video', 'constructor'), undefined);
    assert.deepEqual((await other.inputIds())?.toSorted(), ['one', 'two']);
    await other.deletePreset('video', 'Wide');
    assert.deepEqual(await open().presetNames('video'), ['prototype']);
  });

  it('keeps the presets of two windows that both have a form open', async () => {
    const [here, there] = [open(), open()];
    await Promise.all([here.values('video'), there.values('video')]);
    await here.savePreset('video', 'Here', values);
    await there.savePreset('video', 'There', values);
    // What a form writes when it's closed.
    await here.keep('video', values);
    assert.deepEqual(await open().presetNames('video'), ['Here', 'There']);
  });

  it('reports a preset that another window saves, and one that it deletes', async () => {
    const memory = open();
    const seen = async (change: () => Promise<unknown>): Promise<readonly string[]> => {
      const told = new Promise<void>((resolve) => {
        const end = memory.onDidChange(() => {
          end();
          resolve();
        });
      });
      await memory.following();
      await change();
      await told;
      return memory.presetNames('video');
    };
    const elsewhere = (act: string) =>
      inAnotherProcess(
        ['FormMemory from ../media/formMemory'],
        `await new FormMemory(${JSON.stringify(path)}, console.log, console.log).${act};`,
      ).done;
    try {
      const theirs = JSON.stringify({ texts: { fps: '24' }, inputs: {} });
      assert.deepEqual(await seen(() => elsewhere(`savePreset('video', 'Theirs', ${theirs})`)), ['Theirs']);
      assert.deepEqual(await seen(() => elsewhere(`deletePreset('video', 'Theirs')`)), []);
    } finally {
      memory.dispose();
    }
  });

  it("keeps a preset that is saved while the file can't be read, beside those in it", async () => {
    await open().savePreset('video', 'Before', values);
    for (const code of ['EBUSY', 'EPERM', 'EACCES', 'EIO']) {
      troubles.length = 0;
      const memory = open();
      await hurried(() =>
        withFaults({ readFile: about('forms.json', code) }, async () => {
          assert.deepEqual(await memory.presetNames('video'), []);
          assert.equal(await memory.inputIds(), undefined, 'nothing may be deleted that a preset could need');
          await memory.savePreset('video', code, values);
        }),
      );
      assert.deepEqual(
        troubles.map(({ kind }) => kind),
        ['unreadable', 'unsaved'],
      );
      await memory.settled();
    }
    assert.deepEqual(await open().presetNames('video'), ['Before', 'EACCES', 'EBUSY', 'EIO', 'EPERM']);
  });

  it('keeps a damaged file and shows its location, and deletes nothing that it might need', async () => {
    await open().keep('video', values);
    const text = await readFile(path, 'utf8');
    for (const damaged of ['', '{', text.slice(0, -9), '[]', text.replace('"5"', '5')]) {
      troubles.length = 0;
      await writeFile(path, damaged);
      const memory = open();
      assert.deepEqual((await memory.values('video')).texts, {}, damaged);
      assert.equal(await memory.inputIds(), undefined);
      const [trouble] = troubles;
      assert.ok(trouble?.kind === 'damaged');
      assert.equal(await readFile(trouble.keptAs, 'utf8'), damaged);
      await memory.keep('video', values);
    }
  });

  it("reports that it can't be written, loses nothing of the form, and writes it once that's possible", async () => {
    await writeFile(join(folder, 'media'), '');
    const memory = open();
    await memory.keep('video', values);
    assert.deepEqual(
      troubles.map(({ kind }) => kind),
      ['unsaved'],
    );
    assert.deepEqual(await memory.values('video'), values);
    await rm(join(folder, 'media'));
    await memory.settled();
    assert.deepEqual(await open().values('video'), values);
  });
});
