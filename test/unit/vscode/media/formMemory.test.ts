import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FormValues } from '../../../../src/shared/media.ts';
import { FormMemory } from '../../../../src/vscode/media/formMemory.ts';

describe('What forms remember', () => {
  let folder: string;
  let path: string;
  const errors: unknown[] = [];
  const open = () => new FormMemory(path, (error) => errors.push(error));

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parlance-forms-'));
    path = join(folder, 'media', 'forms.json');
    errors.length = 0;
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const file = (id: string) => ({ kind: 'file', id, name: 'a.png', mediaType: 'image/png', sizeBytes: 9 }) as const;
  const values: FormValues = { texts: { prompt: 'A kite', duration: '5' }, inputs: { image: file('one') } };

  it('is there in the next window, each kind by itself', async () => {
    await open().keep('video', values);
    assert.deepEqual(await open().values('video'), values);
    assert.deepEqual(await open().values('image'), { texts: {}, inputs: {} });
  });

  it('has presets by name, without the prompt, and forgets them when told', async () => {
    const memory = open();
    await memory.savePreset('video', 'Wide', values);
    await memory.savePreset('video', 'prototype', { texts: { fps: '1' }, inputs: { audio: file('two') } });
    const other = open();
    assert.deepEqual(await other.presetNames('video'), ['prototype', 'Wide']);
    await other.savePreset('video', 'Wide', values);
    assert.deepEqual(await other.preset('video', 'Wide'), { texts: { duration: '5' }, inputs: values.inputs });
    assert.equal(await other.preset('video', 'constructor'), undefined);
    assert.deepEqual((await other.inputIds()).toSorted(), ['one', 'two']);
    await other.deletePreset('video', 'Wide');
    assert.deepEqual(await open().presetNames('video'), ['prototype']);
  });

  it('starts empty where the file is damaged, and tells when it cannot be written', async () => {
    await open().keep('video', values);
    const text = await readFile(path, 'utf8');
    for (const damaged of ['', '{', text.slice(0, -9), '[]', text.replace('"5"', '5')]) {
      await writeFile(path, damaged);
      assert.deepEqual((await open().values('video')).texts, {}, damaged);
    }
    await rm(join(folder, 'media'), { recursive: true });
    await writeFile(join(folder, 'media'), '');
    const memory = open();
    await memory.keep('video', values);
    assert.equal(errors.length, 1);
    // The form itself has lost nothing.
    assert.deepEqual(await memory.values('video'), values);
  });
});
